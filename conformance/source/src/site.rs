//! Call sites as the verifier reads them, and what it says of them.

use serde::Serialize;

use crate::{Code, Place, Site, Tree, names::TERMINAL};

/// One call site, with the members that `reply.source` has.
#[derive(Serialize)]
struct Row<'t> {
    file: &'t str,
    line: usize,
    receiver: Option<&'t str>,
    method: Option<&'t str>,
    code: Option<&'t str>,
    returned: bool,
}

/// Laws about a code, wherever it is used.
const OF_CODES: [&str; 9] = [
    "reply/area-registered",
    "reply/code-registered",
    "reply/code-shape",
    "reply/contract-area-gate",
    "reply/layer-closed",
    "reply/layer-type-matrix",
    "reply/number-from-one",
    "reply/type-agrees",
    "reply/type-closed",
];

impl Tree {
    /// The call sites as a JSON array, each in its place.
    ///
    /// # Errors
    /// Never, as long as texts and numbers can be written.
    pub fn call_sites(&self) -> Result<String, serde_json::Error> {
        let rows: Vec<_> = self.sites.iter().map(Site::row).collect();
        serde_json::to_string(&rows)
    }

    /// The call site that a finding of the verifier points at.
    #[must_use]
    pub fn site(&self, pointer: &str) -> Option<&Site> {
        self.sites.get(pointer.strip_prefix("/call_sites/")?.parse::<usize>().ok()?)
    }
}

impl Site {
    fn row(&self) -> Row<'_> {
        Row {
            file: &self.place.file,
            line: self.place.line,
            receiver: self.receiver.as_deref(),
            method: self.method.as_deref(),
            code: match &self.code {
                Code::Known(code) => Some(code),
                _ => None,
            },
            returned: self.returned,
        }
    }

    /// Whether a finding about it holds: a code that is given and not followed is not one that is missing.
    #[must_use]
    pub fn is_judged(&self, law: &str) -> bool {
        let terminal = self.method.as_deref().is_some_and(|method| TERMINAL.contains(&method));
        !(terminal && matches!(self.code, Code::Unknown(_)) && law == "reply/builder-api")
    }

    /// Where a finding by this law stands: at the code, or at the call.
    #[must_use]
    pub fn place_of(&self, law: &str) -> &Place {
        let code = self.code_place.as_ref().filter(|_| OF_CODES.contains(&law) && matches!(self.code, Code::Known(_)));
        code.unwrap_or(&self.place)
    }

    /// What it is about: the code, or else the method.
    #[must_use]
    pub fn subject(&self, law: &str) -> &str {
        match &self.code {
            Code::Known(code) if OF_CODES.contains(&law) => code,
            _ => self.method.as_deref().unwrap_or_default(),
        }
    }
}
