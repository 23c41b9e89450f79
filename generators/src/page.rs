//! A page that verifies in a browser: one HTML file that holds the core, which decides every verdict.
//!
//! Its parts lie below `generators/page`. What can be asked, with which arguments, and what a law says follows from the
//! declarations; `shapes.json` says alone by which members a document is recognised. The policy of the page allows its own
//! style and its own script by their digests, a worker that the script makes, WebAssembly, and nothing else: it has no way
//! to ask for anything from outside.

use std::{
    collections::BTreeMap,
    io::{Read as _, Write as _},
};

use assize_corpus::operation::{Operation, Out, Table};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use minijinja::{
    Environment, Error, ErrorKind, UndefinedBehavior, context,
    syntax::SyntaxConfig,
    value::{Serde, Value as Seen},
};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{GENERATOR, carried::Core, collection::Law, files::Files, pack, plan};

/// What the page is called in its folder.
pub const PAGE: &str = "assize.html";

const TEMPLATE: &str = include_str!("../page/page.html");
const STYLE: &str = include_str!("../page/style.css");
const SHAPES: &str = include_str!("../page/shapes.json");

/// What runs in the page, in the order in which it is put together.
const SCRIPT: [&str; 6] = [
    include_str!("../page/words.js"),
    include_str!("../page/main/elements.js"),
    include_str!("../page/main/fields.js"),
    include_str!("../page/main/dropped.js"),
    include_str!("../page/main/result.js"),
    include_str!("../page/main/main.js"),
];

/// What runs in its worker.
const WORKER: [&str; 10] = [
    include_str!("../page/worker/trouble.js"),
    include_str!("../page/words.js"),
    include_str!("../page/worker/core.js"),
    include_str!("../page/worker/json.js"),
    include_str!("../page/worker/zip.js"),
    include_str!("../page/worker/guess.js"),
    include_str!("../page/worker/take.js"),
    include_str!("../page/worker/question.js"),
    include_str!("../page/worker/answer.js"),
    include_str!("../page/worker/worker.js"),
];

/// Where the core lies in the page: a gzip in base64 between these.
const CORE: (&str, &str) = ("<script type=\"application/octet-stream\" id=\"core\">", "</script>");

/// The most bytes of a core that a page is taken apart for.
const LARGEST: u64 = 64 << 20;

/// An operation as the page's form needs it.
#[derive(Serialize)]
struct Question<'t> {
    name: &'t str,
    system: &'t str,
    summary: &'t str,
    args: Vec<Parameter<'t>>,
    #[serde(rename = "in")]
    inputs: Vec<Value>,
    root: bool,
    root_description: Option<&'t str>,
    accept: Vec<Value>,
    reject: Vec<Value>,
    /// Whether an acceptance says that laws hold, and not only that there is an answer.
    judges: bool,
}

/// An argument as the page's form needs it; without `values` it is free.
#[derive(Serialize)]
struct Parameter<'t> {
    name: &'t str,
    #[serde(rename = "type")]
    kind: &'t str,
    required: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'t [Value]>,
    description: &'t str,
}

/// The page, with a core that is a module.
///
/// # Errors
/// The core is no module, or a part of the page is broken, which is a bug.
pub fn page(core: &Core, laws: &[Law], revision: &str, table: &Table) -> Result<Files, Error> {
    let broken = |message: String| Error::new(ErrorKind::BadSerialization, message);
    let module = core.module_bytes().ok_or_else(|| broken("a page carries a module, and no sources".to_owned()))?;
    let packed = packed(module).map_err(|error| broken(error.to_string()))?;
    let shapes: Value = serde_json::from_str(SHAPES).map_err(|error| broken(error.to_string()))?;
    let declared = declared(laws, &shapes, table);
    let (script, worker) = (SCRIPT.join("\n"), WORKER.join("\n"));
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true).build()?);
    let safe = |text: String| Seen::from_safe_string(text);
    let html = environment.render_named_str(
        "page.html",
        TEMPLATE,
        context! {
            generator => GENERATOR,
            revision => revision.get(..12).unwrap_or(revision),
            core_digest => pack::sha256(module),
            shapes => Seen::from(Serde(shapes.clone())),
            policy => safe(policy(STYLE, &script)),
            style => safe(STYLE.to_owned()),
            declared => safe(inert(&declared.to_string())),
            worker => safe(worker),
            core => safe(STANDARD.encode(packed)),
            script => safe(script),
        },
    )?;
    let mut files = Files::default();
    files.generated(PAGE, html.into_bytes());
    plan::attributes(&mut files);
    Ok(files)
}

/// The core that a page holds; nothing if it holds none.
#[must_use]
pub fn core_in(page: &str) -> Option<Core> {
    let (_, behind) = page.split_once(CORE.0)?;
    let packed = STANDARD.decode(behind.split_once(CORE.1)?.0).ok()?;
    let mut module = Vec::new();
    GzDecoder::new(packed.as_slice()).take(LARGEST).read_to_end(&mut module).ok()?;
    Core::module(module)
}

/// Without a name and a time: the same module gives the same bytes.
fn packed(module: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(module)?;
    encoder.finish()
}

/// Nothing may be loaded; one style, one script, and the worker and the core that this starts may run.
fn policy(style: &str, script: &str) -> String {
    let digest = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; style-src {}; script-src {} 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'",
        digest(style),
        digest(script)
    )
}

