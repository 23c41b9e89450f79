/** What is no judgement: an answer of the verifier is a result, and these are thrown. */

export class AssizeError extends Error {
  override readonly name: string = "AssizeError";
}

/** More bytes or levels than the verifier takes. Ask about less at a time. */
export class LimitError extends AssizeError {
  override readonly name = "LimitError";

  constructor(
    readonly kind: "size" | "depth",
    message: string,
  ) {
    super(message);
  }
}

/** What was handed over is no question: a text with a lone surrogate, a path that leads upwards. */
export class QuestionError extends AssizeError {
  override readonly name = "QuestionError";
}

/** The core does not know the operation: it is older than this package's face. */
export class UnsupportedError extends AssizeError {
  override readonly name = "UnsupportedError";
}

/** The core broke, which is a bug of it or a lack of memory. The next question gets a new one. */
export class FaultError extends AssizeError {
  override readonly name = "FaultError";
}
