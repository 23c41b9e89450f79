//! Where a scenario may stop a promotion.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 7; ruling KE-42.

/// A named point of promotion at which a scenario may stop it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashPoint {
    /// While what changes is written.
    Build,
    /// After the last file of that.
    BeforeSwitch,
    /// When it is decided, and nothing is in place yet.
    BetweenRenames,
    /// With everything in place.
    AfterSwitch,
    /// Before anything is removed.
    BeforeCleanup,
}

impl CrashPoint {
    /// Every point, in order.
    pub const ALL: [Self; 5] =
        [Self::Build, Self::BeforeSwitch, Self::BetweenRenames, Self::AfterSwitch, Self::BeforeCleanup];

    /// The name in scenarios.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::BeforeSwitch => "before-switch",
            Self::BetweenRenames => "between-renames",
            Self::AfterSwitch => "after-switch",
            Self::BeforeCleanup => "before-cleanup",
        }
    }

    /// The point of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|point| point.name() == name)
    }
}
