//! Innocent code that was condemned once, beside what is guilty.

use std::fs;

use crate::{
    shapes::{lines, read},
    support::tree,
    typed::{BRANCH, BUILDER, RAW, RETURN, WRAPPER, go, java},
};

#[test]
fn what_stands_above_a_class_makes_it_safe_however_it_is_written() {
    let text = "package a;\nimport reply.*;\n\
        @McpSafeTool(timeout = 5) class A { @Tool Reply a() { return new ReplyBuilder().success(); } }\n\
        @org.x.McpSafeTool class B { @Tool Reply a() { return new ReplyBuilder().success(); } }\n\
        @Other(timeout = 5) class C { @Tool Reply a() { return new ReplyBuilder().success(); } }\n";
    assert_eq!(lines(&read("A.java", text), WRAPPER), (vec![5], vec![]));
}

#[test]
fn a_value_that_says_nothing_beside_an_error_is_no_answer() {
    let fails = go("func a(x string) (string, error) {\n  return \"\", fail()\n}\n\
         func b(x string) (int, error) {\n  return 0, fail()\n}\n\
         func c(x string) (bool, error) {\n  return false, fail()\n}\n\
         func d(x string) (any, bool) {\n  return nil, false\n}\n\
         func e(x string) (string, error) {\n  return \"e\", fail()\n}\n\
         func f(x string) (s string, err error) {\n  if err = do(); err != nil {\n    return\n  }\n  s = x\n  return\n}\n\
         func g(x string) (s string, err error) {\n  err = fail()\n  return\n}\n\
         func r() { s.AddTool(safe(a)); s.AddTool(safe(b)); s.AddTool(safe(c)); s.AddTool(safe(d)); s.AddTool(safe(e)); \
         s.AddTool(safe(f)); s.AddTool(safe(g)) }\n\
         func safe(tool any) any { return reply.McpSafeTool(reply.NewReplyBuilder(), tool) }\n");
    assert_eq!(lines(&fails, RAW), (vec![13, 16, 23], vec![]));
}

#[test]
fn what_a_return_binds_itself_stands_not_before_it() {
    let bound = go("func a(b *reply.ReplyBuilder) *reply.Reply {\n  r := b.Error(\"WA-READ-E-001\")\n  return &r\n}\n\
         func c(b *reply.ReplyBuilder, i int) reply.Reply {\n  r := b.Error(\"WA-READ-E-001\")\n  i++\n  return r\n}\n");
    assert_eq!(lines(&bound, RETURN), (vec![8], vec![]));
    let bound = java(
        "Reply a(ReplyBuilder b, int i) {\n  Reply r = b.error(\"WA-READ-E-001\");\n  return i++ > 1 ? r : r;\n}\n\
         Reply c(ReplyBuilder b, int i) {\n  Reply r = b.error(\"WA-READ-E-001\");\n  i++;\n  return r;\n}\n",
    );
    assert_eq!(lines(&bound, RETURN), (vec![9], vec![]));
}

#[test]
fn a_result_that_a_deferred_function_assigns_is_returned() {
    let deferred = go("func a() (r reply.Reply) {\n  b := reply.NewReplyBuilder()\n  defer func() {\n\
             if e := recover(); e != nil { r = b.Error(\"WA-READ-E-001\") }\n  }()\n  return b.Success()\n}\n\
         func c() (r reply.Reply) {\n  b := reply.NewReplyBuilder()\n  defer func() {\n\
             if e := recover(); e != nil { q = b.Error(\"WA-READ-E-001\") }\n  }()\n  return b.Success()\n}\n");
    assert_eq!(lines(&deferred, RETURN), (vec![13], vec![]));
}

