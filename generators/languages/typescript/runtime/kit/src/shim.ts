/**
 * Serves the implementation over ATP/1, on standard input and output: `assize certify -- node
 * dist/shim.js`.
 */

import { readFileSync } from "node:fs";

import {
  declaresNothing,
  NOTHING_DECLARED,
  plain,
  type ImplementationModule,
} from "./conformance/declaration.js";
import { Session, type Identity } from "./conformance/session.js";

const NOT_USABLE = 2;

// Standard output is the protocol's alone. What an implementation prints, from its first import on,
// goes to standard error.
const protocol = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

const module: ImplementationModule = await import("./implementation.js");
const { declared, implementation, capabilities = {} } = module;
const promises = plain(declared);
if (declaresNothing(promises)) {
  console.error(NOTHING_DECLARED);
  process.exit(NOT_USABLE);
}
const session = new Session(identity(), promises, capabilities, implementation, (line) =>
  protocol(`${line}\n`),
);
process.exitCode = await session.run(process.stdin);
process.stdin.destroy();

function identity(): Identity {
  const file = new URL("../package.json", import.meta.url);
  const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Partial<Identity>;
  return { name: name ?? "", version: version ?? "" };
}
