/** The vectors as they lie in `vectors/`: a manifest, and one file a law with one case a line. */

import { readFileSync } from "node:fs";

import { memberText, sha256 } from "./frame.js";
import { operations } from "./operations.js";
import { Question } from "./question.js";

/** What an answer has to show at a JSON Pointer, and with what force. */
export type Check = { readonly pointer: string; readonly force: string } & (
  | { readonly canonical: string }
  | { readonly codes: readonly string[] }
  | { readonly registered: readonly string[] }
  | { readonly base64: string }
  | { readonly text: string }
  | { readonly spelled: true }
  | { readonly object: true }
  | { readonly within: readonly string[] }
  | { readonly filled: readonly string[] }
  | { readonly array: true }
  | { readonly most: number }
  | { readonly absent: true }
  | { readonly empty: true }
);

/** An answer conforms when all checks of one of these hold. */
export type Alternatives = readonly (readonly Check[])[];

export type FileEntry = { readonly path: string } & (
  | { readonly kind: "file" | "unreadable"; readonly base64: string }
  | { readonly kind: "directory" }
  | { readonly kind: "symlink"; readonly to: string }
);

export interface Case {
  readonly id: string;
  readonly law: string;
  readonly op: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Documents in base64. */
  readonly in: Readonly<Record<string, string>>;
  /** Whether the case asks for a folder of its own. */
  readonly root: boolean;
  readonly files: readonly FileEntry[];
  readonly rationale: string;
  readonly spec: string;
  readonly expect: Alternatives;
}

export interface LawEntry {
  readonly slug: string;
  readonly title: string;
  readonly count: number;
  readonly sha256: string;
}

/** A case that is known to fail, and how. */
export interface KnownFailure {
  readonly id: string;
  readonly outcome: string;
  readonly reason: string;
  readonly link?: string | null;
}

export interface Manifest {
  readonly form: string;
  readonly revision: string;
  readonly total: number;
  readonly laws: readonly LawEntry[];
  readonly known: readonly KnownFailure[];
}

const FORM = "assize-pack/v2";

export const VECTORS = new URL("../../vectors/", import.meta.url);

export function readManifest(): Manifest {
  const manifest = JSON.parse(readFileSync(new URL("manifest.json", VECTORS), "utf8")) as Manifest;
  if (manifest.form !== FORM) {
    throw new Error(
      `vectors/manifest.json is of form ${manifest.form}, where this suite reads ${FORM}`,
    );
  }
  return manifest;
}

/** The cases of a law, if its file is the one that the manifest describes. */
export function readCases({ slug, count, sha256: stated }: LawEntry): Case[] {
  const path = `vectors/${slug}.jsonl`;
  const bytes = readFileSync(new URL(`${slug}.jsonl`, VECTORS));
  const found = sha256(bytes);
  if (found !== stated) {
    throw new Error(`${path} has SHA-256 ${found}, where the manifest states ${stated}`);
  }
  const lines = bytes.toString("ascii").split("\n").slice(0, -1);
  if (lines.length !== count) {
    throw new Error(`${path} holds ${lines.length} cases, where the manifest counts ${count}`);
  }
  return lines.map(parseCase);
}

function parseCase(line: string): Case {
  const parsed = JSON.parse(line) as Case;
  const anyArgs = operations[parsed.op]?.anyArgs ?? [];
  const given = anyArgs.filter((name) => Object.hasOwn(parsed.args, name));
  const texts = given.map((name) => [name, memberText(line, "args", name)] as const);
  return { ...parsed, args: { ...parsed.args, ...Object.fromEntries(texts) } };
}

/** The question that a case puts, with its folder where it has one. */
export function questionOf({ op, args, in: inputs }: Case, root: string | undefined): Question {
  const docs = Object.entries(inputs).map(
    ([name, base64]) => [name, Buffer.from(base64, "base64")] as const,
  );
  return new Question(op, args, Object.fromEntries(docs), root);
}
