//! What an import leads to, inside of the tree.

use super::{Bound, Meaning, World, class_member};
use crate::{Family, syntax::Class};

/// Classes in each other whose members are imported.
const NESTED: usize = 8;

/// What an import leads to.
pub(super) enum Target<'a> {
    Module(usize),
    Package(usize),
    Class(&'a Class, usize),
}

impl<'a> World<'a> {
    /// What of the tree an import of another module names.
    pub(super) fn find(&self, from: usize, module: &str) -> Option<Target<'a>> {
        let source = self.source(from)?;
        let folder = source.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        match self.family {
            Family::Python => self.find_python(folder, module).map(Target::Module),
            Family::Script => self.find_script(folder, module).map(Target::Module),
            Family::Go | Family::Java => self.find_package(module, NESTED),
        }
    }

    /// A package, or a class whose members are imported.
    fn find_package(&self, name: &str, left: usize) -> Option<Target<'a>> {
        if let Some(package) = self.called.get(name) {
            return Some(Target::Package(*package));
        }
        let left = left.checked_sub(1).filter(|_| self.family == Family::Java)?;
        let (around, class) = name.rsplit_once('.')?;
        let meanings = match self.find_package(around, left)? {
            Target::Package(package) => self.in_package(package, class),
            Target::Class(outer, module) => {
                class_member(outer, class).map(|bound| Meaning { bound, module }).into_iter().collect()
            }
            Target::Module(_) => Vec::new(),
        };
        match meanings.as_slice() {
            [Meaning { bound: Bound::Class(class), module }] => Some(Target::Class(class, *module)),
            _ => None,
        }
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

    pub(super) fn python_file(&self, path: &str) -> Option<usize> {
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

fn below(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
