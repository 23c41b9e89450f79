import { canonicalDigest, canonicalText, EPISODE_JCS } from "../canon/canonical.js";
import { EPISODE, parseJson } from "../json/reader.js";
import { member, NULL, object, type JsonValue } from "../json/value.js";
import { Rejection } from "../reject.js";
import { breaches } from "../shape.js";
import { episodeContract } from "./contract.js";

export interface ContractHashes {
  /**
   * Of what was meant to run: inputs, script, policy, and the environment without what only
   * describes it.
   */
  readonly episodeSpecHash: string;
  readonly envFingerprintHash: string;
  readonly inputsHash: string;
  readonly scriptHash: string;
}

/** Derives the hashes of an episode contract. */
export function contractHashes(bytes: Uint8Array): ContractHashes {
  const contract = parseJson(bytes, EPISODE);
  // A value without canonical form is refused before the shape is looked at.
  canonicalText(contract, EPISODE_JCS);
  const [breach] = breaches(episodeContract, contract);
  if (breach !== undefined) {
    throw new Rejection("A_SCHEMA", breach.message, breach.pointer);
  }
  const declared = member(contract, "environment");
  const environment = pick(declared, ["provider", "model_id", "tool_versions", "container_digest"]);
  const view = pick(contract, ["inputs", "replay_script", "replay_policy"]);
  return {
    episodeSpecHash: hash(object({ ...view, environment: object(environment) })),
    envFingerprintHash: hash(object(environment)),
    inputsHash: hash(view["inputs"]),
    scriptHash: hash(view["replay_script"]),
  };
}

/** Members that the shape has vouched for. */
function pick(value: JsonValue | undefined, names: readonly string[]): Record<string, JsonValue> {
  return Object.fromEntries(names.map((name) => [name, member(value, name) ?? NULL]));
}

function hash(value: JsonValue = NULL): string {
  return `sha256:${canonicalDigest(value, EPISODE_JCS)}`;
}
