//! Shapes of Go and of Java that look like a fault and are none, beside those that are one.

use std::fs;

use assize_source::{Code, Tree};

use crate::{
    shapes::{lines, read},
    support::{planted, tree},
};

pub(crate) const BRANCH: &str = "reply/branch-on-code";
pub(crate) const BUILDER: &str = "reply/single-builder";
const ENVELOPE: &str = "reply/envelope-separation";
const FORBIDDEN: &str = "reply/no-forbidden-methods";
pub(crate) const RAW: &str = "reply/no-raw-return";
pub(crate) const RETURN: &str = "reply/terminal-return";
pub(crate) const WRAPPER: &str = "reply/crash-is-error";

/// What is said begins on line 3.
pub(crate) fn go(text: &str) -> (Tree, Vec<(usize, String)>) {
    read(
        "tool.go",
        &format!("package tools\nimport (\"example.org/reply\"; \"strings\"; rb \"example.org/ring\")\n{text}"),
    )
}

/// What is said begins on line 4, inside of a class.
pub(crate) fn java(text: &str) -> (Tree, Vec<(usize, String)>) {
    read(
        "Tools.java",
        &format!(
            "package tools;\nimport reply.*;\nclass Tools {{ static ReplyBuilder made() {{ return new ReplyBuilder(); }}\n{text}}}\n"
        ),
    )
}

/// Whether the codes of all calls of `error` are followed, in order.
fn followed(tree: &Tree) -> Vec<bool> {
    let sites = tree.sites.iter().filter(|site| site.method.as_deref() == Some("error"));
    sites.map(|site| matches!(site.code, Code::Known(_))).collect()
}

#[test]
fn what_is_bound_otherwise_is_no_constant_in_go() {
    let bound = go("var code = \"WA-RES-E-001\"\n\
         func a(b *reply.ReplyBuilder) { code := \"x\"; scan(&code); b.Error(code) }\n\
         func c(b *reply.ReplyBuilder) { for _, code := range all { b.Error(code) } }\n\
         func d(b *reply.ReplyBuilder, x any) { switch code := x.(type) { case string: b.Error(code) } }\n\
         func e(b *reply.ReplyBuilder) { select { case code := <-all: b.Error(code) } }\n\
         func f(b *reply.ReplyBuilder) { code, other := \"x\", \"y\"; code, other = other, code; b.Error(code) }\n\
         func g(b *reply.ReplyBuilder) { n, code := read(); use(n); b.Error(code) }\n\
         func h(b *reply.ReplyBuilder) { code += \"x\"; b.Error(code) }\n\
         func i(b *reply.ReplyBuilder) { b.Error(code) }\n\
         func j(b *reply.ReplyBuilder) { code, n := \"WA-RES-E-001\", 1; use(n); b.Error(code) }\n");
    // One of the functions assigns it, so that it is no constant where it is not assigned before.
    assert_eq!(followed(&bound.0), [false, false, false, false, false, false, false, false, true]);
}

#[test]
fn what_is_bound_otherwise_is_no_constant_in_java() {
    let bound = java(
        "static final String CODE = \"WA-RES-E-001\"; String may = \"WA-RES-E-001\"; final String is = \"WA-RES-E-001\";\n\
         void a(ReplyBuilder b) { for (String CODE : all) { b.error(CODE); } }\n\
         void c(ReplyBuilder b, Object x) { if (x instanceof String CODE) { b.error(CODE); } }\n\
         void d(ReplyBuilder b) { try { f(); } catch (Coded CODE) { b.error(CODE); } }\n\
         void e(ReplyBuilder b) { all.forEach(CODE -> b.error(CODE)); }\n\
         void f(ReplyBuilder b, Object x) { switch (x) { case Failure(String CODE) -> b.error(CODE); default -> {} } }\n\
         void g(ReplyBuilder b) { b.error(may); }\n\
         void h(ReplyBuilder b) { String code = \"x\"; while ((code = next()) != null) { b.error(code); } }\n\
         void i(ReplyBuilder b) { b.error(CODE); b.error(this.is); b.error(Tools.CODE); b.error(is); }\n",
    );
    let known = followed(&bound.0);
    assert_eq!(known[..7], [false; 7]);
    assert!(known[7]);
    assert_eq!(known.last(), Some(&true));
}

