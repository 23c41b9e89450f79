// The verifier itself: a WebAssembly module without imports, which every question goes to.

/** An instance keeps what memory it ever had; one that has more than this is not used again. */
const KEPT_BYTES = 64 * 1024 * 1024;

let compiled;
let kept;

/** Compiles the module, which the page holds packed. */
async function compileCore(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  compiled = await WebAssembly.compile(await new Response(plain).arrayBuffer());
}

/** The answer to a frame, which is handed over in parts. */
function answered(parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let said;
  try {
    // What a trap leaves behind is of no further use.
    const exports = kept ?? new WebAssembly.Instance(compiled, {}).exports;
    kept = undefined;
    const place = exports.assize_allocate(length) >>> 0;
    if (place !== 0) {
      const frame = new Uint8Array(exports.memory.buffer, place, length);
      let at = 0;
      for (const part of parts) {
        frame.set(part, at);
        at += part.length;
      }
      const where = BigInt.asUintN(64, exports.assize_answer());
      // The memory may have grown, which leaves an old view empty.
      said = new Uint8Array(exports.memory.buffer, Number(where >> 32n), Number(where & 0xffff_ffffn)).slice();
      kept = exports.memory.buffer.byteLength > KEPT_BYTES ? undefined : exports;
    }
  } catch (error) {
    throw new Trouble(`the verifier broke, which is a lack of memory or a fault of it (${error}); ${LESS}`);
  }
  if (said === undefined) {
    throw new Trouble(`the question has ${bytesInWords(length)}, more than is taken; ${LESS}`);
  }
  return said;
}
