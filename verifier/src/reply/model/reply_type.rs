//! The types of a reply, with their spellings, as `contracts/reply/tables/types.json` states them.
//!
//! Spec: Canonical Reply System Architecture (Final), 3 and 9; ruling RE-4.

reply_types_letter! {
    /// What a reply means.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ReplyType
}

impl ReplyType {
    /// The letter.
    #[must_use]
    pub fn letter(self) -> &'static str {
        self.row().letter
    }

    /// The name in lower case: method of the builder, canonical status (ruling RE-4).
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether its construction freezes the builder (10, Terminal Semantics).
    #[must_use]
    pub fn is_terminal(self) -> bool {
        self.row().terminal
    }

    /// What an agent does, as the table spells it.
    pub(crate) fn calls_for(self) -> &'static str {
        self.row().action
    }

    /// A code of this type that the specification shows.
    pub(crate) fn example(self) -> Option<&'static str> {
        self.row().example
    }

    /// The type of this name, in lower case.
    #[must_use]
    pub fn from_name(text: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name().as_bytes() == text)
    }
}
