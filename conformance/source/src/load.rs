//! From a file to what is known of a source.

use std::collections::HashSet;

use crate::{
    Allow, Family, Language, Names, Skipped, Source,
    allow::{self, Remark},
    cache::{self, Cache, Entry, Known},
    go, java, package, place, python,
    syntax::Module,
    typescript, walk,
};

/// A file that was read.
pub(crate) struct Text {
    name: String,
    language: Language,
    text: String,
}

/// Reads a file.
pub(crate) fn text(entry: walk::Entry, most: u64) -> Result<Text, Skipped> {
    match walk::text(&entry, most) {
        Ok(text) => Ok(Text { name: entry.name, language: entry.language, text }),
        Err(why) => Err(Skipped { file: entry.name, why }),
    }
}

/// The families of languages in which something names a builder: without one there is nothing that these laws are about.
pub(crate) fn with_builders(texts: &[Text], names: &Names) -> HashSet<Family> {
    let named = |one: &&Text| names.builders.iter().any(|name| one.text.contains(name.as_str()));
    texts.iter().filter(named).map(|one| one.language.family()).collect()
}

/// What is known of a source: what the cache holds of it, or what is read of it, which the cache may hold from then on. What belongs to a
/// family that nobody asks about is left out where that spares something.
pub(crate) fn source(
    text: Text,
    roots: &[walk::Root],
    asked: &HashSet<Family>,
    cache: Option<&Cache>,
) -> Result<(Source, Option<Entry>), Skipped> {
    let Text { name, language, text } = text;
    let family = language.family();
    let lines = place::Lines::new(&text);
    let (known, entry) = match cache {
        None => (read(&text, language, &lines).map_err(|why| Skipped { file: name.clone(), why })?, None),
        Some(cache) => {
            let digest = cache::digest(&text, language);
            match cache.find(&digest, asked.contains(&family)) {
                Some(Ok(known)) => (known, Some(Entry::Kept(digest))),
                found => {
                    let known = read(&text, language, &lines).map_err(|why| Skipped { file: name.clone(), why })?;
                    let made = cache::entry(&known.module, &known.remarks);
                    let entry = made.map(|made| match found {
                        None => Entry::New(digest, made),
                        Some(_) => Entry::Instead(digest, made),
                    });
                    (known, entry)
                }
            }
        }
    };
    let Known { module, remarks } = known;
    let package = package::of(family, &name, module.package.as_deref(), roots);
    let allowed = remarks.into_iter().map(|one| allowed(one, &text, &lines, &name)).collect();
    Ok((Source { name, language, text, lines, module, package, allowed }, entry))
}

fn allowed(remark: Remark, text: &str, lines: &place::Lines, file: &str) -> Allow {
    let Remark { law, reason, line, span } = remark;
    Allow { law, reason, line, place: place::within(text, lines, file, span) }
}

/// Parses a source.
fn read(text: &str, language: Language, lines: &place::Lines) -> Result<Known, String> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&language.grammar()).map_err(|error| error.to_string())?;
    let tree = parser.parse(text, None).ok_or("cannot be parsed")?;
    let root = tree.root_node();
    let module: Module = match language.family() {
        Family::Python => python::module(root, text),
        Family::Script => typescript::module(root, text),
        Family::Go => go::module(root, text),
        Family::Java => java::module(root, text),
    };
    Ok(Known { module, remarks: allow::comments(root, text, lines) })
}
