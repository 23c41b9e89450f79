/** Who is put to the test: the implementation of this project, or a program that speaks ATP/1. */

import type { Declaration, Implementation } from "./interface.js";

export interface Subject {
  readonly declared: Declaration;
  readonly implementation: Implementation;
  /** Ends what was started for it. */
  close(): Promise<void>;
}

let shared: Promise<Subject> | undefined;
let users = 0;

/** The subject of this process: all laws that it runs ask the same one, and the last of them ends it. */
export async function chooseSubject(): Promise<Subject> {
  users += 1;
  const { declared, implementation, close } = await (shared ??= start());
  return {
    declared,
    implementation,
    close: async () => {
      users -= 1;
      if (users === 0) {
        shared = undefined;
        await close();
      }
    },
  };
}

/**
 * `ASSIZE_ADAPTER` holds the command of a program as a JSON array; without it the implementation is
 * the subject.
 */
async function start(): Promise<Subject> {
  const command = process.env["ASSIZE_ADAPTER"];
  if (command === undefined) {
    const { declared, implementation } = await import("../implementation.js");
    return { declared, implementation, close: async () => undefined };
  }
  const { Adapter } = await import("../adapter.js");
  return Adapter.start(parseCommand(command));
}

function parseCommand(text: string): readonly string[] {
  const command: unknown = JSON.parse(text);
  if (!Array.isArray(command) || !command.every((part) => typeof part === "string")) {
    throw new Error(`ASSIZE_ADAPTER is a JSON array of strings, and not ${text}`);
  }
  return command as string[];
}
