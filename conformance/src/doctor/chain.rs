//! How a testee may have come to its receipt of a session: the usual mistakes, computed.
//!
//! Contract: `contracts/interface/protocol.md`, Receipts. A recipe that gives the stated value explains it; if none
//! does, nothing is guessed.

use assize_verifier::digest::Digest;

/// One reply, in the order in which replies were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) id: String,
    /// `accept`, `reject`, `fault` or `unsupported`.
    pub(super) word: &'static str,
}

impl Entry {
    fn counts(&self) -> bool {
        matches!(self.word, "accept" | "reject")
    }
}

/// Which replies go into a chain, and in which order.
#[derive(Clone, Copy)]
enum Links {
    Answers,
    Everything,
    Sorted,
    AsAsked,
    Accepts,
    AllButFirst,
    AllButLast,
}

/// How a chain is computed.
#[derive(Clone, Copy)]
struct Recipe {
    start: &'static [u8],
    between: &'static str,
    behind: &'static str,
    links: Links,
    /// The earlier link goes in as 32 bytes and not as 64 digits.
    raw: bool,
    upper: bool,
    always_accept: bool,
    /// Places of chain, id and verdict.
    order: [usize; 3],
}

const RIGHT: Recipe = Recipe {
    start: &[b'0'; 64],
    between: "\n",
    behind: "",
    links: Links::Answers,
    raw: false,
    upper: false,
    always_accept: false,
    order: [0, 1, 2],
};

const WRONG: [(&str, Recipe); 17] = [
    ("it begins with an empty text; begin with 64 times the digit 0", Recipe { start: b"", ..RIGHT }),
    (
        "it hashes the 32 bytes of the earlier link; hash its 64 hexadecimal digits as text",
        Recipe { start: &[0; 32], raw: true, ..RIGHT },
    ),
    ("it begins with 32 zero bytes; begin with 64 times the digit 0", Recipe { start: &[0; 32], ..RIGHT }),
    ("it puts nothing between the three parts; put a line feed there", Recipe { between: "", ..RIGHT }),
    ("it puts a space between the three parts; put a line feed there", Recipe { between: " ", ..RIGHT }),
    (
        "it writes || between the three parts; that stands for joining: put a line feed there",
        Recipe { between: "||", ..RIGHT },
    ),
    ("it puts CR LF between the three parts; put a line feed alone", Recipe { between: "\r\n", ..RIGHT }),
    ("it adds a line feed at the end; only between the three parts", Recipe { behind: "\n", ..RIGHT }),
    ("it writes the links in upper case; use lower case", Recipe { upper: true, ..RIGHT }),
    ("it joins chain, verdict and id; the order is chain, id, verdict", Recipe { order: [0, 2, 1], ..RIGHT }),
    ("it joins id, verdict and chain; the order is chain, id, verdict", Recipe { order: [1, 2, 0], ..RIGHT }),
    ("it chains every verdict as accept; chain the word that stands in `is`", Recipe { always_accept: true, ..RIGHT }),
    ("it takes in `fault` and `unsupported`; only `answer` frames count", Recipe { links: Links::Everything, ..RIGHT }),
    ("it leaves rejections out; a rejection is an answer", Recipe { links: Links::Accepts, ..RIGHT }),
    (
        "it takes the answers in the order of their ids; take the order of writing",
        Recipe { links: Links::Sorted, ..RIGHT },
    ),
    (
        "it takes the answers in the order of the questions; take the order of writing",
        Recipe { links: Links::AsAsked, ..RIGHT },
    ),
    ("it leaves the first answer out", Recipe { links: Links::AllButFirst, ..RIGHT }),
];

/// What a testee has to state: answers written, and their chain.
pub(super) fn owed(history: &[Entry]) -> (u64, String) {
    let served = history.iter().filter(|entry| entry.counts()).count();
    (u64::try_from(served).unwrap_or(u64::MAX), compute(&RIGHT, history, &[]))
}

/// Where a goodbye is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// What was said, and what should have been said.
    pub(super) observed: String,
    /// How that may have come about, with the remedy.
    pub(super) mistake: String,
}

/// What is wrong with a receipt; nothing when it is right. `asked` are the ids in the order of their questions.
pub(super) fn differences(history: &[Entry], asked: &[String], served: u64, chain: &str) -> Vec<Difference> {
    let (count, link) = owed(history);
    let mut found = Vec::new();
    if served != count {
        let observed = format!("served is {served}, and {count} was owed");
        found.push(Difference { observed, mistake: miscounted(history, asked, served).to_owned() });
    }
    if chain != link {
        let observed = format!("chain is {chain:?}, the answers give {link:?}");
        found.push(Difference { observed, mistake: explained(history, asked, chain, &link) });
    }
    found
}

fn miscounted(history: &[Entry], asked: &[String], served: u64) -> &'static str {
    let is = |count: usize| u64::try_from(count) == Ok(served);
    let answers = history.iter().filter(|entry| entry.counts()).count();
    if is(history.len()) || is(asked.len()) {
        "it counts `fault` or `unsupported` too; only `answer` frames count"
    } else if is(history.iter().filter(|entry| entry.word == "accept").count()) {
        "it does not count rejections; a rejection is an answer"
    } else if is(answers + 1) {
        "it counts one too many; start at 0 and count each answer once, and neither hello nor bye"
    } else {
        "count each `answer` frame once, as it is written"
    }
}