#[test]
fn constants_of_an_enumeration_are_followed_through_one_constructor() {
    let folder = tempfile::tempdir().unwrap();
    let text = "package codes;\n\
        enum One { A(\"WA-RES-E-001\", 1); final String text; One(String text, int rank) { this.text = text; } \
         String text() { return text; } }\n\
        enum Two { A(\"WA-RES-E-001\"); String text; Two(String text) { this.text = text; } \
         Two(int of) { this(\"x\" + of); } String text() { return text; } }\n\
        enum Three { A(\"WA-RES-E-001\"); String text; Three(String text) { this.text = text; } String text() { return \"x\" + text; } }\n\
        enum Four { A(\"WA-RES-E-001\") { String text() { return \"x\"; } }; String text; \
         Four(String text) { this.text = text; } String text() { return text; } }\n";
    fs::write(folder.path().join("Codes.java"), text).unwrap();
    let text = "package codes;\nclass ReplyBuilder { void use(ReplyBuilder b) {\n\
        b.error(One.A.text());\nb.error(One.A.text);\nb.error(Two.A.text());\nb.error(Three.A.text());\nb.error(Four.A.text());\n\
        One one = One.A;\nb.error(one.text());\nb.error(One.A);\n} }\n";
    fs::write(folder.path().join("ReplyBuilder.java"), text).unwrap();
    let tree = tree(folder.path());
    assert_eq!(followed(&tree), [true, true, false, false, false, true, false]);
}

#[test]
fn a_builder_in_the_place_of_one_that_is_missing_is_no_second_where_types_are_checked() {
    let given = go(
        "func f(b *reply.ReplyBuilder) reply.Reply {\n  if b == nil { b = reply.NewReplyBuilder() }\n  return b.Success()\n}\n\
         func g(b *reply.ReplyBuilder) reply.Reply {\n  b = reply.NewReplyBuilder()\n  return b.Success()\n}\n",
    );
    assert_eq!(lines(&given, BUILDER), (vec![8], vec![]));
    let given = java(
        "Reply f(ReplyBuilder b) {\n  if (b == null) b = new ReplyBuilder();\n  return b.success();\n}\n\
         Reply g(ReplyBuilder b) {\n  b = new ReplyBuilder();\n  return b.success();\n}\n",
    );
    assert_eq!(lines(&given, BUILDER), (vec![9], vec![]));
}

#[test]
fn what_holds_builders_is_none() {
    let many = java(
        "void a(List<ReplyBuilder> rb) { rb.add(made()); rb.info(1); }\nvoid b(Optional<ReplyBuilder> rb) { rb.get(); rb.warn(1); }\n\
         void c(ReplyBuilder[] rb) { rb.clone(); rb.fail(1); }\nvoid d(ReplyBuilder... rb) { rb.fail(1); }\n\
         void e(ReplyBuilder rb) { rb.fail(1); }\n",
    );
    assert_eq!(lines(&many, FORBIDDEN), (vec![8], vec![]));
    assert_eq!(many.0.sites.len(), 1);
    let many =
        go("func a(b []*reply.ReplyBuilder) { b.Info(1) }\nfunc c(b map[string]reply.ReplyBuilder) { b.Warn(1) }\n\
         func d(b chan *reply.ReplyBuilder) { b.Fail(1) }\nfunc e(b ...*reply.ReplyBuilder) { b.Fail(1) }\n\
         func f(b func() *reply.ReplyBuilder) { b.Fail(1) }\nfunc g(b *reply.ReplyBuilder) { b.Fail(1) }\n");
    assert_eq!(lines(&many, FORBIDDEN), (vec![8], vec![]));
}

#[test]
fn a_package_is_no_builder_whatever_it_is_called() {
    let package = go("func f() { rb.Error(\"x\"); rb.Info(\"x\") }\nfunc g(b *reply.ReplyBuilder) { b.Info(\"x\") }\n");
    assert_eq!(lines(&package, FORBIDDEN), (vec![4], vec![]));
}

#[test]
fn an_error_beside_an_answer_is_no_answer() {
    let fails = go(
        "func f(x string) (any, error) {\n  if x == \"a\" { return nil, fail() }\n  if x == \"b\" { return reply.Reply{}, fail() }\n  \
         if x == \"c\" { return \"text\", nil }\n  return reply.NewReplyBuilder().Success(), nil\n}\n\
         func g(x string) (r reply.Reply, err error) {\n  if x == \"\" { err = fail(); return }\n\
           r = reply.NewReplyBuilder().Error(\"WA-READ-E-001\")\n  return\n}\n\
         func h() { s.AddTool(\"f\", reply.McpSafeTool(f)); s.AddTool(\"g\", reply.McpSafeTool(g)) }\n",
    );
    assert_eq!(lines(&fails, RAW), (vec![6], vec![]));
    assert_eq!(lines(&fails, RETURN), (vec![], vec![]));
    assert_eq!(lines(&fails, BUILDER), (vec![], vec![]));
}