/// What only the brackets hold stays there: a list, a comment.
#[test]
fn what_takes_the_place_of_a_method_leaves_the_brackets_alone() {
    let edits = |tree: &assize_source::Tree| {
        let edits = tree.sites.iter().filter_map(|site| site.edit.clone());
        edits.map(|edit| (edit.place.end - edit.place.start, edit.text)).collect::<Vec<_>>()
    };
    let said = go("func f(b *reply.ReplyBuilder, x []any) {\n  b.Fail(\"EN-WRITE-D-001\", x...)\n\
           b.Fail(\"EN-WRITE-D-001\" /* why */, 1)\n  other := b.Fail\n  other(\"EN-WRITE-D-001\")\n}\n");
    assert_eq!(edits(&said.0), [(4, "Denied".to_owned()), (4, "Denied".to_owned())]);
    let text = "from reply import ReplyBuilder\nrb = ReplyBuilder()\nrb.info({'a': 1},  # why\n)\n\
        rb.info(data={'a': 1})\nrb.info('a',  # why\n)\nrb.info('a',)\n";
    let renamed = (4, "success".to_owned());
    let made = (10, "success(data={\"info\": ['a']})".to_owned());
    assert_eq!(edits(&read("tool.py", text).0), [renamed.clone(), renamed, made]);
}

/// Another package has replies of its own.
#[test]
fn a_reply_of_another_package_is_none() {
    let reply = go("var b = reply.NewReplyBuilder(); func a(r *ring.Reply) bool { return r.Message == \"x\" }\n\
         func c(r *reply.Reply) bool { return r.Message == \"x\" }\n");
    assert_eq!(lines(&reply, BRANCH), (vec![4], vec![]));
    let text = |import: &str, of: &str| {
        format!(
            "package a;\nimport reply.ReplyBuilder;\n{import}\nclass A {{ ReplyBuilder b = new ReplyBuilder();\n\
             boolean a({of} r) {{ return r.message().equals(\"x\"); }} }}\n"
        )
    };
    for (import, of, due) in [
        ("import io.lettuce.Reply;", "Reply", vec![]),
        ("", "io.lettuce.Reply", vec![]),
        ("import reply.Reply;", "Reply", vec![5]),
        ("import reply.model.Reply;", "Reply", vec![5]),
        ("", "reply.Reply", vec![5]),
        ("", "Reply", vec![5]),
    ] {
        assert_eq!(lines(&read("A.java", &text(import, of)), BRANCH), (due, vec![]), "{import} {of}");
    }
    for (module, due) in [("redis", vec![]), ("reply", vec![4]), ("reply.types", vec![4]), (".types", vec![4])] {
        let text = format!(
            "from reply import ReplyBuilder\nfrom {module} import Reply\nrb = ReplyBuilder()\n\
             def a(r: Reply): return r.message == 'x'\n"
        );
        assert_eq!(lines(&read("a.py", &text), BRANCH), (due, vec![]), "{module}");
    }
}

#[test]
fn methods_of_one_name_are_judged_where_they_agree() {
    let overloads = java(
        "private Reply make(int x) { return made().success(); }\nprivate String make(String x) { return x; }\n\
         private String both(int x) { return \"\"; }\nprivate String both(String x) { return x; }\n\
         @Tool @McpSafeTool Object a() { return make(1); }\n@Tool @McpSafeTool Object c() { return both(1); }\n\
         private String run(int x) { return \"\"; }\nprivate Reply run(String x) { return made().success(); }\n\
         private String only(int x) { return \"\"; }\n\
         @McpSafeTool private Reply go(String x) { return made().success(); }\nprivate String go(int x) { return \"\"; }\n\
         void r(Server s) { s.addTool(\"a\", mcpSafeTool(this::run));\ns.addTool(\"b\", mcpSafeTool(this::only));\n\
         s.addTool(\"c\", this::go);\ns.addTool(\"d\", this::only); }\n",
    );
    assert_eq!(lines(&overloads, RAW), (vec![9, 12], vec![]));
    assert_eq!(lines(&overloads, WRAPPER), (vec![18], vec![17]));
}

