//! Turn files held in memory, for the verifier.

use std::collections::BTreeMap;

use assize_verifier::files::{Files, Unreadable};

/// Files by plain relative path; folders are what the paths imply.
///
/// Paths are walked as an operating system would walk them, and as the comparator's oracle walks them: `sub/../turn.json`
/// needs a folder `sub`, and nothing outside the map exists.
#[derive(Debug, Clone, Copy)]
pub struct MemoryFiles<'p>(pub &'p BTreeMap<String, Vec<u8>>);

impl MemoryFiles<'_> {
    fn find(&self, path: &str) -> Option<&Vec<u8>> {
        if path.starts_with('/') {
            return None;
        }
        let mut walked: Vec<&str> = Vec::new();
        let mut steps = path.split('/').peekable();
        while let Some(step) = steps.next() {
            let last = steps.peek().is_none();
            match step {
                // A slash or dots at the end ask for a folder.
                "" | "." | ".." if last => return None,
                "" | "." => {}
                ".." => {
                    walked.pop()?;
                }
                name => {
                    walked.push(name);
                    if !last && !self.is_folder(&walked.join("/")) {
                        return None;
                    }
                }
            }
        }
        self.0.get(&walked.join("/"))
    }

    fn is_folder(&self, path: &str) -> bool {
        self.0.keys().any(|name| name.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }
}

impl Files for MemoryFiles<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        let found = std::str::from_utf8(path).ok().and_then(|path| self.find(path));
        let found = found.ok_or(Unreadable { reason: "no such file" })?;
        into.clear();
        into.extend_from_slice(found);
        Ok(())
    }
}
