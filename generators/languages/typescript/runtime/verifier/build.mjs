/** Compiles the package twice, for `import` and for `require`, with the core's bytes in a module. */

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const top = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const at = (path) => join(top, path);

rmSync(at("dist"), { recursive: true, force: true });
const core = readFileSync(at("core/assize-core.wasm")).toString("base64");
writeFileSync(at("src/verifier/core-bytes.ts"), `export const CORE: string = "${core}";\n`);
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
for (const project of ["tsconfig.json", "tsconfig.cjs.json"]) {
  execFileSync(process.execPath, [tsc, "--project", at(project)], { stdio: "inherit" });
}
writeFileSync(at("dist/cjs/package.json"), '{ "type": "commonjs" }\n');
