//! Other names for what an operation only compares: ids, names of files, times.
//!
//! Every name of a group gets the same new beginning, so that names stay as equal, as different and in the same order as they
//! were. A group is left alone unless all its names are plain words that stand nowhere else in the case.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    digests::{self, Digests, settle},
    draft::{Draft, Seat},
    random::Random,
    tree::{Text, Tree},
};
use crate::vector::{Case, Place, Verdict};

/// Members whose strings are names of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The members (or the arrays below members, or arguments) in which the names stand.
    pub(super) members: &'static [&'static str],
    /// Whether the names are those of files in the case's folder too.
    pub(super) files: bool,
    /// Whether the names also stand as names of members, and as segments of paths.
    pub(super) everywhere: bool,
    /// The member whose own members have the names.
    pub(super) below: Option<&'static str>,
}

impl Group {
    pub(super) const fn of(members: &'static [&'static str]) -> Self {
        Self { members, files: false, everywhere: false, below: None }
    }
}

/// Members that hold words of a specification: a name that is one of them is not renamed.
const WORDS: [&str; 16] = [
    "stage_name",
    "surface",
    "status",
    "outcome",
    "level",
    "stage",
    "code",
    "reason_code",
    "kind",
    "type",
    "law",
    "severity",
    "op",
    "dto_type",
    "relationship",
    "contract_version",
];

/// The case with other names for a choice of these groups, and every digest and output that follows.
///
/// An expected digest that no value of the case has is only let pass below the members `free`: those that cover nothing that is
/// renamed.
pub(super) fn rename(base: &Case, groups: &[Group], free: &[&str], random: &mut Random) -> Option<Case> {
    let original = Draft::of(base)?;
    let mut names = Names::default();
    for group in groups {
        let found = collect(&original, group, false);
        if found.is_empty() || !found.iter().all(|name| is_plain(name, group)) {
            continue;
        }
        if names.new.keys().any(|known| found.contains(known)) {
            // One word for two things: which of them a place means could not be told.
            return None;
        }
        let stands_elsewhere = found.iter().any(|name| elsewhere(&original, base, group, name));
        if stands_elsewhere || (random.once_in(4) && !names.new.is_empty()) {
            continue;
        }
        let length = random.from(2, 5);
        let beginning = format!("{}{}", random.word(length), if group.files { "" } else { "-" });
        names.new.extend(found.iter().map(|name| (name.clone(), format!("{beginning}{name}"))));
    }
    // A place that names what is renamed would lose its force.
    let placed = |(place, _): (&Place, _)| place.text.split('/').any(|part| names.new.contains_key(part));
    if names.new.is_empty() || names.collide(&original) || base.force.places.iter().any(placed) {
        return None;
    }
    settled(base, &original, &names, free, &|_| Some(()))
}

/// The case with other contents, and every digest that follows. `edit` says what is otherwise, in what is asked and in what is
/// expected; what it adds to an object or an array stands after what was there.
pub(super) fn edit(base: &Case, free: &[&str], edit: &dyn Fn(&mut Draft) -> Option<()>) -> Option<Case> {
    settled(base, &Draft::of(base)?, &Names::default(), free, edit)
}

fn settled(
    base: &Case,
    original: &Draft,
    names: &Names,
    free: &[&str],
    edit: &dyn Fn(&mut Draft) -> Option<()>,
) -> Option<Case> {
    let (draft, unknown, digests) = settle(original, |digests| {
        let mut draft = names.change(original, digests)?;
        edit(&mut draft)?;
        Some(draft)
    })?;
    // A text that holds a digest among other letters has not followed it.
    let mut left = false;
    for tree in draft.trees.values() {
        let text = tree.print();
        left |= digests
            .iter()
            .any(|(old, new)| old != new && text.contains(old.as_str()) && !digests.values().any(|new| new == old));
    }
    let accepts = base.expect.is == Verdict::Accept;
    if left || !follows(original, &unknown, free, accepts) || ties(original, &digests) {
        return None;
    }
    draft.case(base)
}

/// The case with another beginning of every time, where it has any.
pub(super) fn retime(
    base: &Case,
    members: &'static [&'static str],
    free: &[&str],
    random: &mut Random,
) -> Option<Case> {
    let original = Draft::of(base)?;
    let group = Group::of(members);
    // A run that is asked with a base alone has its times in what it answers.
    let times = collect(&original, &group, true);
    let plain = |time: &String| is_plain(&time.replace('#', "-"), &group);
    if times.is_empty() || !times.iter().all(plain) || times.iter().any(|time| elsewhere(&original, base, &group, time))
    {
        return None;
    }
    let beginning = random.word(random.clone().from(3, 6));
    let names = Names { new: times.into_iter().map(|time| (time.clone(), format!("{beginning}{time}"))).collect() };
    if names.collide(&original) { None } else { settled(base, &original, &names, free, &|_| Some(())) }
}

