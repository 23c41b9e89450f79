/** Registry lock: a bundle is replayed under the registry that it was recorded under. */

import { canonicalDigest, SOVEREIGN } from "../canon/canonical.js";
import { LAW, parseJson } from "../json/reader.js";
import { member, memberText, type JsonValue } from "../json/value.js";
import { outsideDomain } from "../reject.js";
import { SEALED_CODES } from "./sealed.js";

export interface Registry {
  /** Of the canonical bytes of the whole file, wrapper included. */
  readonly digest: string;
  /**
   * Whether a decision may be denied with this code: it is registered, for stage `capability` where
   * stages are given.
   */
  readonly admitsDenial: (code: string) => boolean;
}

/** Takes the local registry, or the sealed one where none is given. */
export function loadRegistry(bytes: Uint8Array | null): Registry {
  const document = parseJson(bytes ?? Buffer.from(JSON.stringify(SEALED_CODES)), LAW);
  if (document.kind !== "object") {
    throw outsideDomain("a registry is an object with contract_version and codes");
  }
  const denials = denialCodes(member(document, "codes"));
  return {
    digest: canonicalDigest(document, SOVEREIGN),
    admitsDenial: (code) => denials.has(code),
  };
}

/** Both published forms: an object of entries, and the older list of bare codes. */
function denialCodes(codes: JsonValue | undefined): Set<string> {
  if (codes?.kind === "array") {
    return new Set(codes.items.flatMap((code) => (code.kind === "string" ? [code.value] : [])));
  }
  const entries = codes?.kind === "object" ? codes.members : [];
  const admitted = entries.filter(
    ({ value }) => (memberText(value, "stage") ?? "capability") === "capability",
  );
  return new Set(admitted.map(({ name }) => name));
}
