//! Sources that nobody writes: nested deeply, in one line, of other bytes, behind links.

use std::fs;

use assize_source::Code;

use crate::support::tree;

const USE: &str = "from reply import ReplyBuilder\nrb = ReplyBuilder()\n";

#[test]
fn what_is_nested_deeply_is_read_as_far_as_it_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    let python = [
        ("brackets.py", format!("{USE}x = {}\n", deep("(", ")"))),
        ("lists.py", format!("{USE}x = {}\n", deep("[", "]"))),
        ("calls.py", format!("{USE}x = {}\n", deep("f(", ")"))),
        ("chain.py", format!("{USE}x = rb{}\n", ".error('WA-RES-E-001')".repeat(20_000))),
        ("sum.py", format!("{USE}x = 1{}\n", " + 1".repeat(20_000))),
        ("not.py", format!("{USE}x = {}1\n", "not ".repeat(20_000))),
    ];
    let script = [
        ("else.ts", format!("class ReplyBuilder {{}}\nif (a) {{}}{}\n", " else if (a) {}".repeat(5_000))),
        ("blocks.ts", format!("{}{}", "{".repeat(20_000), "}".repeat(20_000))),
        ("arrows.ts", format!("const f = {}1;\n", "() => ".repeat(20_000))),
        ("elements.tsx", format!("const f = {};\n", deep("<a>", "</a>"))),
        ("type.ts", format!("let x: {}string{};\n", "Array<".repeat(5_000), ">".repeat(5_000))),
    ];
    for (name, text) in python.iter().chain(&script) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let tree = tree(folder.path());
    assert_eq!(tree.files, python.len() + script.len());
    let said = tree.skipped.iter().any(|one| one.file == "brackets.py" && one.why.contains("nested"));
    assert!(said, "{:?}", tree.skipped);
}

/// Every name may be any of the others, so that the ways between them are more than can be gone.
#[test]
fn names_that_stand_for_each_other_lead_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<_> = (0..12).map(|index| format!("n{index}")).collect();
    let each =
        |of: &String| names.iter().map(|to| format!("    {of} = {to}.part\n    {of} = {to}\n")).collect::<String>();
    let all: String = names.iter().map(each).collect();
    let text = format!("{USE}def f():\n  for x in y:\n{all}    rb.error(n0)\n    n1.error('x')\n");
    fs::write(folder.path().join("circle.py"), text).unwrap();
    let tree = tree(folder.path());
    assert_eq!((tree.sites.len(), tree.advice.len()), (1, 1));
}

#[test]
fn what_is_no_text_or_too_large_is_said_to_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("latin.py"), b"x = '\xe9'\n").unwrap();
    fs::write(folder.path().join("large.py"), vec![b'#'; (4 << 20) + 1]).unwrap();
    fs::write(folder.path().join("nul.py"), b"x = '\0'\n").unwrap();
    fs::write(folder.path().join("line.ts"), format!("const x = [{}];\n", "1,".repeat(200_000))).unwrap();
    let tree = tree(folder.path());
    let skipped: Vec<_> = tree.skipped.iter().map(|one| one.file.as_str()).collect();
    assert_eq!((tree.files, skipped), (2, vec!["large.py", "latin.py"]));
}

#[cfg(unix)]
#[test]
fn no_link_is_followed() {
    use std::os::unix::fs::symlink;

    let folder = tempfile::tempdir().unwrap();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.py"), USE).unwrap();
    symlink(outside.path().join("secret.py"), folder.path().join("file.py")).unwrap();
    symlink(outside.path(), folder.path().join("folder")).unwrap();
    symlink(folder.path(), folder.path().join("circle")).unwrap();
    let tree = tree(folder.path());
    assert_eq!((tree.files, tree.uses_builder), (0, false));
    assert_eq!(tree.skipped.len(), 1, "{:?}", tree.skipped);
}

#[test]
fn a_place_in_a_long_line_is_shown_with_what_surrounds_it() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{USE}x = [{}rb.info('x'),{}]\n", "'ä', ".repeat(1000), "1, ".repeat(1000));
    fs::write(folder.path().join("long.py"), text).unwrap();
    let tree = tree(folder.path());
    let place = &tree.sites.first().unwrap().place;
    assert_eq!((place.line, place.column), (3, 5006));
    let shown: String = place.text.chars().skip(place.caret).take(place.end_column - place.column).collect();
    assert_eq!(shown, "rb.info");
    assert!(place.text.chars().count() <= 160);
}

