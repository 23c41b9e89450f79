//! Shapes of code that look like a fault and are none, beside those that are one.

use std::fs;

use assize_source::{Code, Tree};

use crate::support::{breaches, planted, tree};

/// A tree of one file, which has a builder, with its breaches by line and law.
pub(crate) fn read(name: &str, text: &str) -> (Tree, Vec<(usize, String)>) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let tree = tree(folder.path());
    assert_eq!(tree.broken, Vec::<String>::new());
    let registry = fs::read(planted("registry.json")).unwrap();
    let found = breaches(&tree, &registry).into_iter().map(|(_, line, law)| (line, law)).collect();
    (tree, found)
}

fn python(text: &str) -> (Tree, Vec<(usize, String)>) {
    read("tool.py", &format!("from reply import ReplyBuilder\n{text}"))
}

fn script(text: &str) -> (Tree, Vec<(usize, String)>) {
    read("tool.ts", &format!("import {{ ReplyBuilder }} from './reply';\n{text}"))
}

/// Lines with a breach of one law, and lines with advice by it.
pub(crate) fn lines((tree, found): &(Tree, Vec<(usize, String)>), law: &str) -> (Vec<usize>, Vec<usize>) {
    let found = found.iter().filter(|(_, own)| own == law).map(|(line, _)| *line).collect();
    let advice = tree.advice.iter().filter(|one| one.law == law).map(|one| one.place.line).collect();
    (found, advice)
}

const ENVELOPE: &str = "reply/envelope-separation";
const BUILDER: &str = "reply/single-builder";
const RAW: &str = "reply/no-raw-return";

#[test]
fn what_a_wrapper_is_made_of_may_make_envelopes() {
    let object = "({ status: 's', reply_type: 'S', meta: {}, data: reply.data })";
    let arrow = script(&format!("export const mcpSafeTool = (tool) => async (reply) => {object};\n"));
    assert_eq!(lines(&arrow, ENVELOPE), (vec![], vec![]));
    let then = format!(
        "const toEnvelope = (reply) => {object};\nconst other = (reply) => {object};\n\
         export function mcpSafeTool(tool) {{ return (a) => tool(a).then(toEnvelope); }}\n"
    );
    assert_eq!(lines(&script(&then), ENVELOPE), (vec![3], vec![]));
    let member = format!(
        "class Envelopes {{\n  make(reply) {{ return {object}; }}\n  other(reply) {{ return {object}; }}\n}}\n\
         const envelopes = new Envelopes();\n\
         export function mcpSafeTool(tool) {{ return (a) => envelopes.make(tool(a)); }}\n"
    );
    assert_eq!(lines(&script(&member), ENVELOPE), (vec![4], vec![]));
    let own = python(
        "class Server:\n    def mcp_safe_tool(self, tool):\n        return self._envelope(tool())\n\n    \
         def _envelope(self, reply):\n        return {'status': 's', 'reply_type': 'S', 'meta': {}}\n\n    \
         def other(self, reply):\n        return {'status': 's', 'reply_type': 'S', 'meta': {}}\n",
    );
    assert_eq!(lines(&own, ENVELOPE), (vec![10], vec![]));
}

#[test]
fn a_builder_in_the_place_of_one_that_is_missing_is_no_second() {
    let given = python(
        "from typing import Optional\ndef f(x, rb: Optional[ReplyBuilder] = None):\n    rb = rb or ReplyBuilder()\n    \
         return rb.success()\n\ndef g(x, rb: ReplyBuilder):\n    rb = ReplyBuilder()\n    return rb.success()\n\n\
         def h(x, rb: ReplyBuilder = None):\n    if rb is None:\n        rb = ReplyBuilder()\n    return rb.success()\n\n\
         def i(x, rb: ReplyBuilder):\n    rb = rb if rb else ReplyBuilder()\n    return rb.success()\n",
    );
    assert_eq!(lines(&given, BUILDER), (vec![8], vec![]));
    let given = script(
        "function f(rb?: ReplyBuilder) {\n  rb ??= new ReplyBuilder();\n  return rb.success();\n}\n\
         function g(rb: ReplyBuilder | undefined) {\n  rb ??= new ReplyBuilder();\n  return rb.success();\n}\n\
         function h(rb: ReplyBuilder) {\n  rb = new ReplyBuilder();\n  return rb.success();\n}\n",
    );
    assert_eq!(lines(&given, BUILDER), (vec![11], vec![]));
}

