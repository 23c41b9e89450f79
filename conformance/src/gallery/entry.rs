//! One implementation in one version, with its report.

use std::{cmp::Ordering, path::Path};

use serde::Serialize;

use super::{GalleryError, stored::Asked};
use crate::{
    bench::{Again, Kept, State},
    clean::clean,
    report::{Grade, badge, view::Verdict},
};

/// What is said in the place of a violation of an implementation whose makers claim something else.
pub(super) const DIFFERS: &str = "differs";

/// A kept result that has been read.
pub(super) struct Entry<'k> {
    pub(super) kept: &'k Kept,
    /// Where it is kept.
    pub(super) file: &'k Path,
    /// Its report, if it was judged.
    pub(super) asked: Option<Asked>,
    slug: String,
}

/// What every page says of an implementation.
#[derive(Serialize)]
pub(super) struct Name {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) language: String,
    pub(super) claims: Option<String>,
    pub(super) bound: bool,
    pub(super) page: String,
    pub(super) word: &'static str,
    /// For style sheets.
    pub(super) class: &'static str,
    pub(super) date: String,
}

impl<'k> Entry<'k> {
    pub(super) fn read(file: &'k Path, kept: &'k Kept) -> Result<Self, GalleryError> {
        let broken = |why: String| {
            let label = kept.implementation.label();
            let again = Again { table: &kept.table, options: &kept.options, label: &label }.everything();
            GalleryError::Report { file: file.to_owned(), label: clean(&label).into_owned(), why, again }
        };
        let slug = kept.implementation.slug();
        if kept.implementation.name.is_empty() || slug.is_empty() {
            return Err(broken("the implementation has no name that a page could have".to_owned()));
        }
        let asked = match (kept.state, &kept.report) {
            (State::Judged, Some(report)) => Some(Asked::parse(&report.to_string()).map_err(broken)?),
            (State::Judged, None) => return Err(broken("it was judged, and there is none".to_owned())),
            _ => None,
        };
        Ok(Self { kept, file, asked, slug })
    }

