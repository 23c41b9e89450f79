//! What servers are held to beside the reply laws, one table.
//!
//! Spec: Model Context Protocol, revisions 2024-11-05 to 2026-07-28; JSON-RPC 2.0 Specification; RFC 8259. A section of the protocol is
//! named as its own pages are. Of 2026-07-28 the published schema was read, and no page: what rests on it cites the schema. Of Streamable
//! HTTP no page was read either: a MUST stands where a library of the protocol quotes it from the page of the revision, or says that the
//! page has it; what none quotes so is a SHOULD here, whatever the page says.

use serde::Serialize;

/// How a rule binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Force {
    /// Who breaks it does not conform.
    Must,
    /// Who breaks it is told.
    Should,
    /// A law of replies, which binds whoever carries envelopes.
    Law,
    /// No rule: what whoever reads a report should know.
    Note,
}

/// A rule as it stands in some revisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its id.
    pub rule: &'static str,
    /// The first revision in which it stands so.
    pub from: &'static str,
    /// The last one; nothing while it stands.
    pub to: Option<&'static str>,
    /// Where.
    pub section: &'static str,
    /// How it binds.
    pub force: Force,
    /// What it asks.
    pub says: &'static str,
}

impl Row {
    /// Whether it stands in a revision. Those are dates, and compare as they are written.
    #[must_use]
    pub fn stands_in(&self, revision: &str) -> bool {
        self.from <= revision && self.to.is_none_or(|to| revision <= to)
    }
}

/// Makes the type and the table of one list.
macro_rules! rules {
    ($($name:ident $id:literal { $($from:literal .. $($to:literal)?, $force:ident, $section:literal, $says:literal;)+ })+) => {
        /// Every rule.
        #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "a rule of HTTP is broken over HTTP alone"))]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Rule {
            $(
                #[doc = $id]
                $name,
            )+
        }

        impl Rule {
            /// Its name in reports.
            pub(crate) fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)+
                }
            }
        }

        /// The table.
        pub const RULES: &[Row] = &[
            $($(Row { rule: $id, from: $from, to: rules!(@to $($to)?), force: Force::$force, section: $section, says: $says },)+)+
        ];
    };
    (@to) => { None };
    (@to $to:literal) => { Some($to) };
}

