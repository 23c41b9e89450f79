//! The tables of the reference profile: types, keys of links, relationships, raw-id tokens.
//!
//! Spec: ruling KE-3: the key table, the relationships, the raw-id tokens.

/// A type of triplet that the profile knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DtoType {
    Invocation,
    ValidationResult,
}

/// What a key of links holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Container {
    /// A single reference.
    One,
    /// An array of references.
    Many,
}

/// A key of links.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyRule {
    pub(crate) name: &'static str,
    pub(crate) container: Container,
    /// The type of the references under it.
    pub(crate) target: &'static str,
}

impl KeyRule {
    const fn one(name: &'static str) -> Self {
        Self { name, container: Container::One, target: name }
    }

    const fn many(name: &'static str, target: &'static str) -> Self {
        Self { name, container: Container::Many, target }
    }
}

/// The keys, and the types whose links may have them.
const KEYS: [(KeyRule, &[DtoType]); 7] = [
    (KeyRule::one("skill"), &DtoType::ALL),
    (KeyRule::one("entrypoint"), &DtoType::ALL),
    (KeyRule::one("validation_result"), &[DtoType::Invocation]),
    (KeyRule::one("tool_profile"), &[DtoType::ValidationResult]),
    (KeyRule::one("invocation"), &[DtoType::ValidationResult]),
    (KeyRule::many("artifacts", "artifact"), &[DtoType::ValidationResult]),
    (KeyRule::many("trace_events", "trace_event"), &DtoType::ALL),
];

impl DtoType {
    pub(crate) const ALL: [Self; 2] = [Self::Invocation, Self::ValidationResult];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Invocation => "invocation",
            Self::ValidationResult => "validation_result",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The keys that its links may have.
    pub(crate) fn keys(self) -> impl Iterator<Item = KeyRule> {
        KEYS.into_iter().filter(move |(_, types)| types.contains(&self)).map(|(rule, _)| rule)
    }
}

/// A relationship that a reference may name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relationship {
    pub(crate) name: &'static str,
    /// At most one reference of a triplet has it.
    pub(crate) once: bool,
    pub(crate) sources: &'static [DtoType],
    pub(crate) targets: &'static [&'static str],
}

impl Relationship {
    pub(crate) const ALL: [Self; 5] = [
        Self {
            name: "declares",
            once: true,
            sources: &DtoType::ALL,
            targets: &["skill", "entrypoint", "tool_profile"],
        },
        Self { name: "derives_from", once: false, sources: &[DtoType::ValidationResult], targets: &["artifact"] },
        Self { name: "validates", once: true, sources: &[DtoType::ValidationResult], targets: &["invocation"] },
        Self { name: "produces", once: false, sources: &DtoType::ALL, targets: &["trace_event"] },
        Self { name: "causes", once: false, sources: &DtoType::ALL, targets: &["trace_event", "artifact"] },
    ];
}

/// Names that carry an id of the host's own.
pub(crate) const RAW_IDS: [&str; 9] = [
    "skill_id",
    "entrypoint_id",
    "validation_result_id",
    "invocation_id",
    "artifact_id",
    "trace_event_id",
    "tool_profile_id",
    "workspace_id",
    "pending_gate_request_id",
];