#[test]
fn an_object_that_goes_nowhere_is_advice() {
    let objects = python(
        "rb = ReplyBuilder()\ndef f(reply):\n    log({'status': 's', 'reply_type': 'S', 'meta': {}})\n    \
         seen.append({'reply_type': 'S', 'code': 'c', 'data': {}})\n    \
         answer = {'status': 's', 'reply_type': 'S', 'meta': {}}\n    return answer\n\n\
         def g(reply):\n    return {'reply_type': 'S', 'code': 'c', 'data': {}}\n",
    );
    assert_eq!(lines(&objects, ENVELOPE), (vec![6], vec![4]));
    assert_eq!(lines(&objects, BUILDER), (vec![10], vec![5]));
}

#[test]
fn a_variable_of_another_kind_is_no_builder_by_its_name() {
    let other = python(
        "class Ring:\n    def error(self, text):\n        pass\n\n\ndef ring():\n    return Ring()\n\n\ndef typed() -> Ring:\n    \
         return Ring()\n\n\ndef a():\n    rb: Ring = make()\n    rb.error('a')\n\n\ndef b():\n    rb = Ring()\n    rb.error('b')\n\n\n\
         def c():\n    rb = ring()\n    rb.error('c')\n\n\ndef d():\n    rb = typed()\n    rb.error('d')\n\n\n\
         def e():\n    rb: Ring\n    rb.error('e')\n\n\ndef builder():\n    return ReplyBuilder()\n\n\n\
         def f():\n    rb = builder()\n    rb.error('f')\n\n\ndef g():\n    rb = unknown()\n    rb.error('g')\n",
    );
    let codes: Vec<_> = other.0.sites.iter().map(|site| site.code.clone()).collect();
    assert_eq!(codes, [Code::Known("f".to_owned()), Code::Known("g".to_owned())]);
}

#[test]
fn what_is_bound_otherwise_is_no_constant() {
    let unknown = |(tree, _): &(Tree, Vec<(usize, String)>)| {
        let sites = tree.sites.iter().filter(|site| site.method.as_deref() == Some("error"));
        sites.map(|site| matches!(site.code, Code::Unknown(_))).collect::<Vec<_>>()
    };
    let bound = python(
        "code = 'WA-RES-E-001'\nrb = ReplyBuilder()\ndef walrus():\n    if (code := f()):\n        rb.error(code)\n\n\
         def each():\n    return [rb.error(code) for code in codes]\n\n\
         def case(x):\n    match x:\n        case {'code': code}:\n            rb.error(code)\n        \
         case Failure(at=code):\n            rb.error(code)\n        case _:\n            rb.error('WA-RES-E-001')\n\n\
         def caught():\n    try:\n        f()\n    except OSError as code:\n        rb.error(code)\n\n\
         def outer():\n    rb.error(code)\n",
    );
    assert_eq!(unknown(&bound), [true, true, true, true, false, true, false]);
    let bound = script(
        "const code = 'WA-RES-E-001';\nconst rb = new ReplyBuilder();\n\
         function a(x) { const { code } = x; rb.error(code); }\n\
         function b(x) { const { of: code, ...rest } = x; rb.error(code); }\n\
         function c(x) { const { code = 1 } = x; rb.error(code); }\n\
         function d({ code }: Of) { rb.error(code); }\n\
         const e = ([code]) => rb.error(code);\n\
         function f(x) { const { other: { code } } = x; rb.error(code); }\n\
         function h(x) { let code = 'WA-RES-E-001'; while ((code = next(x))) { rb.error(code); } }\n\
         function i() { try { f(); } catch (code) { rb.error(code); } }\n\
         function g() { rb.error(code); }\n\
         const j = () => { let code; const x = (code = f()); };\n\
         rb.error(code);\n",
    );
    assert_eq!(unknown(&bound), [true, true, true, true, true, true, true, true, false, false]);
}

#[test]
fn an_arm_that_ends_in_a_call_may_never_return() {
    let ends = script(
        "export const a = mcpSafeTool(async (x) => {\n  switch (x) {\n    case 1: return new ReplyBuilder().success({});\n    \
         default: assertNever(x);\n  }\n});\n\
         export const b = mcpSafeTool(async (x) => {\n  if (x) {\n    return new ReplyBuilder().success({});\n  } else {\n    \
         assertNever(x);\n  }\n});\n\
         export const c = mcpSafeTool(async (x) => {\n  if (x) {\n    assertNever(x);\n  }\n});\n",
    );
    assert_eq!(lines(&ends, RAW), (vec![15], vec![2, 8]));
}