rules! {
    StdoutMessages "stdout-messages" {
        "2024-11-05" .., Must, "Transports, stdio", "nothing is written to standard output that is not a message";
    }
    Utf8 "utf-8" {
        "2024-11-05" .., Must, "RFC 8259, 8.1; Transports", "messages are UTF-8";
    }
    NamesUnique "names-unique" {
        "2024-11-05" .., Should, "RFC 8259, 4", "names in an object are unique";
    }
    JsonrpcVersion "jsonrpc-version" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 4 and 5", "each message has jsonrpc, which is exactly \"2.0\"";
    }
    OneOfResultError "one-of-result-error" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 5", "a response has a result or an error, and never both";
    }
    ResultObject "result-object" {
        "2024-11-05" .., Must, "Schema, Result", "a result is an object, and its _meta too";
    }
    ErrorShape "error-shape" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 5.1", "an error has an integer code and a text message";
    }
    IdReturned "id-returned" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 5", "a response has the id of its request, of the same type";
    }
    AnsweredOnce "answered-once" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 5", "a request has one response, and a response has a request";
    }
    NotificationUnanswered "notification-unanswered" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 4.1", "a notification has no response";
    }
    Answered "answered" {
        "2024-11-05" .., Must, "JSON-RPC 2.0, 5", "every request has a response";
    }
    BatchReceived "batch-received" {
        "2025-03-26" .. "2025-03-26", Must, "Base Protocol, Batching", "batches can be received";
    }
    AfterNonsense "after-nonsense" {
        "2024-11-05" .., Should, "JSON-RPC 2.0, 5.1", "a line that is not JSON is an error (-32700) and not an end";
    }
    UnknownMethod "unknown-method" {
        "2024-11-05" .., Should, "JSON-RPC 2.0, 5.1", "a method that is not there is the error -32601";
    }
    Initialize "initialize-result" {
        "2024-11-05" .. "2025-11-25", Must, "Schema, InitializeResult",
            "protocolVersion, capabilities, and serverInfo with name and version";
        "2026-07-28" .., Must, "Schema, DiscoverResult", "supportedVersions, capabilities, ttlMs and cacheScope";
    }
    VersionNegotiated "version-negotiated" {
        "2024-11-05" .. "2025-11-25", Must, "Lifecycle, Version Negotiation",
            "a revision that the server does not speak is answered with another that it speaks";
        "2026-07-28" .., Must, "Schema, RequestMetaObject", "a revision that the server does not speak is an error";
    }
    VersionRefused "version-refused" {
        "2024-11-05" .. "2025-11-25", Should, "Lifecycle, Version Negotiation and Error Handling",
            "another revision is offered, though an example refuses with the error -32602";
    }
    Ping "ping" {
        "2024-11-05" .. "2025-11-25", Must, "Utilities, Ping", "a ping is answered with an empty result";
    }
    QuietBefore "quiet-before-initialized" {
        "2024-11-05" .. "2025-11-25", Should, "Lifecycle, Initialization",
            "before it is initialized the client is sent pings and log messages alone";
    }
    NegotiatedOnly "negotiated-only" {
        "2024-11-05" .. "2025-03-26", Should, "Lifecycle, Operation", "only what both sides declared is used";
        "2025-06-18" .., Must, "Lifecycle, Operation", "only what both sides declared is used";
    }
    LoggingDeclared "logging-declared" {
        "2024-11-05" .. "2025-11-25", Must, "Utilities, Logging, Capabilities", "who sends log messages declares logging";
        "2026-07-28" .., Must, "Schema, RequestMetaObject", "no log messages to who gave no level";
    }
    ProgressToken "progress-token" {
        "2024-11-05" .., Must, "Utilities, Progress", "progress is told of tokens that were given";
    }
    ToolsDeclared "tools-declared" {
        "2024-11-05" .., Must, "Tools, Capabilities", "who has tools declares tools";
    }
    ToolsListed "tools-listed" {
        "2024-11-05" .., Must, "Schema, ListToolsResult", "tools is an array of objects, each with a text name";
    }
    CacheHints "cache-hints" {
        "2026-07-28" .., Must, "Schema, ListToolsResult", "ttlMs is a whole number from 0, cacheScope private or public";
    }
    NextCursor "next-cursor" {
        "2024-11-05" .., Must, "Schema, PaginatedResult", "nextCursor is a text";
    }
    BadCursor "bad-cursor" {
        "2024-11-05" .., Should, "Utilities, Pagination, Error Handling", "a cursor that nobody gave is the error -32602";
    }
    InputSchema "input-schema" {
        "2024-11-05" .., Must, "Schema, Tool", "inputSchema is a JSON Schema whose type is object";
    }
    OutputSchemaObject "output-schema-object" {
        "2025-06-18" .. "2025-11-25", Must, "Schema, Tool", "outputSchema is a JSON Schema whose type is object";
        "2026-07-28" .., Must, "Schema, Tool", "outputSchema is a JSON Schema";
    }
    Annotations "annotations" {
        "2025-03-26" .., Must, "Schema, ToolAnnotations", "hints are true or false";
    }
    ToolNameUnique "tool-name-unique" {
        "2024-11-05" .. "2025-06-18", Should, "Tools, Data Types, Tool", "a name identifies one tool";
        "2025-11-25" .., Should, "Tools, Tool Names", "a name identifies one tool";
    }
    ToolNameForm "tool-name-form" {
        "2025-11-25" .., Should, "Tools, Tool Names", "a name has 1 to 128 of A-Z, a-z, 0-9, _, - and .";
    }
    ContentPresent "content-present" {
        "2024-11-05" .., Must, "Schema, CallToolResult", "content is there, and is an array";
    }
    ContentTyped "content-typed" {
        "2024-11-05" .., Must, "Schema, ContentBlock", "each block has its type and what that type has";
    }
    ContentOfRevision "content-of-revision" {
        "2024-11-05" .. "2025-03-26", Must, "Schema, CallToolResult",
            "audio comes with 2025-03-26, resource_link with 2025-06-18";
    }
    ContentEncoded "content-encoded" {
        "2024-11-05" .., Must, "Schema, ContentBlock", "bytes in a block are base64";
    }
    IsError "is-error-boolean" {
        "2024-11-05" .., Must, "Schema, CallToolResult", "isError is true or false";
    }
    ResultType "result-type" {
        "2026-07-28" .., Must, "Schema, Result", "resultType is there, as a text";
    }
    StructuredOfRevision "structured-of-revision" {
        "2024-11-05" .. "2025-03-26", Should, "Lifecycle, Operation",
            "structuredContent comes with 2025-06-18: the revision that was agreed on is kept to";
    }
    StructuredObject "structured-object" {
        "2025-06-18" .. "2025-11-25", Must, "Schema, CallToolResult", "structuredContent is an object";
    }
    StructuredText "structured-text" {
        "2025-06-18" .., Should, "Tools, Structured Content", "structuredContent stands as JSON in a text block too";
    }
    OutputSchemaHeld "output-schema-held" {
        "2025-06-18" .., Must, "Tools, Output Schema", "structuredContent is there where an outputSchema is, and conforms to it";
    }
    UnknownTool "unknown-tool" {
        "2024-11-05" .., Should, "Tools, Error Handling; Schema, CallToolResult",
            "a tool that is not there is an error of the protocol, not a result";
    }
    CallMalformed "call-malformed" {
        "2024-11-05" .., Should, "Tools, Error Handling", "a call that names no tool is an error of the protocol";
    }
    ArgumentsError "arguments-error" {
        "2024-11-05" .. "2025-06-18", Should, "Tools, Error Handling", "arguments that do not pass are an error of the protocol";
        "2025-11-25" .., Should, "Tools, Error Handling", "arguments that do not pass are a result with isError";
    }
    ArgumentsValidated "arguments-validated" {
        "2024-11-05" .., Must, "Tools, Security Considerations",
            "inputs are validated: a success is no answer to arguments that do not pass";
    }
    HttpMessages "http-messages" {
        "2025-03-26" .., Should, "Transports, Streamable HTTP", "a body or the data of an event is a message";
    }
    HttpContentType "http-content-type" {
        "2025-03-26" .. "2025-11-25", Should, "Transports, Streamable HTTP, Sending Messages",
            "a request is answered as application/json or text/event-stream";
    }
    HttpAccepted "http-accepted" {
        "2025-03-26" .. "2025-03-26", Should, "Transports, Streamable HTTP, Sending Messages",
            "a notification or response that is taken is answered by status 202 without a body";
        "2025-06-18" .. "2025-11-25", Must, "Transports, Streamable HTTP, Sending Messages",
            "a notification or response that is taken is answered by status 202 without a body";
    }
    HttpGet "http-get" {
        "2025-03-26" .. "2025-11-25", Must, "Transports, Streamable HTTP, Listening for Messages",
            "a GET is answered as text/event-stream, or by status 405";
    }
    HttpOrigin "http-origin" {
        "2025-03-26" .. "2025-06-18", Should, "Transports, Streamable HTTP, Security Warning",
            "the Origin of a request is validated";
        "2025-11-25" .. "2025-11-25", Must, "Transports, Streamable HTTP, Security Warning",
            "the Origin of a request is validated, and another one is refused by status 403";
    }
    HttpSessionId "http-session-id" {
        "2025-03-26" .. "2025-11-25", Should, "Transports, Streamable HTTP, Session Management",
            "the id of a session has visible ASCII alone";
    }
    HttpSessionDue "http-session-due" {
        "2025-03-26" .. "2025-11-25", Should, "Transports, Streamable HTTP, Session Management",
            "where a session is due, a request without it is answered by status 400";
    }
    HttpSessionEnded "http-session-ended" {
        "2025-03-26" .. "2025-03-26", Should, "Transports, Streamable HTTP, Session Management",
            "a request of a session that was ended is answered by status 404";
        "2025-06-18" .. "2025-11-25", Must, "Transports, Streamable HTTP, Session Management",
            "a request of a session that was ended is answered by status 404";
    }
    HttpVersion "http-version" {
        "2025-06-18" .. "2025-11-25", Must, "Transports, Streamable HTTP, Protocol Version Header",
            "an MCP-Protocol-Version that is not spoken is answered by status 400";
    }
}