    /// By name, then the newest version first.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let (one, two) = (&self.kept.implementation, &other.kept.implementation);
        let names = one.name.to_lowercase().cmp(&two.name.to_lowercase()).then_with(|| one.name.cmp(&two.name));
        // Libraries of two languages may have one name.
        let names = names.then_with(|| one.language.cmp(&two.language));
        names.then_with(|| natural(&two.version, &one.version)).then_with(|| self.slug.cmp(&other.slug))
    }

    /// Whether another is a version of the same.
    pub(super) fn is_of(&self, other: &Self) -> bool {
        let (one, two) = (&self.kept.implementation, &other.kept.implementation);
        (&one.name, &one.language) == (&two.name, &two.language)
    }

    /// Name and version.
    pub(super) fn label(&self) -> String {
        let implementation = &self.kept.implementation;
        clean(format!("{} {}", implementation.name, implementation.version).trim_end()).into_owned()
    }

    /// Paths below the folder of the index.
    pub(super) fn page(&self) -> String {
        format!("implementations/{}.html", self.slug)
    }

    pub(super) fn badge(&self) -> String {
        format!("badges/{}.svg", self.slug)
    }

    pub(super) fn result(&self) -> String {
        format!("results/{}.json", self.slug)
    }

    /// The grade, or why there is none.
    pub(super) fn word(&self) -> &'static str {
        match (self.kept.state, &self.asked) {
            (State::NotInstalled, _) => "not installed",
            (_, Some(asked)) => self.said(asked.word()),
            _ => "not judged",
        }
    }

    /// A grade as it is said of this implementation: one whose makers claim something else violates nothing.
    pub(super) fn said(&self, grade: &'static str) -> &'static str {
        if grade == Grade::Violates.name() && !self.kept.implementation.bound { DIFFERS } else { grade }
    }

    /// What a style sheet calls the grade.
    pub(super) fn class(&self) -> &'static str {
        match self.word() {
            "conforms strictly" | "conforms" => "conforms",
            "violates" => "violates",
            _ => "incomplete",
        }
    }

    pub(super) fn name(&self) -> Name {
        let implementation = &self.kept.implementation;
        Name {
            name: clean(&implementation.name).into_owned(),
            version: clean(&implementation.version).into_owned(),
            language: clean(&implementation.language).into_owned(),
            claims: implementation.claims.as_deref().map(|claims| clean(claims).into_owned()),
            bound: implementation.bound,
            page: self.page(),
            word: self.word(),
            class: self.class(),
            date: self.date(),
        }
    }

    /// The day on which it was judged.
    pub(super) fn date(&self) -> String {
        let judged = &self.kept.judged;
        clean(judged.split('T').next().unwrap_or(judged)).into_owned()
    }

    /// Its badge: what the badge of its report says, and that it claims nothing where it claims nothing.
    pub(super) fn drawing(&self) -> String {
        let asked = self.asked.as_ref().filter(|asked| Verdict::from(asked.result.grade).name() == self.class());
        let (mut said, colour) = match asked {
            Some(asked) => badge::said(asked.result.grade, asked.result.totals),
            None => (self.word().to_owned(), badge::UNDECIDED),
        };
        if self.kept.implementation.claims.is_none() && asked.is_some() {
            said.push_str(" (no claim)");
        }
        badge::draw("assize", &said, colour)
    }

    /// The grade of a law: nothing where what answered is not the implementation.
    pub(super) fn grade(&self, law: &str) -> Option<Grade> {
        let asked = self.asked.as_ref().filter(|asked| asked.usable())?;
        Some(asked.law(law)?.grade)
    }

    /// The command that installs it and asks it everything again.
    pub(super) fn again(&self) -> String {
        self.command(&self.kept.implementation.label()).everything()
    }

    /// The command that installs it and asks it one case.
    pub(super) fn alone(&self, case: &str) -> String {
        self.command(&self.kept.implementation.label()).alone(case)
    }

    fn command<'a>(&'a self, label: &'a str) -> Again<'a> {
        Again { table: &self.kept.table, options: &self.kept.options, label }
    }
}

/// Versions as people order them: runs of digits as numbers. A release comes after what leads to it.
fn natural(one: &str, two: &str) -> Ordering {
    let (mut one, mut two) = (pieces(one).into_iter(), pieces(two).into_iter());
    loop {
        let ordering = match (one.next(), two.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(rest)) => return if rest.is_number() { Ordering::Less } else { Ordering::Greater },
            (Some(rest), None) => return if rest.is_number() { Ordering::Greater } else { Ordering::Less },
            (Some(one), Some(two)) => one.cmp(&two),
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
}

/// A run of digits, by length and then by its digits, or of anything else.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'v> {
    Word(&'v str),
    Number(usize, &'v str),
}

impl Piece<'_> {
    fn is_number(&self) -> bool {
        matches!(self, Self::Number(..))
    }
}

fn pieces(version: &str) -> Vec<Piece<'_>> {
    let parts = version.split(|letter: char| !letter.is_ascii_alphanumeric());
    let runs = parts.flat_map(|part| part.as_bytes().chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()));
    runs.filter_map(|run| std::str::from_utf8(run).ok())
        .map(|run| match run.trim_start_matches('0') {
            digits if run.bytes().all(|byte| byte.is_ascii_digit()) => Piece::Number(digits.len(), digits),
            _ => Piece::Word(run),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_as_people_do() {
        let ordered =
            ["", "0.9", "1.0.0-alpha", "1.0.0-beta.2", "1.0.0-beta.10", "1.0.0", "1.0.1", "1.2", "1.10", "2026.11"];
        for pair in ordered.windows(2) {
            assert_eq!(natural(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(natural(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        assert_eq!(natural("1.02", "1.2"), Ordering::Equal);
    }
}
