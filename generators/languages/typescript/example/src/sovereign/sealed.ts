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

/** Contract 2: the registered codes with the stage that each belongs to. */
export const SEALED_CODES = {
  contract_version: "kernel_api/v1",
  codes: {
    E_SIDE_EFFECT_UNDECLARED: { stage: "capability" },
    E_CAPABILITY_DENIED: { stage: "capability" },
    E_PERMISSION_DENIED: { stage: "capability" },
    E_CAPABILITY_NOT_RESOLVED: { stage: "capability" },
    I_CAPABILITY_SKIPPED: { stage: "capability" },
    E_CANONICALIZATION_ERROR: { stage: "determinism" },
    E_REPLAY_INPUT_MISSING: { stage: "replay" },
    E_REPLAY_VERSION_MISMATCH: { stage: "replay" },
    E_REPLAY_EQUIVALENCE_FAILED: { stage: "replay" },
    E_REGISTRY_DIGEST_MISMATCH: { stage: "replay" },
  },
} as const;
