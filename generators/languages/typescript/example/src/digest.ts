import { createHash } from "node:crypto";

/** SHA-256 as 64 lower-case hexadecimal digits; of a string, of its UTF-8 bytes. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** ECMA-262 anchors: unlike Python's, `$` does not match before a final line feed. */
const DIGEST = /^[a-f0-9]{64}$/;

export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}
