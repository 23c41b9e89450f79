//! All sources together: what a name at the top of a module stands for, over the imports inside of the tree.

use std::collections::{HashMap, HashSet};

use crate::{
    Source,
    names::Names,
    syntax::{Class, Expr, Function, Import, Kind, Parameter, Stmt, StmtKind},
};

/// Imports that are followed one after another.
const FARTHEST: usize = 16;
/// Names in modules that are looked up for one name.
const WIDEST: usize = 256;
/// Meanings that are taken over from other modules.
const MOST: usize = 32;

/// What names in modules have been found to stand for, on the way to one name.
type Asked<'a> = HashMap<(usize, String), Vec<Meaning<'a>>>;

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound<'a> {
    Parameter(&'a Parameter),
    /// A value, with the names in the type that was written down.
    Value(&'a Expr, &'a [String]),
    /// A declaration without a value.
    Typed(&'a [String]),
    Function(&'a Function),
    Class(&'a Class),
    Import(&'a Import),
    /// A module of the tree.
    Module(usize),
    Unknown,
}

/// Whether both say the same thing.
pub(crate) fn same(one: Bound<'_>, other: Bound<'_>) -> bool {
    match (one, other) {
        (Bound::Value(one, _), Bound::Value(other, _)) => std::ptr::eq(one, other),
        (Bound::Parameter(one), Bound::Parameter(other)) => std::ptr::eq(one, other),
        (Bound::Function(one), Bound::Function(other)) => std::ptr::eq(one, other),
        (Bound::Class(one), Bound::Class(other)) => std::ptr::eq(one, other),
        (Bound::Import(one), Bound::Import(other)) => std::ptr::eq(one, other),
        (Bound::Typed(one), Bound::Typed(other)) => std::ptr::eq(one, other),
        (Bound::Module(one), Bound::Module(other)) => one == other,
        (Bound::Unknown, Bound::Unknown) => true,
        _ => false,
    }
}

/// What a name stands for, and the module in which that was said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meaning<'a> {
    pub(crate) bound: Bound<'a>,
    pub(crate) module: usize,
}

pub(crate) type Scope<'a> = HashMap<&'a str, Vec<Bound<'a>>>;

pub(crate) struct World<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) names: &'a Names,
    scopes: Vec<Scope<'a>>,
    paths: HashMap<&'a str, usize>,
    /// Modules that builders are imported from, as the imports write them.
    givers: HashSet<&'a str>,
}

impl<'a> World<'a> {
    pub(crate) fn new(sources: &'a [Source], names: &'a Names) -> Self {
        let mut scopes = Vec::with_capacity(sources.len());
        for source in sources {
            let mut scope = Scope::new();
            bind(&source.module.body, &mut scope);
            scopes.push(scope);
        }
        let paths = sources.iter().enumerate().map(|(index, source)| (source.name.as_str(), index)).collect();
        let imports = scopes.iter().flat_map(Scope::values).flatten().filter_map(|bound| match bound {
            Bound::Import(import) => Some(*import),
            _ => None,
        });
        let of_builder = |import: &&Import| import.name.as_ref().is_some_and(|name| names.is_builder(name));
        let givers = imports.filter(of_builder).map(|import| import.module.as_str()).collect();
        Self { sources, names, scopes, paths, givers }
    }

    pub(crate) fn source(&self, module: usize) -> Option<&'a Source> {
        self.sources.get(module)
    }

    /// Whether a module defines, imports or names a builder.
    pub(crate) fn gives_builder_here(&self, module: usize) -> bool {
        self.scopes.get(module).into_iter().flatten().any(|(name, bounds)| {
            self.names.is_builder(name)
                || bounds.iter().any(|bound| match bound {
                    Bound::Import(import) => import.name.as_ref().is_some_and(|name| self.names.is_builder(name)),
                    _ => false,
                })
        })
    }

    /// Whether a module is where some source takes its builder from.
    pub(crate) fn gives_builder(&self, module: &str) -> bool {
        self.givers.contains(module)
    }

    pub(crate) fn scope(&self, module: usize) -> Option<&Scope<'a>> {
        self.scopes.get(module)
    }

    /// What a name at the top of a module stands for, imports followed as far as the tree goes.
    pub(crate) fn top(&self, module: usize, name: &str) -> Vec<Meaning<'a>> {
        self.top_within(module, name, FARTHEST, &mut Asked::new())
    }

    fn top_within(&self, module: usize, name: &str, left: usize, asked: &mut Asked<'a>) -> Vec<Meaning<'a>> {
        let Some(left) = left.checked_sub(1) else { return Vec::new() };
        let key = (module, name.to_owned());
        if let Some(known) = asked.get(&key) {
            return known.clone();
        }
        if asked.len() >= WIDEST {
            return Vec::new();
        }
        // What leads back to itself adds nothing.
        asked.insert(key.clone(), Vec::new());
        let mut all = Vec::new();
        for bound in self.scopes.get(module).and_then(|scope| scope.get(name)).into_iter().flatten() {
            match bound {
                Bound::Import(_) => add(&mut all, self.followed_within(Meaning { bound: *bound, module }, left, asked)),
                _ => all.push(Meaning { bound: *bound, module }),
            }
        }
        if all.is_empty() {
            let stars = self.sources.get(module).into_iter().flat_map(|source| &source.module.stars);
            for target in stars.filter_map(|star| self.find(module, star)) {
                add(&mut all, self.top_within(target, name, left, asked));
            }
        }
        asked.insert(key, all.clone());
        all
    }

    /// The same for what is known already: an import becomes what it brings, where the tree has that.
    pub(crate) fn followed(&self, meaning: Meaning<'a>) -> Vec<Meaning<'a>> {
        self.followed_within(meaning, FARTHEST, &mut Asked::new())
    }

    fn followed_within(&self, meaning: Meaning<'a>, left: usize, asked: &mut Asked<'a>) -> Vec<Meaning<'a>> {
        let Bound::Import(import) = meaning.bound else { return vec![meaning] };
        let target = self.find(meaning.module, &import.module);
        let found = match (&import.name, target) {
            (None, Some(target)) => vec![Meaning { bound: Bound::Module(target), module: target }],
            (Some(name), Some(target)) => self.top_within(target, name, left, asked),
            _ => Vec::new(),
        };
        if !found.is_empty() {
            return found;
        }
        // In Python, what a package does not hold as a name may be a module below it.
        let below = import.name.as_ref().and_then(|name| {
            let dot = if import.module.ends_with('.') { "" } else { "." };
            self.find(meaning.module, &format!("{}{dot}{name}", import.module))
        });
        match below {
            Some(target) => vec![Meaning { bound: Bound::Module(target), module: target }],
            None => vec![meaning],
        }
    }

    /// A name in a module that was reached by a name itself.
    pub(crate) fn in_module(&self, module: usize, name: &str) -> Vec<Meaning<'a>> {
        let found = self.top(module, name);
        if !found.is_empty() {
            return found;
        }
        let package = self.source(module).and_then(|source| source.name.strip_suffix("__init__.py"));
        let below = package.and_then(|package| self.python_file(&format!("{package}{name}")));
        below.map(|target| Meaning { bound: Bound::Module(target), module: target }).into_iter().collect()
    }

    /// The module of the tree that an import of another module names.
    fn find(&self, from: usize, module: &str) -> Option<usize> {
        let source = self.source(from)?;
        let folder = source.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        if source.language.is_python() { self.find_python(folder, module) } else { self.find_script(folder, module) }
    }

    fn find_python(&self, folder: &str, module: &str) -> Option<usize> {
        let dots = module.bytes().take_while(|byte| *byte == b'.').count();
        let path = module.trim_start_matches('.').replace('.', "/");
        if dots > 0 {
            let mut folder = folder;
            for _ in 1..dots {
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            }
            return self.python_file(&below(folder, &path));
        }
        // From the folder of the file upwards, as any of them may be on the path; then `src`, where many keep their packages.
        let mut folder = Some(folder);
        while let Some(here) = folder {
            if let Some(found) = self.python_file(&below(here, &path)) {
                return Some(found);
            }
            folder = if here.is_empty() { None } else { Some(here.rsplit_once('/').map_or("", |(above, _)| above)) };
        }
        // The root may be the package itself.
        self.python_file(&below("src", &path)).or_else(|| {
            let (_, rest) = path.split_once('/')?;
            self.python_file(rest)
        })
    }

    fn python_file(&self, path: &str) -> Option<usize> {
        let path = path.trim_end_matches('/');
        let init = below(path, "__init__.py");
        [format!("{path}.py"), init].iter().find_map(|file| self.paths.get(file.as_str())).copied()
    }

    fn find_script(&self, folder: &str, module: &str) -> Option<usize> {
        if !module.starts_with('.') {
            return None;
        }
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in module.split('/') {
            match part {
                "." | "" => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        // `./codes.js` is what the compiler makes of `codes.ts`.
        let bare = ["js", "mjs", "cjs", "jsx"].iter().find_map(|end| path.strip_suffix(end)?.strip_suffix('.'));
        let bare = bare.unwrap_or(&path);
        let ends = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];
        let exact = self.paths.get(path.as_str()).copied();
        exact.or_else(|| ends.iter().find_map(|end| self.paths.get(format!("{bare}.{end}").as_str())).copied()).or_else(
            || ends.iter().find_map(|end| self.paths.get(below(&path, &format!("index.{end}")).as_str())).copied(),
        )
    }
}

