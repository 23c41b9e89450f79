/** What came of one question, whoever answered it. */

/**
 * An output as it was written: a document's text, exact bytes, a value as JSON text; or JSON text
 * where its operation knows no such output, or not of this kind.
 */
export type Output =
  | { readonly kind: "doc"; readonly text: string }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "value" | "stray"; readonly text: string };

/** Outputs by wire name. An adapter answers with them, so that they are judged as they were said. */
export class Outputs extends Map<string, Output> {}

/** A judgement of the implementation. */
export interface Judgement {
  readonly is: "accept" | "reject";
  readonly codes: readonly string[];
  readonly out: ReadonlyMap<string, Output>;
}

/** The implementation broke, and nobody knows what it would have said. */
export interface Fault {
  readonly is: "fault";
  readonly message: string;
}

export type Outcome = Judgement | Fault | { readonly is: "unsupported"; readonly feature: string };
