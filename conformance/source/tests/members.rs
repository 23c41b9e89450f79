//! Members of objects, methods that give what is followed, and what is no reply.

use crate::{
    shapes::{lines, read},
    typed::{RAW, RETURN, go, java},
};

const FORBIDDEN: &str = "reply/no-forbidden-methods";
const FREEZE: &str = "reply/terminal-freeze";

#[test]
fn a_member_is_one_builder_however_it_is_written() {
    let frozen = java(
        "ReplyBuilder b; static ReplyBuilder s;\n\
         Reply f() {\n  Reply r = b.error(\"WA-READ-E-001\");\n  this.b.success();\n  return r;\n}\n\
         Reply g() {\n  Reply r = this.b.error(\"WA-READ-E-001\");\n  b.success();\n  return r;\n}\n\
         Reply h() {\n  Reply r = Tools.s.error(\"WA-READ-E-001\");\n  s.success();\n  return r;\n}\n",
    );
    assert_eq!(lines(&frozen, FREEZE), (vec![7, 12, 17], vec![]));
    let others = java(
        "ReplyBuilder b;\n\
         Reply f(ReplyBuilder b) {\n  Reply r = b.error(\"WA-READ-E-001\");\n  this.b.success();\n  return r;\n}\n\
         Reply g() {\n  var b = made();\n  Reply r = b.error(\"WA-READ-E-001\");\n  this.b.success();\n  return r;\n}\n\
         Reply h() {\n  Reply r = b.error(\"WA-READ-E-001\");\n  this.b = made();\n  b.success();\n  return r;\n}\n\
         Reply i() {\n  Reply r = this.b.error(\"WA-READ-E-001\");\n  b = made();\n  this.b.success();\n  return r;\n}\n\
         Reply j(List<ReplyBuilder> all) {\n  Reply r = this.b.error(\"WA-READ-E-001\");\n  \
         for (ReplyBuilder b : all) b.success();\n  return r;\n}\n\
         Object k(Object o) {\n  Reply r = this.b.error(\"WA-READ-E-001\");\n  \
         if (o instanceof ReplyBuilder b) b.success();\n  return r;\n}\n\
         Object l() {\n  Reply r = this.b.error(\"WA-READ-E-001\");\n  \
         return with(b -> b.success());\n}\n",
    );
    assert_eq!(lines(&others, FREEZE), (vec![], vec![]));
}

#[test]
fn a_builder_that_a_method_gives_is_known_by_its_type() {
    let given = go("type Holder struct { own *reply.ReplyBuilder }\n\
         func (h *Holder) builder() *reply.ReplyBuilder { return h.own }\n\
         type Outer struct { in *Holder }\nfunc (o Outer) inner() *Holder { return o.in }\n\
         func a(h *Holder) { h.builder().Info(1) }\nfunc b(h *Holder) { x := h.builder(); x.Info(1) }\n\
         func c(o Outer) { o.inner().builder().Info(1) }\nfunc d(o Outer) { o.in.builder().Info(1) }\n\
         func (o Outer) e() { o.inner().builder().Info(1) }\nfunc f(o Outer) { h := o.inner(); h.builder().Info(1) }\n\
         func g(x Thing) { x.builder().Info(1) }\n\
         func h(x *Holder) reply.Reply {\n  r := x.builder().Error(\"WA-READ-E-001\")\n  log(r)\n  return r\n}\n");
    assert_eq!(lines(&given, FORBIDDEN), (vec![7, 8, 9, 10, 11, 12], vec![]));
    assert_eq!(lines(&given, RETURN), (vec![15], vec![]));
    // It may be the same one each time, or another.
    let twice = go("type Holder struct { own *reply.ReplyBuilder }\n\
         func (h *Holder) builder() *reply.ReplyBuilder { return h.own }\n\
         func f(h *Holder, b *reply.ReplyBuilder) reply.Reply {\n  if h.skips { return h.builder().Error(\"WA-READ-E-001\") }\n  \
         h.builder().Error(\"WA-READ-E-001\")\n  return h.builder().Success()\n}\n");
    assert_eq!((lines(&twice, FREEZE), lines(&twice, "reply/single-builder")), ((vec![], vec![]), (vec![], vec![])));
}

