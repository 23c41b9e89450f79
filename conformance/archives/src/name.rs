//! Names of members.

use std::borrow::Cow;

/// What the name of a member says about where it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// There, without detours; empty for the top.
    At(String),
    /// There, as far as it can be told, under a name that is no text.
    Odd(String),
    /// Wherever the one who unpacks it takes it to be: this is the name.
    Elsewhere(String),
}

impl Named {
    /// Reads a name in which `/` stands between folders.
    pub(crate) fn of(name: &[u8]) -> Self {
        let text = String::from_utf8_lossy(name);
        let names = || text.split('/').filter(|name| !matches!(*name, "" | "."));
        if name.first() == Some(&b'/') || names().any(|name| name == "..") {
            return Self::Elsewhere(text.into_owned());
        }
        let path = names().collect::<Vec<_>>().join("/");
        match text {
            Cow::Borrowed(text) if !text.contains('\0') => Self::At(path),
            _ => Self::Odd(path),
        }
    }

    /// What is written of it.
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::At(path) | Self::Odd(path) | Self::Elsewhere(path) => path,
        }
    }

    /// The same for archives of systems in which `\` stands between folders too.
    pub(crate) fn of_any_system(name: &str) -> Self {
        if name.contains('\\') { Self::Elsewhere(name.to_owned()) } else { Self::of(name.as_bytes()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_told_from_detours() {
        for (name, path) in [("./a/./b/", "a/b"), ("a//b", "a/b"), ("./", ""), ("a/..b", "a/..b"), ("c:\\x", "c:\\x")] {
            assert_eq!(Named::of(name.as_bytes()), Named::At(path.to_owned()), "{name}");
        }
        for name in ["/a", "../a", "a/../b", "a/.."] {
            assert_eq!(Named::of(name.as_bytes()), Named::Elsewhere(name.to_owned()), "{name}");
        }
        assert_eq!(Named::of_any_system("a\\..\\b"), Named::Elsewhere("a\\..\\b".to_owned()));
        assert_eq!(Named::of(b"a/\xff"), Named::Odd("a/\u{fffd}".to_owned()));
        assert_eq!(Named::of(b"a/\0"), Named::Odd("a/\0".to_owned()));
    }
}
