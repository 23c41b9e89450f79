//! Innocent code that hostile readers have found condemned, beside what is guilty.

use crate::{
    shapes::{lines, read},
    typed::{RAW, RETURN, WRAPPER, go, java},
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
