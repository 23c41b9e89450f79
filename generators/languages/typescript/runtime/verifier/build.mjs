/** Compiles the package twice, for `import` and for `require`, with the core's bytes in a module. */

import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(at("dist"), { recursive: true, force: true });
const core = readFileSync(at("core/assize-core.wasm")).toString("base64");
writeFileSync(at("src/verifier/core-bytes.ts"), `export const CORE: string = "${core}";\n`);
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
for (const project of ["tsconfig.json", "tsconfig.cjs.json"]) {
  execFileSync(process.execPath, [tsc, "--project", at(project)], { stdio: "inherit" });
}
writeFileSync(at("dist/cjs/package.json"), '{ "type": "commonjs" }\n');
