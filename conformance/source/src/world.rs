//! All sources together: what a name at the top of a module stands for, over the imports inside of the tree.

mod changes;
mod find;
mod wrapping;

use std::collections::{HashMap, HashSet};

use find::Target;

use crate::{
    Family, Source,
    names::Names,
    syntax::{Class, Expr, Function, Import, Kind, Parameter, Span, Stmt, StmtKind},
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
    /// A package of it, which is several sources.
    Package(usize),
    Unknown,
}

impl<'a> Bound<'a> {
    pub(crate) fn as_class(self) -> Option<&'a Class> {
        match self {
            Self::Class(class) => Some(class),
            _ => None,
        }
    }
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
        (Bound::Module(one), Bound::Module(other)) | (Bound::Package(one), Bound::Package(other)) => one == other,
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

/// What the sources of a package say that names stand for, imports left out.
type Package<'a> = HashMap<&'a str, Vec<Meaning<'a>>>;

pub(crate) struct World<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) names: &'a Names,
    pub(crate) family: Family,
    scopes: Vec<Scope<'a>>,
    packages: Vec<Package<'a>>,
    /// Packages by what imports call them.
    called: HashMap<&'a str, usize>,
    paths: HashMap<&'a str, usize>,
    /// Modules that builders are imported from, as the imports write them.
    givers: HashSet<&'a str>,
    /// The first parts of their names.
    tops: HashSet<&'a str>,
    /// Functions that call what makes a tool safe: each is asked once, however often it is called.
    wrapping: HashSet<(usize, Span)>,
    /// Members that statements assign, each with the last name before it; all of what is so called where it has no name.
    changed: HashSet<(&'a str, Option<&'a str>)>,
}

impl<'a> World<'a> {
    /// What the sources of one family of languages say.
    pub(crate) fn new(sources: &'a [Source], names: &'a Names, family: Family) -> Self {
        let own = |source: &&Source| source.language.family() == family;
        let assigned: HashSet<&str> =
            sources.iter().filter(own).flat_map(|source| &source.module.assigned).map(String::as_str).collect();
        let mut scopes = Vec::with_capacity(sources.len());
        for source in sources {
            let mut scope = Scope::new();
            if own(&source) {
                bind(&source.module.body, &mut scope);
                for (name, bounds) in &mut scope {
                    // What a function may assign is no constant, unless it is declared as one.
                    // Of a package, any file may do that.
                    let others =
                        if family.is_typed() { assigned.contains(name) } else { source.module.shared.contains(*name) };
                    if others && !bounds.iter().any(|bound| is_constant(*bound)) {
                        bounds.push(Bound::Unknown);
                    }
                }
            }
            scopes.push(scope);
        }
        let (packages, called) = packages(sources, &scopes);
        let paths = sources.iter().enumerate().map(|(index, source)| (source.name.as_str(), index)).collect();
        let imports = scopes.iter().flat_map(Scope::values).flatten().filter_map(|bound| match bound {
            Bound::Import(import) => Some(*import),
            _ => None,
        });
        let of_builder = |import: &&Import| import.name.as_ref().is_some_and(|name| names.is_builder(name));
        let mut givers: HashSet<&str> = imports.filter(of_builder).map(|import| import.module.as_str()).collect();
        if family == Family::Go {
            givers.extend(sources.iter().zip(&scopes).flat_map(|(source, scope)| qualified(source, scope, names)));
        }
        let tops = givers.iter().map(|giver| top(giver)).collect();
        let functions = scopes.iter().enumerate().flat_map(|(module, scope)| {
            let bounds = scope.values().flatten();
            bounds.filter_map(move |bound| match bound {
                Bound::Function(function) => Some((module, *function)),
                _ => None,
            })
        });
        let wrapping = functions
            .filter(|(_, function)| wrapping::calls_wrapper(&function.body, names))
            .map(|(module, function)| (module, function.span))
            .collect();
        Self {
            sources,
            names,
            family,
            scopes,
            packages,
            called,
            paths,
            givers,
            tops,
            wrapping,
            changed: changes::of(sources.iter().filter(own)),
        }
    }

