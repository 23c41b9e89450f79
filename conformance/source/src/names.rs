//! What things are called in the code that is read.

/// How a code base names what the laws of replies speak of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Names {
    /// Classes, or functions, that give a builder.
    pub builders: Vec<String>,
    /// Variables that hold a builder where nothing else is known about them.
    pub variables: Vec<String>,
    /// Decorators and wrapping functions that make a tool safe.
    pub wrappers: Vec<String>,
    /// Decorators and methods that register a tool.
    pub tools: Vec<String>,
    /// Classes of replies.
    pub replies: Vec<String>,
    /// Classes of envelopes.
    pub envelopes: Vec<String>,
    /// Classes of registries.
    pub registries: Vec<String>,
}

impl Default for Names {
    fn default() -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            builders: owned(&["ReplyBuilder"]),
            variables: owned(&["rb"]),
            wrappers: owned(&["mcp_safe_tool", "mcpSafeTool", "McpSafeTool", "MCPSafeTool"]),
            tools: owned(&["tool", "add_tool", "registerTool", "addTool", "AddTool", "RegisterTool", "McpTool"]),
            replies: owned(&["Reply"]),
            envelopes: owned(&["ReplyEnvelope"]),
            registries: owned(&["ReplyRegistry", "CodeRegistry", "ReplyCodeRegistry"]),
        }
    }
}

impl Names {
    pub(crate) fn is_builder(&self, name: &str) -> bool {
        holds(&self.builders, name)
    }

    pub(crate) fn is_variable(&self, name: &str) -> bool {
        holds(&self.variables, name)
    }

    pub(crate) fn is_wrapper(&self, name: &str) -> bool {
        holds(&self.wrappers, name)
    }

    pub(crate) fn is_tool(&self, name: &str) -> bool {
        holds(&self.tools, name)
    }

    pub(crate) fn is_reply(&self, name: &str) -> bool {
        holds(&self.replies, name)
    }

    pub(crate) fn is_envelope(&self, name: &str) -> bool {
        holds(&self.envelopes, name)
    }

    pub(crate) fn is_registry(&self, name: &str) -> bool {
        holds(&self.registries, name)
    }
}

fn holds(names: &[String], name: &str) -> bool {
    names.iter().any(|one| one == name)
}

/// Types of a value that comes later, and what gives one that is known already.
pub(crate) const LATER: [(&str, &[&str]); 6] = [
    ("Promise", &["resolve"]),
    ("CompletableFuture", &["completedFuture", "completedStage"]),
    ("CompletionStage", &[]),
    ("Future", &["succeededFuture"]),
    ("Mono", &["just"]),
    ("Uni", &["item"]),
];

/// What gives the value that it is given.
pub(crate) const PASSED: [(&str, &[&str]); 2] = [("Optional", &["of", "ofNullable"]), ("Objects", &["requireNonNull"])];

/// Methods of the builder that make a reply which ends the call.
pub(crate) const TERMINAL: [&str; 3] = ["invalid", "denied", "error"];

/// Methods that the builder does not have.
pub(crate) const FORBIDDEN: [&str; 3] = ["info", "warn", "fail"];

/// Whether a name is that of a method which a builder has, or which one must not have.
pub(crate) fn is_method(name: &str) -> bool {
    name == "success" || TERMINAL.contains(&name) || FORBIDDEN.contains(&name)
}
