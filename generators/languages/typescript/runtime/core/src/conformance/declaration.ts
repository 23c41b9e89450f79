import type { Declaration, Implementation, Json } from "./interface.js";

/** What can be asked beside operations; what is absent has no limit. ASSIZE.md says more. */
export type Capabilities = Readonly<Record<string, Json>>;

/** What `src/implementation.ts` exports. */
export interface ImplementationModule {
  readonly declared: Declaration;
  readonly implementation: Implementation;
  readonly capabilities?: Capabilities;
}

/** The declaration as plain data: operation, argument, values. */
export type Choices = Readonly<Record<string, readonly string[]>>;
export type Declared = Readonly<Record<string, Choices>>;

/** A declaration without what it leaves open. */
export function plain(declaration: Declaration): Declared {
  return JSON.parse(JSON.stringify(declaration)) as Declared;
}

/**
 * The first thing that a question needs and nobody declared: an operation, or `operation/value`.
 */
export function undeclared(
  declared: Declared,
  op: string,
  args: Readonly<Record<string, unknown>>,
): string | undefined {
  const choices = Object.hasOwn(declared, op) ? declared[op] : undefined;
  if (choices === undefined) {
    return op;
  }
  for (const [name, values] of Object.entries(choices)) {
    const value = args[name];
    if (typeof value !== "string" || !values.includes(value)) {
      return `${op}/${String(value)}`;
    }
  }
  return undefined;
}

/** True if no question at all is covered. */
export function declaresNothing(declared: Declared): boolean {
  return Object.values(declared).every((choices) =>
    Object.values(choices).some((values) => values.length === 0),
  );
}

export const NOTHING_DECLARED =
  "Nothing is declared: list in `declared` (src/implementation.ts) what `implementation` answers.";