fn explained(history: &[Entry], asked: &[String], chain: &str, link: &str) -> String {
    if chain.eq_ignore_ascii_case(link) {
        return "it is in upper case; write lower case".to_owned();
    }
    if chain.strip_prefix("sha256:") == Some(link) {
        return "it has a prefix; write the 64 digits alone".to_owned();
    }
    if chain == "0".repeat(64) {
        return "it was never carried on; add each answer as it is written".to_owned();
    }
    if !history.iter().any(Entry::counts) {
        return "no answer was written: it begins as 64 times the digit 0 and stays so until there is one".to_owned();
    }
    let last = [(
        "it leaves the last answer out; add an answer before bye is answered",
        Recipe { links: Links::AllButLast, ..RIGHT },
    )];
    let mut recipes = WRONG.iter().chain(&last);
    match recipes.find(|(_, recipe)| compute(recipe, history, asked).eq_ignore_ascii_case(chain)) {
        Some((mistake, _)) => (*mistake).to_owned(),
        None => "no usual mistake gives this; each link is SHA-256 of the earlier link, the id and `is`, as UTF-8 text with \
                 a line feed between the three, and only frames that were written count"
            .to_owned(),
    }
}

fn compute(recipe: &Recipe, history: &[Entry], asked: &[String]) -> String {
    let answers = || history.iter().filter(|entry| entry.counts());
    let mut links: Vec<&Entry> = match recipe.links {
        Links::Everything => history.iter().collect(),
        Links::Accepts => answers().filter(|entry| entry.word == "accept").collect(),
        _ => answers().collect(),
    };
    match recipe.links {
        Links::Sorted => links.sort_by(|a, b| a.id.cmp(&b.id)),
        Links::AsAsked => links.sort_by_key(|entry| asked.iter().position(|id| *id == entry.id)),
        Links::AllButFirst => links = links.into_iter().skip(1).collect(),
        Links::AllButLast => drop(links.pop()),
        _ => {}
    }
    let (mut link, mut shown) = (recipe.start.to_vec(), String::from_utf8_lossy(recipe.start).into_owned());
    for entry in links {
        let word = if recipe.always_accept { "accept" } else { entry.word };
        let parts = [link.as_slice(), entry.id.as_bytes(), word.as_bytes()];
        let parts = recipe.order.map(|place| parts.get(place).copied().unwrap_or_default());
        let mut text = parts.join(recipe.between.as_bytes());
        text.extend_from_slice(recipe.behind.as_bytes());
        let digest = Digest::of(&text);
        shown = if recipe.upper { digest.to_hex().to_uppercase() } else { digest.to_hex() };
        link = if recipe.raw { raw(&shown) } else { shown.clone().into_bytes() };
    }
    shown
}

/// The bytes that hexadecimal digits stand for.
fn raw(digits: &str) -> Vec<u8> {
    let nibbles: Vec<u8> = digits.chars().filter_map(|digit| digit.to_digit(16)?.try_into().ok()).collect();
    nibbles.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, nibble| byte << 4 | nibble)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Chain;

    fn history() -> (Vec<Entry>, Vec<String>) {
        let entries =
            [("k-2", "accept"), ("k-9", "fault"), ("k-1", "reject"), ("k-5", "unsupported"), ("k-4", "accept")];
        let history = entries.map(|(id, word)| Entry { id: id.to_owned(), word }).to_vec();
        (history, ["k-2", "k-9", "k-4", "k-5", "k-1"].map(str::to_owned).to_vec())
    }

    #[test]
    fn the_right_recipe_is_that_of_the_protocol() {
        let (history, asked) = history();
        let mut chain = Chain::default();
        for (id, word) in [("k-2", "accept"), ("k-1", "reject"), ("k-4", "accept")] {
            chain.add(id, word);
        }
        assert_eq!(owed(&history), (3, chain.link().to_owned()));
        assert_eq!(differences(&history, &asked, 3, chain.link()), []);
        assert_eq!(differences(&[], &[], 0, &"0".repeat(64)), []);
    }

    #[test]
    fn every_mistake_is_told_from_every_other() {
        let (history, asked) = history();
        for (mistake, recipe) in &WRONG {
            let chain = compute(recipe, &history, &asked);
            let found = differences(&history, &asked, 3, &chain);
            assert_eq!(found.iter().map(|one| one.mistake.as_str()).collect::<Vec<_>>(), [*mistake]);
        }
    }

    #[test]
    fn counts_and_spellings() {
        let (history, asked) = history();
        let (_, link) = owed(&history);
        for (served, chain, says) in [
            (5, link.clone(), "only `answer` frames count"),
            (2, link.clone(), "a rejection is an answer"),
            (4, link.clone(), "counts one too many"),
            (3, link.to_uppercase(), "write lower case"),
            (3, format!("sha256:{link}"), "a prefix"),
            (3, "0".repeat(64), "never carried on"),
            (3, "f".repeat(64), "no usual mistake"),
        ] {
            let found = differences(&history, &asked, served, &chain);
            assert!(found.len() == 1 && found[0].mistake.contains(says), "{says}: {found:?}");
        }
    }

    #[test]
    fn raw_links_are_bytes() {
        assert_eq!(raw("00ff1a"), [0, 255, 26]);
    }

    #[test]
    fn a_chain_without_answers_has_its_beginning() {
        let found = differences(&[], &[], 0, "");
        assert!(found.len() == 1 && found[0].mistake.contains("64 times"), "{found:?}");
    }
}