/// Takes over meanings, each of them once.
fn add<'a>(all: &mut Vec<Meaning<'a>>, more: Vec<Meaning<'a>>) {
    for one in more {
        if all.len() < MOST && !all.iter().any(|known| known.module == one.module && same(known.bound, one.bound)) {
            all.push(one);
        }
    }
}

fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Takes in what statements bind, but for those inside of functions and classes.
pub(crate) fn bind<'a>(body: &'a [Stmt], scope: &mut Scope<'a>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, value, types } => {
                let bound = match value {
                    Some(value) => Bound::Value(value, types),
                    None => Bound::Typed(types),
                };
                for target in targets {
                    target_of(target, bound, scope);
                }
            }
            StmtKind::Bind(targets, _) | StmtKind::Loop { targets, .. } => {
                for target in targets {
                    target_of(target, Bound::Unknown, scope);
                }
            }
            StmtKind::With { items, targets, .. } => {
                for (index, target) in targets.iter().enumerate() {
                    let item = items.get(index).filter(|_| items.len() == targets.len());
                    target_of(target, item.map_or(Bound::Unknown, |item| Bound::Value(item, &[])), scope);
                }
            }
            StmtKind::Function(function) => insert(scope, &function.name, Bound::Function(function)),
            StmtKind::Class(class) => insert(scope, &class.name, Bound::Class(class)),
            StmtKind::Import(imports) => {
                for import in imports {
                    insert(scope, &import.local, Bound::Import(import));
                }
            }
            _ => {}
        }
        for block in stmt.below().blocks {
            bind(block, scope);
        }
    }
}

fn insert<'a>(scope: &mut Scope<'a>, name: &'a str, bound: Bound<'a>) {
    scope.entry(name).or_default().push(bound);
}

fn target_of<'a>(target: &'a Expr, bound: Bound<'a>, scope: &mut Scope<'a>) {
    match &target.kind {
        Kind::Name(name) => insert(scope, name, bound),
        Kind::Array(parts) | Kind::Other(parts) => {
            for part in parts {
                target_of(part, Bound::Unknown, scope);
            }
        }
        _ => {}
    }
}