#[test]
fn what_is_compared_with_nothing_may_be_made() {
    let given = go(
        "func a(b *reply.ReplyBuilder) any { if nil == b { b = reply.NewReplyBuilder() }; return b.Success() }\n\
         func c(b *reply.ReplyBuilder) any { if b==nil { b = reply.NewReplyBuilder() }; return b.Success() }\n\
         func d(b *reply.ReplyBuilder, rb any) any { if rb == nil {}; b = reply.NewReplyBuilder(); return b.Success() }\n\
         func e(b *reply.ReplyBuilder) any { log(\"b == nil\"); b = reply.NewReplyBuilder(); return b.Success() }\n",
    );
    assert_eq!(lines(&given, BUILDER), (vec![5, 6], vec![]));
    let given = java(
        "Reply a(ReplyBuilder rb) { if (null == rb) { rb = new ReplyBuilder(); } return rb.success(); }\n\
         Reply c(ReplyBuilder rb) { if (rb==null) { rb = new ReplyBuilder(); } return rb.success(); }\n\
         Reply d(ReplyBuilder rb) { if (Objects.isNull(rb)) { rb = new ReplyBuilder(); } return rb.success(); }\n\
         Reply e(ReplyBuilder b, String rb) { if (rb == null) { } b = new ReplyBuilder(); return b.success(); }\n",
    );
    assert_eq!(lines(&given, BUILDER), (vec![7], vec![]));
}

#[test]
fn what_is_asked_whether_it_is_missing_may_be_made() {
    let text = "from reply import ReplyBuilder\n\
        def a(rb: ReplyBuilder):\n    if rb is None:\n        rb = ReplyBuilder()\n    return rb.success()\n\
        def b(rb: ReplyBuilder):\n    if not rb:\n        rb = ReplyBuilder()\n    return rb.success()\n\
        def c(rb: ReplyBuilder):\n    rb = ReplyBuilder()\n    return rb.success()\n";
    assert_eq!(lines(&read("a.py", text), BUILDER), (vec![11], vec![]));
    let text = "import { ReplyBuilder } from './reply';\n\
        function a(rb: ReplyBuilder) { if (rb === null) rb = new ReplyBuilder(); return rb.success(); }\n\
        function b(rb: ReplyBuilder) { if (!rb) rb = new ReplyBuilder(); return rb.success(); }\n\
        function c(rb: ReplyBuilder) { rb = new ReplyBuilder(); return rb.success(); }\n";
    assert_eq!(lines(&read("a.ts", text), BUILDER), (vec![4], vec![]));
}

#[test]
fn what_holds_or_counts_messages_may_decide_nothing() {
    let seen = java(
        "void f(Reply r, String s, Set<String> seen) {\n  if (seen.contains(r.message())) g();\n  if (s.contains(r.message())) g();\n\
           if (Objects.equals(r.message(), \"x\")) g();\n  if (Pattern.matches(\"x\", r.message())) g();\n}\n",
    );
    assert_eq!(lines(&seen, BRANCH), (vec![6, 7, 8], vec![5]));
    let text = "import { ReplyBuilder } from './reply';\nimport { Reply } from './reply';\n\
        function f(reply: Reply) {\n  metrics.count(reply.message);\n  index.find(reply.message);\n  if (/x/.test(reply.message)) g();\n\
          if ('x'.includes(reply.message)) g();\n}\nconst b = new ReplyBuilder();\n";
    assert_eq!(lines(&read("a.ts", text), BRANCH), (vec![6, 7], vec![4, 5]));
}