#[test]
fn what_the_library_makes_is_no_reply() {
    let raw = java(
        "Map<String, Object> kept; ReplyBuilder made; String text() { return \"\"; }\n\
         @Tool @McpSafeTool Object a() { return new HashMap<>(); }\n\
         @Tool @McpSafeTool Object b() { var all = new ArrayList<String>(); return all; }\n\
         @Tool @McpSafeTool Object c() { return List.of(1); }\n\
         @Tool @McpSafeTool Object d() { return String.format(\"%d\", 1); }\n\
         @Tool @McpSafeTool Object e() { return Optional.of(\"x\"); }\n\
         @Tool @McpSafeTool Object f() { return CompletableFuture.completedFuture(Map.of()); }\n\
         @Tool @McpSafeTool Object g() { return this.kept; }\n\
         @Tool @McpSafeTool Object h() { return this.text(); }\n\
         @Tool @McpSafeTool Object i(int x) { return switch (x) { case 1 -> { log(); yield \"one\"; } default -> made.success(); }; }\n\
         @Tool @McpSafeTool Object j() { return names().stream().toList(); }\n\
         @Tool @McpSafeTool String k(int x) { return switch (x) { case 1 -> { yield \"one\"; } default -> \"x\"; }; }\n",
    );
    assert_eq!(lines(&raw, RAW), ((5..=15).collect(), vec![]));
    assert_eq!(raw.0.sites.iter().filter(|site| site.receiver.is_none()).count(), 11);
    let replies = java(
        "Reply kept; ReplyBuilder made; Reply other() { return made.success(); } Object any() { return null; }\n\
         @Tool @McpSafeTool Object a() { return new Answer(); }\n\
         @Tool @McpSafeTool Object b() { return List.make(); }\n\
         @Tool @McpSafeTool Object c() { return Optional.of(made.success()); }\n\
         @Tool @McpSafeTool Object d() { return this.kept; }\n\
         @Tool @McpSafeTool Object e() { return this.other(); }\n\
         @Tool @McpSafeTool Object f() { return this.any(); }\n\
         @Tool @McpSafeTool Object g(int x) { return switch (x) { case 1 -> { yield made.success(); } default -> kept; }; }\n\
         @Tool @McpSafeTool Object h(int x) { log(switch (x) { case 1 -> { yield \"one\"; } default -> \"x\"; }); return kept; }\n",
    );
    assert_eq!(lines(&replies, RAW), (vec![], vec![]));
    // A class of the tree may have the name of one of the library.
    let own = "package tools;\nimport reply.*;\nclass Properties { static Properties of() { return null; } }\n\
        class Tools { ReplyBuilder b; @Tool @McpSafeTool Object a() { return new Properties(); } }\n";
    assert_eq!(lines(&read("Tools.java", own), RAW), (vec![], vec![]));
    let raw = go("type Box struct { text string; any any }\nfunc (b Box) said() string { return b.text }\n\
         func a(b Box) any { return b.text }\nfunc c(b Box) any { return b.said() }\nfunc d(b Box) any { return b.any }\n\
         func r() { s.AddTool(safe(a)); s.AddTool(safe(c)); s.AddTool(safe(d)) }\n\
         func safe(tool any) any { return reply.McpSafeTool(reply.NewReplyBuilder(), tool) }\n");
    assert_eq!(lines(&raw, RAW), (vec![5, 6], vec![]));
}

/// What a block of a choice yields is returned where the choice is.
#[test]
fn what_a_block_yields_goes_where_its_choice_goes() {
    let yields = java(
        "Reply f(ReplyBuilder b, int x) {\n  return switch (x) { case 1 -> { log();\n    yield b.error(\"WA-READ-E-001\"); }\n    \
         default -> b.success(); };\n}\n\
         Reply g(ReplyBuilder b, int x) {\n  Reply r = switch (x) { case 1 -> { log();\n    yield b.error(\"WA-READ-E-001\"); }\n    \
         default -> b.success(); };\n  log(r);\n  return r;\n}\n",
    );
    assert_eq!(lines(&yields, RETURN), (vec![11], vec![]));
}
