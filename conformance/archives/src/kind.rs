//! Kinds of archives, by the endings of their names.

/// How an archive is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.tar`.
    Tar,
    /// `.tar.gz` or `.tgz`.
    TarGz,
    /// `.tar.zst` or `.tzst`.
    TarZst,
    /// `.zip`.
    Zip,
}

/// The endings that tell, in small letters.
const ENDINGS: [(&str, Kind); 6] = [
    (".tar", Kind::Tar),
    (".tar.gz", Kind::TarGz),
    (".tgz", Kind::TarGz),
    (".tar.zst", Kind::TarZst),
    (".tzst", Kind::TarZst),
    (".zip", Kind::Zip),
];

impl Kind {
    /// What a file of this name is taken for; none where it is no archive.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        let ends = |ending: &str| {
            let tail = name.len().checked_sub(ending.len()).and_then(|at| name.as_bytes().get(at..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(ending.as_bytes()))
        };
        ENDINGS.into_iter().find(|(ending, _)| ends(ending)).map(|(_, kind)| kind)
    }
}