/// Each module takes over all names of every other, so that the ways between them are more than can be gone.
#[test]
fn modules_that_take_over_each_other_are_asked_once() {
    let folder = tempfile::tempdir().unwrap();
    let stars: String = (0..12).map(|index| format!("from m{index} import *\n")).collect();
    for index in 0..12 {
        fs::write(folder.path().join(format!("m{index}.py")), &stars).unwrap();
    }
    let last = format!("{stars}from last import *\n");
    fs::write(folder.path().join("m11.py"), last).unwrap();
    fs::write(folder.path().join("last.py"), "CODE = 'WA-RES-E-001'\n").unwrap();
    fs::write(folder.path().join("use.py"), format!("{stars}{USE}rb.error(CODE)\nrb.invalid(len)\n")).unwrap();
    let tree = tree(folder.path());
    let codes: Vec<_> = tree.sites.iter().map(|site| site.code.clone()).collect();
    assert_eq!(codes.first(), Some(&Code::Known("WA-RES-E-001".to_owned())));
    assert!(matches!(codes.as_slice(), [_, Code::Unknown(_)]), "{codes:?}");
}

#[test]
fn a_long_chain_of_conditions_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let chain = "elif a:\n  pass\n".repeat(20_000);
    let python = format!("{USE}if a:\n  pass\n{chain}elif b:\n  rb.error('WA-RES-E-001')\nelse:\n  rb.info('x')\n");
    fs::write(folder.path().join("elif.py"), python).unwrap();
    let chain = " else if (a) {}".repeat(20_000);
    let script = format!(
        "class ReplyBuilder {{}}\nconst rb = new ReplyBuilder();\nif (a) {{}}{chain} else if (b) {{ rb.error('WA-RES-E-001'); }} \
         else {{ rb.info('x'); }}\n"
    );
    fs::write(folder.path().join("else.ts"), script).unwrap();
    fs::write(folder.path().join("labels.ts"), format!("{}x();\n", "a: ".repeat(20_000))).unwrap();
    let tree = tree(folder.path());
    let methods: Vec<_> = tree.sites.iter().filter_map(|site| site.method.as_deref()).collect();
    assert_eq!(methods, ["error", "info", "error", "info"]);
    let skipped: Vec<_> = tree.skipped.iter().map(|one| one.file.as_str()).collect();
    assert_eq!(skipped, ["labels.ts"]);
}

/// Ways that come together cost what each of them changed, and a loop that is left at many places is followed at some.
#[test]
fn many_conditions_one_after_another_are_read_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let ends = "rb.error(CODE);\n";
    let head = "class ReplyBuilder {}\nconst rb = new ReplyBuilder();\nconst CODE = 'WA-RES-E-001';\n";
    let each = |line: &dyn Fn(usize) -> String| (0..5_000).map(line).collect::<String>();
    let after = each(&|at| format!("let x{at} = 'a'; if (a) x{at} = 'b';\n"));
    fs::write(folder.path().join("after.ts"), format!("{head}function f() {{\n{after}{ends}}}\n")).unwrap();
    let arms = each(&|at| format!("case {at}: y = {at}; x{at} = 'b'; break;\n"));
    fs::write(folder.path().join("arms.ts"), format!("{head}function f() {{ switch (a) {{\n{arms}}}\n{ends}}}\n"))
        .unwrap();
    let breaks = each(&|at| format!("x{at} = 'a'; if (a) break;\n"));
    let text = format!("{head}function f() {{ for (;;) {{\n{breaks}}}\n{ends}}}\n");
    fs::write(folder.path().join("breaks.ts"), text).unwrap();
    let tree = tree(folder.path());
    let known: Vec<_> = tree.sites.iter().map(|site| matches!(site.code, Code::Known(_))).collect();
    assert_eq!(known, [true, true, true]);
}

/// Chains below chains are as deep as they are long together.
#[test]
fn chains_of_conditions_in_each_other_count_as_levels() {
    let folder = tempfile::tempdir().unwrap();
    let one = format!("if (a) {{}}{} else {{ ", " else if (a) {}".repeat(60));
    fs::write(folder.path().join("else.ts"), format!("{}{}", one.repeat(500), "}".repeat(500))).unwrap();
    let tree = tree(folder.path());
    assert_eq!(tree.skipped.len(), 1, "{:?}", tree.skipped);
}

#[test]
fn a_text_that_is_too_long_for_a_code_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        format!("{USE}X = '{}'\nrb.error(X)\nrb.error(X + X)\nrb.error('{}')\n", "A".repeat(201), "B".repeat(200));
    fs::write(folder.path().join("long.py"), text).unwrap();
    let tree = tree(folder.path());
    let known: Vec<_> = tree.sites.iter().map(|site| matches!(site.code, Code::Known(_))).collect();
    assert_eq!(known, [false, false, true]);
}

