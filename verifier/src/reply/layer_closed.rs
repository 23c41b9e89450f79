//! The four layers, which no configuration adds to.
//!
//! Spec: Canonical Reply System Architecture (Final), 4; ruling RE-16.

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The world adapter.
    Wa,
    /// Enforcement.
    En,
    /// The contract lifecycle.
    Ct,
    /// The server itself.
    Mcp,
}

impl Layer {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Wa, Self::En, Self::Ct, Self::Mcp];

    /// The spelling in codes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wa => "WA",
            Self::En => "EN",
            Self::Ct => "CT",
            Self::Mcp => "MCP",
        }
    }

    /// The layer of this name.
    #[must_use]
    pub fn from_name(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|layer| layer.name() == text)
    }
}
