export { ReplyBuilder, Reply } from "./builder.js";
export * from "./wrapper.js";
