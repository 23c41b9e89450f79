import { inspect } from "node:util";

import { jsonText, type Answer, type Json } from "./answer.js";
import type { Implementation } from "./interface.js";
import { operations, type OutputForm, type OutputForms } from "./operations.js";
import { Outputs, type Outcome, type Output } from "./outcome.js";
import type { Question } from "./question.js";

/** Asks an implementation. Whatever it lets escape is a fault, never a judgement. */
export async function ask(implementation: Implementation, question: Question): Promise<Outcome> {
  const operation = operations[question.op];
  if (operation === undefined) {
    return { is: "unsupported", feature: question.op };
  }
  try {
    const answer = await operation.call(implementation, question);
    if (answer === undefined) {
      return { is: "unsupported", feature: question.op };
    }
    return written(answer, operation.accepted, operation.rejected);
  } catch (error) {
    return { is: "fault", message: described(error) };
  }
}

/** What was thrown, with its stack. */
export function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : inspect(error);
}

function written(
  answer: Answer<object, object>,
  accepted: OutputForms,
  rejected: OutputForms,
): Outcome {
  switch (answer.is) {
    case "accept":
      return { is: "accept", codes: [], out: outputs(answer.out, accepted) };
    case "reject":
      return { is: "reject", codes: answer.codes, out: outputs(answer.out ?? {}, rejected) };
    case "unsupported":
      return answer;
    default:
      throw new TypeError(`an answer is accept, reject or unsupported: ${inspect(answer)}`);
  }
}

/** Outputs under their wire names. One that is absent shows when it is looked for. */
function outputs(out: object, forms: OutputForms): Outputs {
  if (out instanceof Outputs) {
    return out;
  }
  const found = new Outputs();
  for (const [name, form] of Object.entries(forms)) {
    const value = (out as Readonly<Record<string, unknown>>)[form.property];
    if (value !== undefined) {
      found.set(name, output(name, form, value));
    }
  }
  return found;
}

function output(name: string, form: OutputForm, value: unknown): Output {
  switch (form.kind) {
    case "bytes":
      if (!(value instanceof Uint8Array)) {
        throw new TypeError(`out.${name} is not a Uint8Array: ${inspect(value)}`);
      }
      return { kind: "bytes", bytes: value };
    case "doc":
      if (typeof value !== "string" || !value.isWellFormed()) {
        throw new TypeError(`out.${name} is not a well-formed text: ${inspect(value)}`);
      }
      return { kind: "doc", text: value };
    case "value":
      return { kind: "value", text: jsonText(value as Json) };
  }
}
