/** Contract 1 of the specification: the stages in their order. */
export const SEALED_STAGES = [
  "base_shape",
  "dto_links",
  "relationship_vocabulary",
  "policy",
  "determinism",
  "ci",
  "lsi",
  "promotion",
  "capability",
  "replay",
] as const;
