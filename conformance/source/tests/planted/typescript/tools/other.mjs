// Names that look alike and are something else.
class Console {
  info(text) {
    return { text };
  }

  fail(text) {
    throw new Error(text);
  }
}

export const schema = {
  status: { type: "string" },
  reply_type: { enum: ["S", "I", "D", "E"] },
  meta: { type: "object" },
};

export function show(console, buffers) {
  console.info("fine");
  const rb = [1, 2];
  rb.error;
  for (const rb of buffers) rb.read();
  const status = { status: "success", data: {} };
  return status;
}

export { Console };