#[test]
fn several_values_are_assigned_before_the_first() {
    let both = go(
        "func f(b *reply.ReplyBuilder) (reply.Reply, error) {\n  answer, err := b.Error(\"WA-READ-E-001\"), other()\n\
           return answer, err\n}\n\
         func g(b *reply.ReplyBuilder) (reply.Reply, error) {\n  answer, err := b.Error(\"WA-READ-E-001\")\n  return answer, err\n}\n\
         func h(b *reply.ReplyBuilder) reply.Reply {\n  answer, _ := b.Error(\"WA-READ-E-001\"), other()\n\
           log(answer)\n  return answer\n}\n",
    );
    assert_eq!(lines(&both, RETURN), (vec![12], vec![]));
}

#[test]
fn a_choice_is_returned_with_each_of_its_arms() {
    let arms: String = (0..300).map(|index| format!("    case {index} -> b.error(\"WA-READ-E-001\");\n")).collect();
    let long = java(&format!(
        "Reply f(ReplyBuilder b, int x) {{\n  return switch (x) {{\n{arms}    default -> b.success();\n  }};\n}}\n"
    ));
    assert_eq!(lines(&long, RETURN), (vec![], vec![]));
    assert_eq!(long.0.sites.len(), 301);
    let kept = java(
        "Reply f(ReplyBuilder b, int x) {\n  Reply r = switch (x) { case 1 -> b.error(\"WA-READ-E-001\"); \
         default -> b.success(); };\n  log(r);\n  return r;\n}\n",
    );
    assert_eq!(lines(&kept, RETURN), (vec![5], vec![]));
}

#[test]
fn the_end_of_a_function_that_gives_a_value_is_never_reached() {
    let ends =
        go("func f(x string) reply.Reply { for { if x == \"\" { return reply.NewReplyBuilder().Success() } } }\n\
         func g(x string) reply.Reply { if x == \"\" { return reply.NewReplyBuilder().Success() }; log.Fatal(x) }\n\
         func h(x string) { reply.NewReplyBuilder().Success() }\nfunc i(x string) { panic(x) }\n\
         func r() { s.AddTool(safe(f)); s.AddTool(safe(g)); s.AddTool(safe(h)); s.AddTool(safe(i)) }\n\
         func safe(tool any) any { return reply.McpSafeTool(tool) }\n");
    assert_eq!(lines(&ends, RAW), (vec![5], vec![]));
}

#[test]
fn what_is_safe_around_a_class_makes_no_tools() {
    let text = "package tools;\nimport reply.*;\n@McpSafeTool class Tools {\n@Tool Reply a() { return null; }\nString b() { \
         return \"b\"; }\n\
        void c() {} }\nclass Other {\n@Tool @McpSafeTool Reply a() { return new ReplyBuilder().success(); }\n\
        @McpSafeTool @Tool(name = \"b\") Reply b() { return new ReplyBuilder().success(); }\n\
         @Tool Reply c() { return new ReplyBuilder().success(); } }\n";
    let found = read("Tools.java", text);
    assert_eq!(lines(&found, RAW), (vec![4], vec![]));
    assert_eq!(lines(&found, WRAPPER), (vec![10], vec![]));
}

#[test]
fn what_has_the_methods_of_an_interface_is_no_second_builder() {
    let methods = "{ Object success(Object o) { return o; } Object invalid(String c) { return c; } \
                   Object denied(String c) { return c; } Object error(String c) { return c; } }";
    let text = format!(
        "package reply;\ninterface ReplyBuilder {{ Object success(Object o); }}\nclass Built implements ReplyBuilder {methods}\n\
         class Late extends ReplyBuilder {{ Object error(String c) {{ return c; }} }}\nclass Other {methods}\n\
         class Use {{ boolean f(ReplyBuilder b) {{ return b.equals(b.toString()); }} }}\n"
    );
    let found = read("Built.java", &text);
    assert_eq!(lines(&found, BUILDER), (vec![4, 5], vec![]));
    assert_eq!(lines(&found, "reply/builder-api"), (vec![], vec![]));
}

#[test]
fn files_are_left_out_by_the_end_of_their_names() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("a")).unwrap();
    for name in ["a/b.go", "a/b_test.go", "c_test.go", "d.py"] {
        fs::write(folder.path().join(name), "").unwrap();
    }
    let mut options = assize_source::Options::default();
    options.exclude = vec!["*_test.go".to_owned(), "*".to_owned()];
    assert_eq!(assize_source::read(folder.path(), &options).unwrap().files, 2);
}