/// The names of a group.
fn collect(draft: &Draft, group: &Group, expected_too: bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (seat, tree) in draft.trees.iter().filter(|(seat, _)| expected_too || seat.is_asked()) {
        let name = match seat {
            Seat::Argument(name) => name.as_str(),
            _ => "",
        };
        tree.each(name, &mut |name, value| {
            if group.members.contains(&name)
                && let Some(says) = value.says()
            {
                found.insert(says.to_owned());
            }
            if Some(name) == group.below {
                found.extend(value.members().iter().map(|(name, _)| name.says().to_owned()));
            }
            // Names of files stand in a list: a text in its place is not a name.
            if group.files && group.members.iter().any(|name| matches!(value.member(name), Some(Tree::Text(_)))) {
                found.insert(String::new());
            }
        });
    }
    found
}

fn is_plain(name: &str, group: &Group) -> bool {
    let lettered = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let letters =
        |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_' || (byte == b'.' && group.files);
    lettered && name.len() <= 60 && name.bytes().all(letters)
}

/// Whether a name stands where it may mean something else.
fn elsewhere(draft: &Draft, base: &Case, group: &Group, name: &str) -> bool {
    let quoted = format!("\"{name}\"");
    // What is not taken apart may spell a name with escapes.
    let holds = |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
    let in_raw = |bytes: &[u8]| holds(bytes, name.as_bytes()) || holds(bytes, b"\\u");
    let raw_files = base.files.iter().filter(|(path, _)| draft.raw_files.contains_key(*path));
    let mut found = draft.raw_documents.iter().any(|bytes| in_raw(bytes));
    for (path, entry) in raw_files {
        found |= match entry {
            crate::vector::Entry::File(document) => in_raw(&document.bytes()),
            crate::vector::Entry::Directory => false,
            _ => true,
        };
        found |= !group.everywhere && !group.files && path.split('/').any(|part| part == name);
    }
    for (seat, tree) in &draft.trees {
        let place = match seat {
            Seat::Argument(name) => name.as_str(),
            _ => "",
        };
        tree.each(place, &mut |place, value| {
            let says = value.says().unwrap_or_default();
            if seat.is_asked() {
                let within =
                    says != name && (says.split(['/', ':']).any(|part| part == name) || says.contains(&quoted));
                let member =
                    value.members().iter().any(|(text, _)| text.says().split(['/', ':']).any(|part| part == name));
                found |= says == name && !group.members.contains(&place);
                found |= !group.everywhere && (within || member);
                found |= matches!(value, Tree::Text(Text { says: None, .. }));
            }
            found |= says == name && WORDS.contains(&place);
        });
    }
    found
}

/// New names for old ones.
#[derive(Debug, Default)]
struct Names {
    new: BTreeMap<String, String>,
}

impl Names {
    /// Whether a new name stands in the case already.
    fn collide(&self, draft: &Draft) -> bool {
        let mut collides = false;
        for tree in draft.trees.values() {
            let text = tree.print();
            collides |= self.new.values().any(|name| text.contains(name.as_str()));
        }
        collides
    }

    fn change(&self, original: &Draft, digests: &Digests) -> Option<Draft> {
        let mut draft = Draft { trees: BTreeMap::new(), ..original.clone() };
        draft.raw_files = original
            .raw_files
            .iter()
            .map(|(path, entry)| (self.path(path, digests).unwrap_or_else(|| path.clone()), entry.clone()))
            .collect();
        for (seat, tree) in &original.trees {
            let mut tree = tree.clone();
            tree.each_mut("", &mut |_, value| match value {
                Tree::Text(text) => self.text(text, digests),
                Tree::Object(members) => members.iter_mut().for_each(|(name, _)| self.text(name, digests)),
                _ => {}
            });
            let output = if let Seat::Output(_, name) = seat { name } else { "" };
            tree.each_mut(output, &mut |name, value| {
                if name == "objects" && !seat.is_asked() {
                    sort(value);
                }
            });
            let seat = match seat {
                Seat::File(path) => Seat::File(self.path(path, digests).unwrap_or_else(|| path.clone())),
                other => other.clone(),
            };
            draft.trees.insert(seat, tree);
        }
        (draft.trees.len() == original.trees.len()).then_some(draft)
    }

    fn text(&self, text: &mut Text, digests: &Digests) {
        if let Some(says) = text.says.as_deref().and_then(|says| self.say(says, digests)) {
            text.say(&says);
        }
    }