#[test]
fn whether_there_is_a_message_is_no_text() {
    let law = "reply/branch-on-code";
    let python = python(
        "def f(reply: Reply):\n    if reply.message is None:\n        pass\n    if reply.message == 'x':\n        pass\n",
    );
    assert_eq!(lines(&python, law), (vec![5], vec![]));
    let script = script(
        "function f(reply: Reply) {\n  if (reply.message === undefined) g();\n  if (reply.message === 'x') g();\n}\n",
    );
    assert_eq!(lines(&script, law), (vec![4], vec![]));
}

#[test]
fn arguments_in_a_list_may_hold_the_code() {
    let spread = python(
        "rb = ReplyBuilder()\ndef f(a, b):\n    rb.error(**b)\n    rb.error(data={}, **b)\n    rb.error(*a)\n    rb.error(data={})\n",
    );
    assert_eq!(lines(&spread, "reply/builder-api"), (vec![7], vec![]));
}

#[test]
fn what_describes_a_builder_is_no_second() {
    let methods =
        "    def success(self): ...\n    def invalid(self): ...\n    def denied(self): ...\n    def error(self): ...\n";
    let classes = python(&format!(
        "class ReplyBuilder:\n{methods}\nclass Builds(Protocol):\n{methods}\nclass Of(Protocol[T]):\n{methods}\nclass Other:\n{methods}"
    ));
    assert_eq!(lines(&classes, BUILDER), (vec![20], vec![]));
}

/// Which of several codes arrives is not for an edit to say.
#[test]
fn a_call_with_several_codes_is_not_alone() {
    let sites = python("rb = ReplyBuilder()\ndef f(x):\n    rb.error('a' if x else 'b')\n    rb.error('c')\n");
    let alone: Vec<_> = sites.0.sites.iter().map(|site| site.alone).collect();
    assert_eq!(alone, [false, false, true]);
}

#[test]
fn what_holds_builders_has_methods_of_its_own() {
    let law = "reply/builder-api";
    let held = python(
        "def f(a: list[ReplyBuilder], b: dict[str, ReplyBuilder], c: type[ReplyBuilder], d: tuple[ReplyBuilder, ...]):\n    \
         a.append(1)\n    b.get(1)\n    c.make(1)\n    d.index(1)\n\n\
         def g(a: reply.ReplyBuilder, b: 'ReplyBuilder', c: Optional[ReplyBuilder]):\n    a.x(1)\n    b.x(1)\n    c.x(1)\n",
    );
    assert_eq!(lines(&held, law), (vec![9, 10, 11], vec![]));
    let held = script(
        "function f(a: ReplyBuilder[], b: readonly ReplyBuilder[], c: [ReplyBuilder, string], d: () => ReplyBuilder, \
         e: { rb: ReplyBuilder }) {\n  \
         a.push(1);\n  b.map(1);\n  c.at(1);\n  d.call(1);\n  e.x(1);\n}\n\
         function g(a: ReplyBuilder, b: ReplyBuilder | undefined, c: Readonly<ReplyBuilder>) {\n  a.x(1);\n  b.x(1);\n  c.x(1);\n}\n",
    );
    assert_eq!(lines(&held, law), (vec![10, 11, 12], vec![]));
}

#[test]
fn a_wrapper_returns_what_it_makes_of_a_reply() {
    let law = "reply/terminal-return";
    let wrapped = python(
        "def mcp_safe_tool(tool):\n    def run():\n        try:\n            \
         return envelope(tool())\n        except Exception:\n            \
         return envelope(ReplyBuilder().error('MCP-SYS-E-001'))\n    return run\n\n\
         def other(tool):\n    return envelope(ReplyBuilder().error('MCP-SYS-E-001'))\n",
    );
    assert_eq!(lines(&wrapped, law), (vec![11], vec![]));
    let wrapped = read(
        "wrapper.go",
        "package reply\ntype ReplyBuilder struct{}\n\
         func McpSafeTool(tool func() Reply) func() any {\n  return func() (out any) {\n    \
         defer func() { if recover() != nil { out = envelope(NewReplyBuilder().Error(\"MCP-SYS-E-001\")) } }()\n    \
         return envelope(tool())\n  }\n}\n\
         func other() any {\n  return envelope(NewReplyBuilder().Error(\"MCP-SYS-E-001\"))\n}\n",
    );
    assert_eq!(lines(&wrapped, law), (vec![10], vec![]));
}
