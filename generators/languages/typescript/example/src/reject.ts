import { NoCanonicalForm } from "./canon/canonical.js";
import { reject, type Reject } from "./conformance/interface.js";
import { JsonError } from "./json/reader.js";

/**
 * A judgement against the input. Anything else that is thrown is a fault of this program and no
 * judgement.
 */
export class Rejection extends Error {
  override readonly name = "Rejection";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** An input outside of what the operation is asked about. */
export function outsideDomain(message: string): Rejection {
  return new Rejection("A_INPUT", message);
}

/**
 * Answers with the code of what was thrown on purpose; `uncanonical` is the operation's code for a
 * value without form.
 */
export function judged<Accepted>(uncanonical: string, judge: () => Accepted): Accepted | Reject {
  try {
    return judge();
  } catch (error) {
    if (error instanceof JsonError) {
      return reject(error.isLimit ? "A_LIMIT" : "A_JSON");
    }
    if (error instanceof NoCanonicalForm) {
      return reject(uncanonical);
    }
    if (error instanceof Rejection) {
      return reject(error.code);
    }
    throw error;
  }
}