#[test]
fn what_passes_a_reply_on_returns_it() {
    let passed = java(
        "Uni<Reply> a(ReplyBuilder b) { return Uni.createFrom().item(b.error(\"WA-READ-E-001\")); }\n\
         Optional<Reply> c(ReplyBuilder b) { return Optional.of(b.error(\"WA-READ-E-001\")); }\n\
         Reply d(ReplyBuilder b) { return Objects.requireNonNull(b.error(\"WA-READ-E-001\")); }\n\
         Mono<Reply> e(ReplyBuilder b) { return Mono.just(b.error(\"WA-READ-E-001\")); }\n\
         Reply f(ReplyBuilder b) { return other(b.error(\"WA-READ-E-001\")); }\n",
    );
    assert_eq!(lines(&passed, RETURN), (vec![8], vec![]));
}

/// What the tools of Go leave out belongs to no program; other languages know nothing of it.
#[test]
fn folders_that_go_leaves_out_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.go", "_a.go", "testdata/b.go", "testdata/b.py", "_c/d/c.go", "_c/d/_c.py", "d/testdata.go"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }
    assert_eq!(tree(folder.path()).files, 4);
}

#[test]
fn what_lies_too_deep_is_said_to_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let deep = |levels: usize| folder.path().join(vec!["d"; levels].join("/"));
    fs::create_dir_all(deep(101)).unwrap();
    fs::write(deep(100).join("a.py"), "").unwrap();
    fs::write(deep(101).join("b.py"), "").unwrap();
    let tree = tree(folder.path());
    assert_eq!((tree.files, tree.skipped.len()), (1, 1));
    assert_eq!(tree.skipped[0].file, vec!["d"; 101].join("/"));
}

/// A code that something else may have changed meanwhile is not known.
#[test]
fn what_is_changed_elsewhere_is_no_constant() {
    let known = |tree: &assize_source::Tree| {
        let sites = tree.sites.iter().filter(|site| site.method.as_deref() == Some("invalid"));
        sites.map(|site| matches!(site.code, assize_source::Code::Known(_))).collect::<Vec<_>>()
    };
    let text = "from reply import ReplyBuilder\nrb = ReplyBuilder()\nCODE = OTHER = 'zip'\nA = {'a': 'zip', 'b': 'zip'}\nA['a'] = 'x'\n\
        B = {'a': 'zip'}\nclass K:\n    CODE = 'zip'\n    OTHER = 'zip'\nK.CODE = 'x'\n\
        def set():\n    global CODE\n    CODE = 'x'\n    B.update(more())\n\
        def f():\n    code = other = 'zip'\n    def inner():\n        nonlocal code\n        code = 'x'\n    inner()\n    \
        rb.invalid(code)\n    rb.invalid(other)\n    rb.invalid(CODE)\n    rb.invalid(OTHER)\n    rb.invalid(A['a'])\n    \
        rb.invalid(A['b'])\n    rb.invalid(B['a'])\n    rb.invalid(K.CODE)\n    rb.invalid(K.OTHER)\n";
    let due = [false, true, false, true, false, true, false, false, true];
    assert_eq!(known(&read("a.py", text).0), due);
    let text = "import { ReplyBuilder } from './reply';\nconst rb = new ReplyBuilder();\nlet C = 'zip';\nconst T = { a: 'zip', b: 'zip' };\n\
        T['a'] = 'x';\nexport function set() { C = 'x'; }\n\
        function f() { let code = 'zip'; let own = 'zip'; (() => { code = 'x'; let own; own = 'x'; })();\n\
        rb.invalid(code); rb.invalid(own); rb.invalid(C); rb.invalid(T.a); rb.invalid(T.b); }\n";
    assert_eq!(known(&read("a.ts", text).0), [false, true, false, false, true]);
    let map = java(
        "static final Map<String, String> M = Map.of(\"a\", \"zip\"); static final Map<String, String> N = Map.of(\"a\", \"zip\");\n\
         static { M.put(\"a\", \"x\"); }\nvoid f(ReplyBuilder b) { b.invalid(M.get(\"a\")); b.invalid(N.get(\"a\")); }\n",
    );
    assert_eq!(known(&map.0), [false, true]);
    let inner = go("func f(b *reply.ReplyBuilder) { code, own := \"zip\", \"zip\"\n\
           func() { code = \"x\"; own := \"y\"; own = \"x\"; use(own) }()\n  b.Invalid(code); b.Invalid(own) }\n\
         func g(b *reply.ReplyBuilder) { other := \"zip\"; other = \"x\"; b.Invalid(other) }\n");
    assert_eq!(known(&inner.0), [false, true, true]);
    let map = go("var m = map[string]string{\"a\": \"zip\"}\nvar n = map[string]string{\"a\": \"zip\"}\n\
         func init() { m[\"a\"] = \"x\" }\nfunc f(b *reply.ReplyBuilder) { b.Invalid(m[\"a\"]); b.Invalid(n[\"a\"]) }\n");
    assert_eq!(known(&map.0), [false, true]);
}