#[test]
fn what_helps_the_builder_in_its_package_makes_replies() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("go.mod"), "module example.org/all\n").unwrap();
    fs::create_dir(folder.path().join("reply")).unwrap();
    let text = "package reply\ntype ReplyBuilder struct{}\ntype Reply struct{}\n\
        func made() Reply { return Reply{} }\nfunc Made() Reply { return Reply{} }\n";
    fs::write(folder.path().join("reply/reply.go"), text).unwrap();
    let text = "package all\nimport (\"example.org/all/reply\"; \"example.org/redis\")\n\
        func a() any { return reply.Reply{} }\nfunc b() any { return redis.Reply{} }\n";
    fs::write(folder.path().join("all.go"), text).unwrap();
    let tree = tree(folder.path());
    let made: Vec<_> = tree.sites.iter().map(|site| (site.place.file.as_str(), site.place.line)).collect();
    assert_eq!(made, [("all.go", 3), ("reply/reply.go", 5)]);
}

#[test]
fn texts_of_other_things_may_be_looked_at() {
    let texts = go(
        "var b = reply.NewReplyBuilder(); func f(r reply.Reply, err error) {\n  if strings.Contains(err.Error(), \"x\") { \
         g() }\n  if r.Code == \"x\" { g() }\n  \
         if strings.HasPrefix(r.Message, \"x\") { g() }\n  if r.Message == nil { g() }\n  log(r.Message)\n}\n",
    );
    assert_eq!(lines(&texts, BRANCH), (vec![6], vec![]));
    let texts = java(
        "void f(Reply r, Exception e) {\n  if (e.getMessage().contains(\"x\")) g();\n  if (r.code().equals(\"x\")) g();\n  \
         if (\"x\".equals(r.getMessage())) g();\n  if (r.message() != null) g();\n\
           log(r.message());\n  assertEquals(r.message(), \"x\");\n}\n",
    );
    assert_eq!(lines(&texts, BRANCH), (vec![7], vec![]));
}

#[test]
fn an_object_of_another_kind_is_no_envelope() {
    let objects = go("var b = reply.NewReplyBuilder(); func f(r reply.Reply) any {\n\
           log(map[string]any{\"status\": 1, \"reply_type\": \"S\", \"meta\": 1})\n  \
         return map[string]any{\"status\": 1, \"reply_type\": r.ReplyType, \"meta\": 1}\n}\n\
         func g() any {\n  return map[string]any{\"status\": 1, \"reply_type\": map[string]any{}, \"meta\": 1}\n}\n");
    assert_eq!(lines(&objects, ENVELOPE), (vec![5], vec![4]));
    let objects = java(
        "Object f(Reply r) {\n  log(Map.of(\"status\", 1, \"reply_type\", \"S\", \"meta\", 1));\n  \
         return Map.ofEntries(Map.entry(\"status\", 1), Map.entry(\"reply_type\", r.type()), Map.entry(\"meta\", 1));\n}\n\
         Object g() {\n  return Map.of(\"status\", 1, \"reply_type\", Map.of(), \"meta\", 1);\n}\n",
    );
    assert_eq!(lines(&objects, ENVELOPE), (vec![6], vec![5]));
}

/// Two modules in one tree, of which each has its own packages; tests of a package stand beside it.
#[test]
fn packages_are_found_by_what_their_module_is_called() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("one/go.mod", "module example.org/one // the first\n"),
        ("two/go.mod", "module example.org/two/v2\n"),
        ("one/codes/codes.go", "package codes\nconst Code = \"WA-RES-E-001\"\n"),
        ("two/codes/codes.go", "package codes\nconst Code = \"WA-READ-E-001\"\n"),
        ("two/codes/codes_test.go", "package codes_test\nconst Hidden = \"WA-READ-E-001\"\n"),
        (
            "one/use.go",
            "package one\nimport (\"example.org/one/codes\"; two \"example.org/two/v2/codes\"; \"example.org/reply\")\n\
             func f(b *reply.ReplyBuilder) { b.Error(codes.Code); b.Error(two.Code); b.Error(two.Hidden) }\n",
        ),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let tree = tree(folder.path());
    let codes: Vec<_> = tree.sites.iter().map(|site| site.code.clone()).collect();
    let known = |text: &str| Code::Known(text.to_owned());
    assert_eq!(codes.get(..2), Some([known("WA-RES-E-001"), known("WA-READ-E-001")].as_slice()));
    assert!(matches!(codes.as_slice(), [_, _, Code::Unknown(_)]), "{codes:?}");
}

