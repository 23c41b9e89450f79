export class ReplyRegistry {
  constructor(readonly codes: readonly string[]) {}
}

export const canonical = new ReplyRegistry(["WA-RES-I-001"]);
export const legacy = new ReplyRegistry(["WA-RES-I-001"]); // fault: reply/single-registry