#[test]
fn a_break_leaves_what_its_label_names() {
    let labels =
        go("func f(b *reply.ReplyBuilder) reply.Reply {\n  var r reply.Reply\nouter:\n  for {\n    for {\n      \
         r = b.Error(\"WA-READ-E-001\")\n      break outer\n    }\n  }\n  return r\n}\n\
         func g(b *reply.ReplyBuilder) reply.Reply {\n  var r reply.Reply\nouter:\n  for {\n    for {\n      \
         r = b.Error(\"WA-READ-E-001\")\n      break\n    }\n    log(r)\n    break outer\n  }\n  return r\n}\n");
    assert_eq!(lines(&labels, RETURN), (vec![19], vec![]));
    let labels = java(
        "Reply f(ReplyBuilder b) {\n  Reply r;\n  outer: for (;;) { for (;;) {\n    r = b.error(\"WA-READ-E-001\");\n    \
         break outer; } }\n  return r;\n}\n\
         Reply g(ReplyBuilder b) {\n  Reply r;\n  for (;;) { inner: for (;;) {\n    r = b.error(\"WA-READ-E-001\");\n    \
         break inner; }\n  log(r); }\n}\n",
    );
    assert_eq!(lines(&labels, RETURN), (vec![14], vec![]));
    let text = "import { ReplyBuilder } from './reply';\nconst rb = new ReplyBuilder();\n\
        function f() { let r; outer: for (;;) { for (;;) {\n  r = rb.error('WA-READ-E-001');\n  break outer; } }\n  return r; }\n\
        function g() { let r; outer: for (;;) { for (;;) {\n  r = rb.error('WA-READ-E-001');\n  break outer; } }\n  log(r); }\n";
    assert_eq!(lines(&read("a.ts", text), RETURN), (vec![8], vec![]));
}

/// A loop without a condition is left by what stands in it alone; behind one with a condition a tool may come to an end without a reply.
#[test]
fn a_loop_without_a_condition_has_no_end() {
    for (head, due) in [
        ("for (;;)", vec![]),
        ("for (let i = 0; ; i++)", vec![]),
        ("while (true)", vec![]),
        ("for (; more();)", vec![3]),
        ("while (more())", vec![3]),
    ] {
        let text = format!(
            "import {{ ReplyBuilder }} from './reply';\nconst rb = new ReplyBuilder();\n\
             s.registerTool('a', mcpSafeTool((x) => {{ {head} {{ if (x()) {{ return rb.success(); }} }} }}));\n"
        );
        assert_eq!(lines(&read("a.ts", &text), RAW), (due, vec![]), "{head}");
    }
    for head in ["for", "for ;;", "for i := 0; ; i++"] {
        let text = format!(
            "func a(b *reply.ReplyBuilder, x X) (r reply.Reply) {{ {head} {{ if x.y() {{ return b.Success() }} }} }}\n\
             func r() {{ s.AddTool(safe(a)) }}\nfunc safe(tool any) any {{ return reply.McpSafeTool(reply.NewReplyBuilder(), tool) }}\n"
        );
        assert_eq!(lines(&go(&text), RAW), (vec![], vec![]), "{head}");
    }
}