    pub(crate) fn source(&self, module: usize) -> Option<&'a Source> {
        self.sources.get(module)
    }

    /// Whether a module defines, imports or names a builder.
    pub(crate) fn gives_builder_here(&self, module: usize) -> bool {
        let here = self.scopes.get(module).into_iter().flatten().any(|(name, bounds)| {
            self.names.is_builder(name)
                || bounds.iter().any(|bound| match bound {
                    Bound::Import(import) => match &import.name {
                        Some(name) => self.names.is_builder(name),
                        None => self.family == Family::Go && self.gives_builder(&import.module),
                    },
                    _ => false,
                })
        });
        here || (self.family.is_typed() && self.package_of(module).is_some_and(|of| self.is_home(of)))
    }

    /// Whether a package defines a builder.
    pub(crate) fn is_home(&self, package: usize) -> bool {
        self.packages.get(package).is_some_and(|all| all.keys().any(|name| self.names.is_builder(name)))
    }

    /// The package that a module belongs to.
    pub(crate) fn package_of(&self, module: usize) -> Option<usize> {
        self.called.get(self.source(module)?.package.as_deref()?).copied()
    }

    /// Whether a member of what is so called, or all of it, is assigned somewhere.
    pub(crate) fn is_changed(&self, of: &Expr, member: Option<&str>) -> bool {
        of.last_name().is_some_and(|name| self.changed.contains(&(name, member)))
    }

    /// Whether a function at the top of a module calls what makes a tool safe.
    pub(crate) fn wraps(&self, module: usize, function: Span) -> bool {
        self.wrapping.contains(&(module, function))
    }

    /// What a name of a package stands for.
    pub(crate) fn in_package(&self, package: usize, name: &str) -> Vec<Meaning<'a>> {
        let all = self.packages.get(package).and_then(|all| all.get(name));
        all.into_iter().flatten().copied().collect()
    }

    /// Whether a module is where some source takes its builder from.
    pub(crate) fn gives_builder(&self, module: &str) -> bool {
        self.givers.contains(module)
    }

    /// Whether what an import of a module names belongs to what gives builders: the same package, one below it, or another of its own.
    pub(crate) fn is_near(&self, module: usize, name: &str) -> bool {
        let ancestors = std::iter::successors(Some(name), |one| one.rsplit_once('.').map(|(above, _)| above));
        let home = self.called.get(name).is_some_and(|package| self.is_home(*package));
        let starred = self.source(module).is_some_and(|source| source.module.stars.iter().any(|star| star == name));
        home || starred
            || name.starts_with('.')
            || ancestors.take(FARTHEST).any(|one| self.gives_builder(one))
            || (!self.family.is_typed() && self.tops.contains(top(name)))
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
        // Methods of one class may stand in several files of a package.
        let partly = self.family == Family::Go && all.iter().any(|one| matches!(one.bound, Bound::Class(_)));
        if (all.is_empty() || partly)
            && let Some(package) = self.package_of(module)
        {
            add(&mut all, self.in_package(package, name));
        }
        if all.is_empty() {
            let stars = self.sources.get(module).into_iter().flat_map(|source| &source.module.stars);
            for target in stars.filter_map(|star| self.find(module, star)) {
                add(&mut all, self.in_target(target, name, left, asked));
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
            (None, Some(Target::Module(target))) => vec![Meaning { bound: Bound::Module(target), module: target }],
            (None, Some(Target::Package(target))) => {
                vec![Meaning { bound: Bound::Package(target), module: meaning.module }]
            }
            (Some(name), Some(target)) => self.in_target(target, name, left, asked),
            _ => Vec::new(),
        };
        if !found.is_empty() {
            return found;
        }
        if self.family.is_typed() {
            return vec![meaning];
        }
        // In Python, what a package does not hold as a name may be a module below it.
        let below = import.name.as_ref().and_then(|name| {
            let dot = if import.module.ends_with('.') { "" } else { "." };
            self.find(meaning.module, &format!("{}{dot}{name}", import.module))
        });
        match below {
            Some(Target::Module(target)) => vec![Meaning { bound: Bound::Module(target), module: target }],
            _ => vec![meaning],
        }
    }

    fn in_target(&self, target: Target<'a>, name: &str, left: usize, asked: &mut Asked<'a>) -> Vec<Meaning<'a>> {
        match target {
            Target::Module(module) => self.top_within(module, name, left, asked),
            Target::Package(package) => self.in_package(package, name),
            Target::Class(class, module) => {
                class_member(class, name).map(|bound| Meaning { bound, module }).into_iter().collect()
            }
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
}

/// The first part of what a module is called.
fn top(name: &str) -> &str {
    name.split(['.', '/']).next().unwrap_or(name)
}

/// Whether it is declared as what nobody may assign.
fn is_constant(bound: Bound<'_>) -> bool {
    match bound {
        Bound::Value(_, types) => types.first().is_some_and(|one| one == "const"),
        Bound::Function(_) | Bound::Class(_) | Bound::Import(_) => true,
        _ => false,
    }
}

/// All packages, with their places by what imports call them.
fn packages<'a>(sources: &'a [Source], scopes: &[Scope<'a>]) -> (Vec<Package<'a>>, HashMap<&'a str, usize>) {
    let mut packages: Vec<Package<'a>> = Vec::new();
    let mut called = HashMap::new();
    for (module, (source, scope)) in sources.iter().zip(scopes).enumerate() {
        let Some(name) = source.package.as_deref().filter(|_| !scope.is_empty()) else { continue };
        let place = *called.entry(name).or_insert_with(|| {
            packages.push(Package::new());
            packages.len() - 1
        });
        let Some(package) = packages.get_mut(place) else { continue };
        for (name, bounds) in scope {
            let own = bounds.iter().filter(|bound| !matches!(bound, Bound::Import(_)));
            let meanings: Vec<_> = own.map(|bound| Meaning { bound: *bound, module }).collect();
            if !meanings.is_empty() {
                add(package.entry(*name).or_default(), meanings);
            }
        }
    }
    (packages, called)
}

/// Packages from which a source takes a builder by its name with that of the package.
fn qualified<'a>(source: &'a Source, scope: &Scope<'a>, names: &Names) -> Vec<&'a str> {
    let forms = names.builders.iter().flat_map(|name| [format!(".{name}"), format!(".New{name}")]);
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut locals = HashSet::new();
    for form in forms {
        for (start, _) in source.text.match_indices(&form) {
            let before = source.text.get(..start).unwrap_or_default();
            let rest = before.trim_end_matches(is_part).len();
            locals.insert(before.get(rest..).unwrap_or_default());
        }
    }
    let bounds = locals.into_iter().filter_map(|local| scope.get(local)).flatten();
    let module = |bound: &Bound<'a>| match bound {
        Bound::Import(import) => Some(import.module.as_str()),
        _ => None,
    };
    bounds.filter_map(module).collect()
}

/// Takes over meanings, each of them once.
fn add<'a>(all: &mut Vec<Meaning<'a>>, more: Vec<Meaning<'a>>) {
    for one in more {
        if all.len() < MOST && !all.iter().any(|known| known.module == one.module && same(known.bound, one.bound)) {
            all.push(one);
        }
    }
}

/// What a class itself says of a member.
pub(crate) fn class_member<'a>(class: &'a Class, name: &str) -> Option<Bound<'a>> {
    class_members(class, name).next()
}

pub(crate) fn class_members<'a>(class: &'a Class, name: &str) -> impl Iterator<Item = Bound<'a>> {
    class.body.iter().filter_map(move |stmt| match &stmt.kind {
        StmtKind::Assign { targets, value, types } if targets.iter().any(|one| one.as_name() == Some(name)) => {
            Some(value.as_ref().map_or(Bound::Typed(types), |value| Bound::Value(value, types)))
        }
        StmtKind::Class(inner) if inner.name == name => Some(Bound::Class(inner)),
        StmtKind::Function(function) if function.name == name => Some(Bound::Function(function)),
        _ => None,
    })
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
