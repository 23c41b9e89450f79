//! Arrows between modules run one way: no module uses itself through others below the same parent.
//!
//! A use counts between the two branches below the nearest common parent, so that `report::text` using
//! `testee::log` is an arrow from `report` to `testee`. Parent and child may use each other; tests may use anything.
//! Names are followed through re-exports to the module that they come from.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

type Module = Vec<String>;

/// The modules of one crate, each with the names it imports and the paths that it mentions.
#[derive(Default)]
struct Modules(BTreeMap<Module, Source>);

#[derive(Default)]
struct Source {
    imports: BTreeMap<String, Vec<String>>,
    paths: Vec<Vec<String>>,
}

#[test]
fn no_module_uses_itself_through_its_siblings() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = manifest.split_once("members = [").unwrap().1.split_once(']').unwrap().0;
    let mut found = Vec::new();
    for member in members.split('"').skip(1).step_by(2) {
        let mut modules = Modules::default();
        modules.read(&root.join(member).join("src"), &Module::new());
        assert!(modules.0.contains_key(&Module::new()), "{member} has no lib.rs");
        found.extend(modules.circles().into_iter().map(|circle| format!("{member}: {circle}")));
    }
    assert!(found.is_empty(), "modules use themselves through their siblings:\n{}", found.join("\n"));
}

#[test]
fn a_circle_is_found_through_re_exports_and_below_branches() {
    let mut modules = Modules::default();
    for (module, text) in [
        ("", "pub use a::deep::Kept;\nmod a;\nmod b;\nmod c;"),
        ("a", "pub mod deep;"),
        ("a::deep", "use crate::{c::{self}, b::Own as Other};\npub struct Kept;"),
        ("b", "use super::Kept; // super::c"),
        ("c", "#[cfg(test)]\nmod tests {\n use crate::a;\n}"),
    ] {
        let module = module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        modules.0.insert(module, source(text));
    }
    let circles = modules.circles();
    assert_eq!(circles, ["a::deep uses b", "b uses a::deep"]);
}

impl Modules {
    /// Reads the files of a folder as the children of a module; those that are only for tests are left out.
    ///
    /// Modules are found by their files, since a build script declares some of them.
    fn read(&mut self, folder: &Path, parent: &[String]) {
        let mut entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|path| path.is_dir());
        let mut hidden = BTreeSet::new();
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
            let text = fs::read_to_string(file).unwrap();
            let own = match file.file_stem().and_then(|stem| stem.to_str()).unwrap() {
                "lib" | "mod" => parent.to_vec(),
                "main" if parent.is_empty() => continue,
                name => [parent, &[name.to_owned()]].concat(),
            };
            let pairs = text.lines().zip(text.lines().skip(1)).filter(|(before, _)| *before == "#[cfg(test)]");
            let declared = pairs.filter_map(|(_, line)| line.split_once("mod ")).map(|(_, name)| name);
            let declared = declared.map(|name| name.trim_end_matches([' ', '{', ';']));
            hidden.extend(declared.map(|name| [own.as_slice(), &[name.to_owned()]].concat()));
            self.0.insert(own, source(&text));
        }
        for folder in folders {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap().to_owned();
            self.read(&folder, &[parent, &[name]].concat());
        }
        self.0.retain(|module, _| !hidden.iter().any(|hidden| module.starts_with(hidden)));
    }

    /// The module that a path mentioned in another one leads to; nothing for a path out of the crate.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<Module> {
        let mut at = from.to_vec();
        let mut rest = path;
        while let Some((first, more)) = rest.split_first() {
            match first.as_str() {
                "crate" => at.clear(),
                "super" => drop(at.pop()),
                "self" => {}
                _ => break,
            }
            rest = more;
        }
        let mut inside = rest.len() < path.len();
        while let Some((name, more)) = rest.split_first() {
            let child = [at.as_slice(), std::slice::from_ref(name)].concat();
            if self.0.contains_key(&child) {
                (at, rest, inside) = (child, more, true);
            } else if inside
                && depth < 8
                && let Some(import) = self.0.get(&at).and_then(|source| source.imports.get(name))
            {
                return self.resolve(&at, &[import, more].concat(), depth + 1).or(Some(at));
            } else {
                break;
            }
        }
        inside.then_some(at)
    }

    /// The arrows of all circles, each shown by one use.
    fn circles(&self) -> Vec<String> {
        let mut arrows: BTreeMap<Module, BTreeMap<(Module, Module), String>> = BTreeMap::new();
        for (from, source) in &self.0 {
            for to in source.paths.iter().filter_map(|path| self.resolve(from, path, 0)) {
                let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
                if shared < from.len() && shared < to.len() {
                    let pair = (from[..=shared].to_vec(), to[..=shared].to_vec());
                    let example = format!("{} uses {}", from.join("::"), to.join("::"));
                    arrows.entry(from[..shared].to_vec()).or_default().entry(pair).or_insert(example);
                }
            }
        }
        let mut circles = Vec::new();
        for mut arrows in arrows.into_values() {
            // An arrow from where none ends, or to where none begins, is on no circle.
            loop {
                let (begin, end): (BTreeSet<_>, BTreeSet<_>) = arrows.keys().cloned().unzip();
                let before = arrows.len();
                arrows.retain(|(from, to), _| end.contains(from) && begin.contains(to));
                if arrows.len() == before {
                    break;
                }
            }
            circles.extend(arrows.into_values());
        }
        circles
    }
}