#[test]
fn what_is_nested_deeply_in_go_and_java_is_read_as_far_as_it_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(20_000), close.repeat(20_000));
    let go =
        |text: &str| format!("package p\nimport \"example.org/reply\"\nvar rb = reply.NewReplyBuilder()\n{text}\n");
    let java = |text: &str| format!("import reply.ReplyBuilder;\nclass C {{ ReplyBuilder rb; {text} }}\n");
    let chain = " else if (a) {}".repeat(20_000);
    let arms: String = (0..500).map(|index| format!("case {index} -> rb.error(\"x\");")).collect();
    let files = [
        ("brackets.go", go(&format!("var x = {}", deep("(", ")")))),
        ("literals.go", go(&format!("var x = {}{}", "[][]int{".repeat(20_000), "}".repeat(20_000)))),
        ("elements.go", go(&format!("var x = T{}{}", "{".repeat(20_000), "}".repeat(20_000)))),
        ("functions.go", go(&format!("var x = {}{}", "func() { ".repeat(20_000), "}".repeat(20_000)))),
        ("blocks.go", go(&format!("func f() {{ {}{} }}", "{ ".repeat(20_000), "}".repeat(20_000)))),
        ("else.go", go(&format!("func f() {{ if a {{}}{} else {{ rb.Info(1) }} }}", " else if a {}".repeat(20_000)))),
        ("begun.go", go(&format!("func f() {{ if a {{}}{} }}", " else if b := a; b {}".repeat(20_000)))),
        ("labels.go", go(&format!("func f() {{ {} x() }}", "a: ".repeat(20_000)))),
        ("pointers.go", go(&format!("var x {}int", "*".repeat(20_000)))),
        ("sum.go", go(&format!("var x = 1{}", " + 1".repeat(20_000)))),
        ("marks.go", go(&format!("var x = fmt.Sprintf(\"{}\"{})", "%s".repeat(20_000), ", a".repeat(20_000)))),
        ("brackets.java", java(&format!("int x = {};", deep("(", ")")))),
        ("lambdas.java", java(&format!("F x = {}1;", "a -> ".repeat(20_000)))),
        ("calls.java", java(&format!("int x = f(){};", ".f()".repeat(20_000)))),
        ("classes.java", java(&format!("{}{}", "class D { ".repeat(5_000), "}".repeat(5_000)))),
        ("types.java", java(&format!("{}X{} x;", "List<".repeat(5_000), ">".repeat(5_000)))),
        ("else.java", java(&format!("void f() {{ if (a) {{}}{chain} else {{ rb.info(1); }} }}"))),
        ("arms.java", java(&format!("int f() {{ return switch (x) {{ {arms} default -> 1; }}; }}"))),
        ("import.java", format!("import static {}c.D;\n{}", "a.".repeat(20_000), java("int x = D;"))),
    ];
    for (name, text) in &files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let tree = tree(folder.path());
    assert_eq!(tree.files, files.len());
    let deep: Vec<_> = tree.skipped.iter().map(|one| one.file.as_str()).collect();
    for name in ["brackets.go", "literals.go", "functions.go", "begun.go", "brackets.java", "lambdas.java"] {
        assert!(deep.contains(&name), "{deep:?}");
    }
    let sites = |name: &str| tree.sites.iter().filter(|site| site.place.file == name).count();
    assert_eq!((sites("else.go"), sites("else.java"), sites("arms.java")), (1, 1, 500));
}

/// Each class derives from every other and takes over the names of every package.
#[test]
fn classes_that_derive_from_each_other_are_asked_as_long_as_there_are_steps() {
    let folder = tempfile::tempdir().unwrap();
    let stars: String = (0..12).map(|index| format!("import static p{index}.C{index}.*;\n")).collect();
    let all: Vec<_> = (0..12).map(|index| format!("C{index}")).collect();
    for index in 0..12 {
        let text = format!(
            "package p{index};\n{stars}interface C{index} extends {} {{ String A{index} = A0; }}\n",
            all.join(", ")
        );
        fs::write(folder.path().join(format!("C{index}.java")), text).unwrap();
    }
    let text = format!(
        "package p0;\n{stars}class ReplyBuilder implements C1 {{ void f(ReplyBuilder b) {{ b.error(A11); b.error(B); }} }}\n"
    );
    fs::write(folder.path().join("Use.java"), text).unwrap();
    let tree = tree(folder.path());
    assert!(tree.sites.iter().all(|site| matches!(site.code, Code::Unknown(_))), "{:?}", tree.sites);
    assert_eq!(tree.sites.len(), 2);
}