/// A JSON text that cannot end the element that it stands in.
fn inert(text: &str) -> String {
    text.replace('<', "\\u003c")
}

/// What the script reads: operations, laws, codes and shapes.
fn declared(laws: &[Law], shapes: &Value, table: &Table) -> Value {
    let laws: BTreeMap<&str, Value> = laws
        .iter()
        .map(|law| (law.slug.as_str(), json!({"title": law.title, "statement": law.statement, "spec": law.spec})))
        .collect();
    let codes: BTreeMap<&str, &str> = table
        .common_rejects
        .iter()
        .chain(&table.own_codes)
        .filter_map(|code| Some((code.code.as_str(), code.description.as_deref()?)))
        .collect();
    let operations: Vec<Question<'_>> = table.operations.iter().map(Question::new).collect();
    json!({"operations": operations, "laws": laws, "codes": codes, "shapes": shapes})
}

impl<'t> Question<'t> {
    fn new(operation: &'t Operation) -> Self {
        let outputs = |outs: &[Out]| {
            outs.iter().map(|out| json!({"name": out.name, "kind": out.kind.name()})).collect::<Vec<_>>()
        };
        let lists = |name: &str| operation.accept.iter().any(|out| out.name == name);
        let args = operation.args.iter().map(|argument| Parameter {
            name: &argument.name,
            kind: &argument.kind,
            required: argument.required,
            values: argument.values.as_deref(),
            description: &argument.description,
        });
        let inputs = operation
            .inputs
            .iter()
            .map(|input| json!({"name": input.name, "required": input.required, "description": input.description}));
        Self {
            name: &operation.name,
            system: &operation.system,
            summary: &operation.summary,
            args: args.collect(),
            inputs: inputs.collect(),
            root: operation.root,
            root_description: operation.root_description.as_deref(),
            accept: outputs(&operation.accept),
            reject: outputs(&operation.reject.out),
            judges: operation.accept.is_empty()
                || lists("findings")
                || operation.reject.codes.iter().any(|code| code.code.ends_with("/*")),
        }
    }
}

#[cfg(test)]
mod tests {
    use assize_corpus::operation;

    use super::*;

    fn made() -> String {
        let core = Core::module(b"\0asm of a test".to_vec()).unwrap();
        let law = Law {
            slug: "a/b".to_owned(),
            title: "</script>".to_owned(),
            statement: String::new(),
            spec: String::new(),
        };
        let files = page(&core, &[law], "0123456789abcdef", operation::table()).unwrap();
        String::from_utf8(files.find(PAGE).unwrap().bytes.clone()).unwrap()
    }

    #[test]
    fn a_page_gives_back_the_core_that_was_put_into_it() {
        let found = core_in(&made()).unwrap();
        assert_eq!(found.module_bytes(), Some(b"\0asm of a test".as_slice()));
        for none in ["", "<p>", &format!("{}!{}", CORE.0, CORE.1), &format!("{}aGFsbG8={}", CORE.0, CORE.1)] {
            assert!(core_in(none).is_none(), "{none}");
        }
    }

    /// The policy names what stands between the tags, to the byte.
    #[test]
    fn the_policy_allows_what_the_page_holds_and_no_request() {
        let page = made();
        let between = |begin: &str, end: &str| page.split_once(begin).unwrap().1.split_once(end).unwrap().0;
        let (style, script) = (between("<style>", "</style>"), between("<script type=\"module\">", "</script>"));
        let policy = between("Content-Security-Policy\" content=\"", "\"");
        assert_eq!(policy, super::policy(style, script));
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("connect-src"), "{policy}");
        assert!(!page.contains("http://") && !page.contains("https://"));
    }

    /// What is declared stays data, and each of the four elements ends where it should.
    #[test]
    fn nothing_that_is_declared_ends_an_element() {
        let page = made();
        assert_eq!(page.matches("</script>").count(), 4);
        assert!(page.contains("\\u003c/script>"));
    }

    /// Each question that is recognised is one that can be put.
    #[test]
    fn shapes_name_operations_documents_arguments_and_kinds_that_there_are() {
        let shapes: Value = serde_json::from_str(SHAPES).unwrap();
        let mut used: Vec<&str> = Vec::new();
        for question in shapes["questions"].as_array().unwrap() {
            let operation = operation::table().find(question["op"].as_str().unwrap()).unwrap();
            let docs = question["in"].as_object().into_iter().flatten();
            for (name, kind) in docs {
                assert!(operation.inputs.iter().any(|input| input.name == *name), "{question}");
                used.push(kind.as_str().unwrap());
            }
            let given = |name: &str| question["in"].get(name).is_some();
            assert!(operation.inputs.iter().all(|input| !input.required || given(&input.name)), "{question}");
            for (name, value) in question["args"].as_object().into_iter().flatten() {
                let argument = operation.args.iter().find(|argument| argument.name == *name).unwrap();
                assert!(argument.values.as_ref().unwrap().contains(value), "{question}");
            }
            if let Some(root) = question.get("root") {
                assert!(operation.root, "{question}");
                used.extend(root.as_str());
            }
            if let Some(name) = question.get("narrow") {
                assert!(given(name.as_str().unwrap()), "{question}");
            }
        }
        let mut kinds: Vec<&str> = shapes["kinds"].as_object().unwrap().keys().map(String::as_str).collect();
        used.sort_unstable();
        used.dedup();
        kinds.sort_unstable();
        assert_eq!(kinds, used);
    }
}