    /// What a string says now, if that is something else.
    fn say(&self, says: &str, digests: &Digests) -> Option<String> {
        if let Some(name) = self.new.get(says) {
            return Some(name.clone());
        }
        if let Some(digest) = digests.get(says.strip_prefix("sha256:").unwrap_or(says)) {
            return Some(if says.starts_with("sha256:") { format!("sha256:{digest}") } else { digest.clone() });
        }
        self.path(says, digests)
    }

    /// A path, or an id after its type, with its parts renamed.
    fn path(&self, path: &str, digests: &Digests) -> Option<String> {
        const ENDS: [&str; 3] = ["", ".tombstone.json", ".json"];
        let part = |part: &str| -> String {
            for end in ENDS {
                let stem = part.strip_suffix(end).unwrap_or_default();
                if let Some(new) = self.new.get(stem).or_else(|| digests.get(stem)) {
                    return format!("{new}{end}");
                }
            }
            part.to_owned()
        };
        let mut parts: Vec<String> = Vec::new();
        let between = if path.contains('/') { '/' } else { ':' };
        for old in path.split(between) {
            let new = part(old);
            // An object lies in a folder that begins as it does.
            if let Some(folder) = parts.last_mut()
                && digests::is_digest(old)
                && old.get(..2) == Some(folder.as_str())
            {
                *folder = new.get(..2).unwrap_or_default().to_owned();
            }
            parts.push(new);
        }
        let joined = parts.join(&between.to_string());
        (joined != path).then_some(joined)
    }
}

/// Puts digests in order where they stood in order.
fn sort(value: &mut Tree) {
    if let Tree::Array(items) = value
        && items.iter().all(|item| item.says().is_some_and(digests::is_digest))
    {
        items.sort_by(|a, b| a.says().cmp(&b.says()));
    }
}

/// Members of a report's rows that repeat digests which the bundles give.
const ROWS: [&str; 2] = ["expected_digest", "actual_digest"];

/// Members that hold a digest of what is around them.
const OWN: [&str; 3] = ["env_fingerprint_hash", "record_hash", "receipt_hash"];

/// Whether every digest that is expected either follows from the case or is one that was given.
fn follows(draft: &Draft, unknown: &BTreeSet<String>, free: &[&str], accepts: bool) -> bool {
    let (mut given, mut follows) = (BTreeSet::new(), true);
    let mut floats = false;
    for tree in draft.trees.values() {
        tree.each("", &mut |_, value| {
            let number = |word: &str| word.starts_with(|first: char| first == '-' || first.is_ascii_digit());
            floats |=
                matches!(value, Tree::Word(word) if number(word) && (word.contains(['.', 'e', 'E']) || word == "-0"));
        });
    }
    for (_, tree) in draft.trees.iter().filter(|(seat, _)| seat.is_asked()) {
        tree.each("", &mut |name, value| {
            let found: Vec<_> = value.says().into_iter().flat_map(digests::in_text).collect();
            // What is refused for a payload's hash keeps its fault; a payload with floats may only be spelled otherwise.
            let own = OWN.contains(&name) || (name == "payload_hash" && (accepts || floats));
            follows &= !own || !found.iter().any(|digest| unknown.contains(*digest));
            given.extend(found);
        });
    }
    for (seat, tree) in draft.trees.iter().filter(|(seat, _)| !seat.is_asked()) {
        let output = if let Seat::Output(_, name) = seat { name } else { "" };
        tree.each(output, &mut |name, value| {
            if free.contains(&name) {
                return;
            }
            for digest in value.says().into_iter().flat_map(digests::in_text) {
                follows &= !unknown.contains(digest)
                    || digests::is_made_up(digest)
                    || (ROWS.contains(&name) && given.contains(digest));
            }
        });
    }
    follows
}

/// Whether two rows of a report are in order by digests that have become others.
fn ties(draft: &Draft, digests: &Digests) -> bool {
    const KEYS: [&str; 5] = ["turn_id", "stage_name", "ordinal", "surface", "path"];
    let mut ties = false;
    for (_, tree) in draft.trees.iter().filter(|(seat, _)| !seat.is_asked()) {
        tree.each("", &mut |name, value| {
            if name == "mismatches" && matches!(value, Tree::Array(_)) {
                let key = |row: &Tree| KEYS.map(|key| row.member(key).map(Tree::print));
                let changes = |row: &Tree| {
                    let mut changes = false;
                    row.each("", &mut |_, value| {
                        changes |= value.says().is_some_and(|says| digests.get(says).is_some_and(|new| new != says))
                    });
                    changes
                };
                let rows = value.items();
                ties |= rows.windows(2).any(|pair| match pair {
                    [a, b] => key(a) == key(b) && (changes(a) || changes(b)),
                    _ => false,
                });
            }
        });
    }
    ties
}