#[test]
fn a_fault_of_one_language_is_none_of_another() {
    let registry = fs::read(planted("registry.json")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("Tools.java"),
        "import reply.ReplyBuilder;\nclass Tools { void f(ReplyBuilder rb) { rb.Error(1); } }\n",
    )
    .unwrap();
    let java = crate::support::breaches(&tree(folder.path()), &registry);
    // In Java a method is called as it is written.
    assert_eq!(java, [("Tools.java".to_owned(), 2, "reply/builder-api".to_owned())]);
}

/// On each line a builder is called by a method that it does not have; what is a builder by a cast alone is not followed.
#[test]
fn ways_to_a_builder_are_known() {
    let ways = go(
        "func a() { x := reply.NewReplyBuilder(); x.Info(1) }\nfunc b() { x := &reply.ReplyBuilder{}; x.Info(1) }\n\
         func c() { x := new(reply.ReplyBuilder); x.Info(1) }\nfunc d() { var x reply.ReplyBuilder; x.Info(1) }\n\
         func e() { x, err := reply.NewReplyBuilder(); use(err); x.Info(1) }\nfunc f() { reply.NewReplyBuilder().Info(1) }\n\
         type Holder struct { own *reply.ReplyBuilder }\nfunc (h Holder) g() { h.own.Info(1) }\n\
         func i() { h := Holder{}; h.own.Info(1) }\nfunc j(h *Holder) { x := h.own; x.Info(1) }\n\
         func made() *reply.ReplyBuilder { return nil }\nfunc k() { x := made(); x.Info(1) }\n\
         type Short = reply.ReplyBuilder\nfunc l(x *Short) { x.Info(1) }\nfunc m(rb any) { rb.(*reply.ReplyBuilder).Info(1) }\n\
         var top = reply.NewReplyBuilder()\nfunc n() { top.Info(1) }\nfunc o() { x := top; func() { x.Info(1) }() }\n",
    );
    assert_eq!(lines(&ways, FORBIDDEN), (vec![3, 4, 5, 6, 7, 8, 10, 11, 12, 14, 16, 19, 20], vec![]));
    let ways = java(
        "void a() { var x = new ReplyBuilder(); x.info(1); }\nvoid b() { new reply.ReplyBuilder(1).info(1); }\n\
         void c() { var x = made(); x.info(1); }\nvoid d() { made().info(1); }\n\
         ReplyBuilder own;\nvoid e() { own.info(1); this.own.info(1); }\n\
         static class Inner { ReplyBuilder its; void f() { its.info(1); } }\nvoid g(Inner i) { i.its.info(1); }\n\
         void h() { var i = new Inner(); i.its.info(1); }\nclass Deep { void i() { own.info(1); } }\n\
         void j() { try (ReplyBuilder x = open()) { x.info(1); } }\nvoid k(Object o) { ((ReplyBuilder) o).info(1); }\n\
         class Under extends Tools { void l() { own.info(1); } }\nvoid m() { var x = own; Runnable r = () -> x.info(1); }\n",
    );
    assert_eq!(lines(&ways, FORBIDDEN), (vec![4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 16, 17], vec![]));
}

/// What data a success takes is for its type to say; the method that a code asks for is not.
#[test]
fn a_method_that_a_code_asks_for_takes_the_place_of_fail() {
    let edits = |tree: &Tree| {
        let text = |site: &assize_source::Site| site.edit.as_ref().map(|edit| edit.text.clone()).unwrap_or_default();
        tree.sites.iter().map(text).collect::<Vec<_>>()
    };
    let said = go("func f(b *reply.ReplyBuilder) { b.Fail(\"EN-WRITE-D-001\", x); b.Info(\"x\"); b.Warn() }\n");
    assert_eq!(edits(&said.0), ["Denied", "", ""]);
    let said = java("void f(ReplyBuilder b) { b.fail(\"WA-RES-I-001\", x); b.info(\"x\"); b.warn(); }\n");
    assert_eq!(edits(&said.0), ["invalid", "", ""]);
}

#[test]
fn a_builder_that_only_a_comment_names_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let text = "/** Once made by ReplyBuilder. Now by hand. */\nclass Tools { @Tool Object a() { return 1; } }\n";
    fs::write(folder.path().join("Tools.java"), text).unwrap();
    assert!(!tree(folder.path()).uses_builder);
    let made = format!("{text}class Made {{ Object b() {{ return ReplyBuilder.create(); }} }}\n");
    fs::write(folder.path().join("Tools.java"), made).unwrap();
    assert!(tree(folder.path()).uses_builder);
}