/// What a file imports and mentions, its inline tests left out.
fn source(text: &str) -> Source {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code: String = text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut source = Source::default();
    let mut rest = String::new();
    let mut lines = code.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let words = line.trim_start();
        let words = words.strip_prefix("pub").map_or(words, |more| more.split_once(' ').map_or("", |(_, more)| more));
        let Some(begun) = words.strip_prefix("use ") else {
            rest.push_str(line);
            continue;
        };
        let mut statement = begun.to_owned();
        while !statement.contains(';') {
            statement.push_str(lines.next().unwrap_or(";"));
        }
        flatten(&[], statement.split(';').next().unwrap_or_default(), &mut source);
    }
    let ident = |letter: char| letter.is_alphanumeric() || letter == '_';
    for (start, _) in rest.match_indices("::") {
        let first = rest[..start].rsplit(|letter| !ident(letter)).next().unwrap_or_default();
        if ["crate", "super", "self"].contains(&first) && !rest[..start - first.len()].ends_with("::") {
            let path = rest[start - first.len()..].split(|letter| !ident(letter) && letter != ':').next();
            source.paths.push(path.unwrap_or_default().split("::").map(str::to_owned).collect());
        }
    }
    source
}

/// Splits a tree of imports.
fn flatten(prefix: &[String], tree: &str, source: &mut Source) {
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in tree.char_indices().chain([(tree.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let branch = tree[start..at].trim();
                start = (at + 1).min(tree.len());
                let (path, below) = branch.split_once('{').map_or((branch, None), |(path, tree)| (path, Some(tree)));
                let (path, alias) = path.split_once(" as ").map_or((path, None), |(path, alias)| (path, Some(alias)));
                let named = path.split("::").map(str::trim).filter(|name| !name.is_empty() && *name != "*");
                let mut path: Vec<String> = prefix.iter().cloned().chain(named.map(str::to_owned)).collect();
                if let Some(below) = below {
                    flatten(&path, below.trim_end().trim_end_matches('}'), source);
                    continue;
                }
                if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
                    path.pop();
                }
                if let Some(name) = path.last().cloned() {
                    source.imports.insert(alias.map_or(name, |alias| alias.trim().to_owned()), path.clone());
                    source.paths.push(path);
                }
            }
            _ => {}
        }
    }
}