impl Rule {
    /// The rule that stands in its place where there is no standard output.
    pub(crate) fn over_http(self) -> Self {
        if self == Self::StdoutMessages { Self::HttpMessages } else { self }
    }

    /// How it stands in a revision, if it does.
    pub(crate) fn row(self, revision: &str) -> Option<&'static Row> {
        RULES.iter().find(|row| row.rule == self.id() && row.stands_in(revision))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::revision::{REVISIONS, is_revision};

    fn rows(rule: &str) -> impl Iterator<Item = &'static Row> {
        RULES.iter().filter(move |row| row.rule == rule)
    }

    #[test]
    fn rows_of_a_rule_follow_each_other_without_a_gap_and_name_revisions() {
        for row in RULES {
            assert!(
                REVISIONS.contains(&row.from) && row.to.is_none_or(|to| REVISIONS.contains(&to) && row.from <= to),
                "{row:?}"
            );
            assert!(is_revision(row.from) && !row.section.is_empty() && !row.says.is_empty(), "{row:?}");
            for revision in REVISIONS {
                let same = RULES.iter().filter(|other| other.rule == row.rule && other.stands_in(revision));
                assert!(same.count() <= 1, "{} stands twice in {revision}", row.rule);
            }
            let first = rows(row.rule).map(|row| row.from).min();
            let ended = |revision: &str| rows(row.rule).all(|row| row.to.is_some_and(|to| to < revision));
            for revision in REVISIONS.into_iter().filter(|revision| first <= Some(*revision) && !ended(revision)) {
                assert!(rows(row.rule).any(|row| row.stands_in(revision)), "{} has a gap at {revision}", row.rule);
            }
        }
        assert!(Rule::BatchReceived.row("2025-06-18").is_none() && Rule::BatchReceived.row("2025-03-26").is_some());
        assert_eq!(Rule::NegotiatedOnly.row("2025-03-26").map(|row| row.force), Some(Force::Should));
        assert_eq!(Rule::NegotiatedOnly.row("2025-11-25").map(|row| row.force), Some(Force::Must));
    }
}
