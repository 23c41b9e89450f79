"""The stages of a turn in their order, which the specifications of two systems share. A second source reads them from here."""

STAGES = (
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
)
