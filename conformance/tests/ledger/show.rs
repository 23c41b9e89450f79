//! Tables and graphs.

use serde_json::{Value, json};

use super::{
    document, ledger, lines,
    made::{Record, notes, refused, sealed, worked},
    run_in, scene,
};

#[test]
fn a_table_has_a_line_a_record() {
    let wanted = "\
record  ts                    kind          record_hash    payload_hash       bytes  chain                 payload
     0  t0                    note          4abf9d039faf…  096abb37cc9b…        BB0  ok                    {\"a\":null,\"b\":[1,1.0]}
     1  t1                    note          969676f096c6…  f2886017e9c7…        BB1  ok                    \"é\"

valid: ledger: 2 records, BB2 bytes
  last record_hash  969676f096c69b14693e9114359585049dd7eefaf6b3e1322eb03ac4c3128874
";
    let records = notes();
    let text = lines(&records);
    let mut wanted = wanted.to_owned();
    for (name, bytes) in [("BB0", records[0].text().len()), ("BB1", records[1].text().len()), ("BB2", text.len())] {
        wanted = wanted.replace(name, &bytes.to_string());
    }
    assert_eq!(ledger("show", &text, &[]).exits(0).text(), wanted);
    let found = document("show", &text, 0);
    assert_eq!(found["chain"]["records"], 2);
    let second = json!({
        "index": 1, "line": 2, "offset": records[0].text().len() + 1, "bytes": records[1].text().len(),
        "ts": "t1", "kind": "note",
        "parent": "4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32",
        "payload_hash": "f2886017e9c7abacf804b54d64787dce2b611c9544ba21f3affdd126a6e50086",
        "record_hash": "969676f096c69b14693e9114359585049dd7eefaf6b3e1322eb03ac4c3128874",
        "payload": "\"é\"", "chain": "ok",
    });
    assert_eq!(found["records"][1], second);
    assert_eq!(found["records"][0]["parent"], Value::Null);
}

#[test]
fn a_broken_chain_is_shown_to_its_end() {
    let mut records = worked();
    records.swap(1, 2);
    let ran = ledger("show", lines(&records), &[]).exits(1);
    let states = ["ok", "broken: parent", "not judged", "not judged", "not judged"];
    for (line, state) in ran.text().lines().skip(1).zip(states) {
        assert!(line.contains(&format!("  {state}  ")), "{state}: {line}");
    }
    ran.says(&["\n\nbroken: ledger: record 1, parent: authority/parent-linkage\n"]);
    let found = document("show", lines(&records), 1);
    let states: Vec<_> = found["records"].as_array().unwrap().iter().map(|record| &record["chain"]).collect();
    assert_eq!(states, ["ok", "broken", "not judged", "not judged", "not judged"]);
    assert_eq!(found["breach"]["record"], 1);
}

#[test]
fn records_that_are_none_have_a_line_too() {
    let text = "7\n{\"ts\":1.50,\"kind\":null,\"payload\":\"x\",\"payload\":[ 1 ]}\n[]\n";
    let found = document("show", text, 1);
    let records = found["records"].as_array().unwrap();
    assert_eq!((&records[0]["ts"], &records[0]["bytes"]), (&Value::Null, &json!(1)));
    assert_eq!(
        (&records[1]["ts"], &records[1]["kind"], &records[1]["payload"]),
        (&json!("1.50"), &json!("null"), &json!("[ 1 ]"))
    );
    ledger("show", text, &[]).exits(1).says(&["     0  -                     -  ", "broken: record", "not judged"]);
}

#[test]
fn what_is_long_is_cut() {
    let records =
        sealed(vec![Record::new(&"é".repeat(5_000), &"k".repeat(5_000), &format!("\"{}\"", "漢".repeat(5_000)))]);
    let ran = ledger("show", lines(&records), &[]).exits(0);
    ran.says(&[&format!("  {}…  {}…  ", "é".repeat(19), "k".repeat(11)), &format!("\"{}…\n", "漢".repeat(58))]);
    let found = document("show", lines(&records), 0);
    assert_eq!(found["records"][0]["ts"], format!("{}…", "é".repeat(400)));
}

#[test]
fn names_of_strangers_do_not_steer() {
    let hostile = "\\u001b[31m\u{202e}\u{9b}2J\\n|\u{2028}";
    let mut records = sealed(vec![Record::new(hostile, hostile, &format!("[\"{hostile}\"]"))]);
    for alter in [|_: &mut Record| {}, |record: &mut Record| record.record_hash = "\"\u{9b}2J\"".to_owned()] {
        alter(&mut records[0]);
        for task in ["verify", "replay", "show"] {
            let text = ledger(task, lines(&records), &[]).text().to_owned();
            assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{2028}']), "{text}");
        }
        ledger("show", lines(&records), &[]).says(&["  \\u{1b}[31m\\u{202e}\\…  \\u{1b}[31m\\…  "]);
    }
}

#[test]
fn the_graph_of_the_worked_example() {
    let text = lines(&worked());
    let wanted = "\
ledger: success, 3 nodes

node          kind            state          after
Tea timer ☕  seed            5d5d09e05f19…
Brew          interpretation  59594efa0b69…  Tea timer ☕ (refines)
one cup       assumption      a6275e9fc20a…  Brew (depends_on)
";
    let graph = |form| ledger("show", &text, &["--graph", form]).exits(0);
    assert_eq!(graph("text").text(), wanted);
    graph("mermaid").says(&[
        "flowchart TD\n  s0[\"Tea timer #9749;<br/>seed<br/>5d5d09e05f19#8230;\"]:::seed\n",
        "  s2[\"one cup<br/>assumption<br/>a6275e9fc20a#8230;\"]:::assumption\n",
        "  s0 -->|\"refines\"| s1\n  s1 -->|\"depends#95;on\"| s2\n",
    ]);
    let wanted = r##"digraph {
  graph [label="success\nthe graph of a run, 3 nodes", labelloc=t]
  node [shape=box]
  s0 [label="Tea timer ☕\nseed\n5d5d09e05f19…", fillcolor="#c8e6c9", color="#2e7d32", style=filled]
  s1 [label="Brew\ninterpretation\n59594efa0b69…", fillcolor="#bbdefb", color="#1565c0", style=filled]
  s2 [label="one cup\nassumption\na6275e9fc20a…", fillcolor="#fff9c4", color="#8d7b00", style=filled]
  s0 -> s1 [label="refines"]
  s1 -> s2 [label="depends_on"]
}
"##;
    assert_eq!(graph("dot").text(), wanted);
    ledger("show", &text, &["--graph", "text", "--source", "llm"]).exits(1).complains(&["authority/commit-source"]);
}

#[test]
fn a_refused_run_has_an_empty_graph() {
    let text = lines(&refused());
    let shown = ledger("show", &text, &["--graph", "text"]).exits(0);
    assert_eq!(shown.text(), "ledger: refusal, 0 nodes\n");
    ledger("show", &text, &["--graph", "dot"]).exits(0).says(&["refusal\\nthe graph of a run, 0 nodes", "}\n"]);
}

/// A chain whose fourth record is such a graph.
fn recorded(graph: &str) -> String {
    let mut records = worked();
    graph.clone_into(&mut records[3].payload);
    lines(&sealed(records))
}

#[test]
fn a_run_that_does_not_derive_again_shows_what_its_record_says() {
    let text = recorded(
        "{\"edges\":[{\"from\":\"a\",\"id\":\"1\",\"kind\":\"refines\",\"to\":\"b\"},\
          {\"from\":\"b\",\"id\":\"2\",\"kind\":\"refines\",\"to\":\"a\"},\
          {\"from\":\"b\",\"id\":\"3\",\"kind\":\"contradicts\",\"to\":\"b\"},\
          {\"from\":\"nowhere\",\"id\":\"4\",\"kind\":\"depends_on\",\"to\":\"b\"}],\
         \"nodes\":[{\"id\":\"a\",\"kind\":\"seed\"},{\"id\":\"b\",\"kind\":\"missing\"}]}",
    );
    let wanted = "\
ledger: broken, 3 nodes

node     kind     state             after
a        seed     as recorded       b (refines)
b        missing  as recorded       a (refines), b (contradicts), nowhere (depends_on)
nowhere  missing  named by an edge
";
    let told = ledger("show", &text, &["--graph", "text"]).exits(1);
    assert_eq!(told.text(), wanted);
    told.complains(&[
        "broken: ledger: record 3, payload/",
        "authority/dag-ids",
        "drawn is what record 3 says: ids and kinds",
    ]);
    ledger("show", &text, &["--graph", "mermaid"]).exits(1).says(&[
        "s0[\"a<br/>seed<br/>as recorded\"]:::seed\n",
        "s1[\"b<br/>missing<br/>as recorded\"]:::other\n",
        "s2[\"nowhere<br/>missing<br/>named by an edge\"]:::missing\n",
        "  s1 -->|\"contradicts\"| s1\n",
    ]);
    let drawing = ledger("show", &text, &["--graph", "dot"]).exits(1);
    assert_eq!((drawing.text().matches("fillcolor=").count(), drawing.text().matches(" -> ").count()), (3, 4));
    // A chain that breaks elsewhere still has the record.
    let mut records = worked();
    records[0].ts = "\"T1#0000\"".to_owned();
    ledger("show", lines(&records), &["--graph", "text"])
        .exits(1)
        .says(&["ledger: broken, 3 nodes\n", "5d5d09e05f195e187dc5bd2da67997f8f7e9038f80a67e5836023cfed9fa488f"]);
}

#[test]
fn without_a_graph_there_is_none_to_show() {
    for text in [
        String::new(),
        lines(&worked()[..3]),
        lines(&notes()),
        recorded("{\"edges\":[],\"nodes\":7}"),
        recorded("{\"edges\":[],\"nodes\":[{\"id\":\"a\"}]}"),
        recorded("{\"edges\":[{\"from\":1,\"id\":\"1\",\"kind\":\"k\",\"to\":\"b\"}],\"nodes\":[]}"),
    ] {
        for form in ["text", "mermaid", "dot"] {
            let ran = ledger("show", &text, &["--graph", form]).exits(1);
            assert!(ran.stdout.is_empty(), "{text}");
            ran.complains(&["record 3 holds no graph", "help: `assize ledger replay`"]);
        }
    }
}

#[test]
fn ids_of_strangers_stay_text() {
    let hostile = "\\\"]<script>&\\u001b[31m\u{202e}%%|\\u0000";
    let text = recorded(&format!(
        "{{\"edges\":[{{\"from\":\"{hostile}\",\"id\":\"1\",\"kind\":\"{hostile}\",\"to\":\"b\"}}],\
         \"nodes\":[{{\"id\":\"{hostile}\",\"kind\":\"{hostile}\"}},{{\"id\":\"b\",\"kind\":\"seed\"}}]}}"
    ));
    for (form, says) in [
        ("text", "  \"]<script>&\\u{1b}[31m\\u{202e}%%|\\u{0} (\"]<script>"),
        ("mermaid", "s0 -->|\"#34;#93;#60;script#62;#38;#92;u#123;1b#125;"),
        ("dot", r#"s0 -> s1 [label="\"]<script>&amp;\\u{1b}[31m\\u{202e}%%|\\u{0}"]"#),
    ] {
        let ran = ledger("show", &text, &["--graph", form]).exits(1).says(&[says]);
        assert!(!ran.text().contains(['\u{1b}', '\u{202e}', '\0']), "{}", ran.text());
        assert!(form != "mermaid" || !ran.text().contains("<script>"), "{}", ran.text());
    }
}

#[test]
fn what_is_too_large_to_be_drawn_is_still_told() {
    let nodes: Vec<_> = (0..5_001).map(|n| format!("{{\"id\":\"{n}\",\"kind\":\"seed\"}}")).collect();
    let folder = scene(recorded(&format!("{{\"edges\":[],\"nodes\":[{}]}}", nodes.join(","))));
    let show = |form| run_in(folder.path(), &["ledger", "show", "ledger", "--graph", form], b"");
    for form in ["dot", "mermaid"] {
        let ran = show(form).exits(3).complains(&["5001 nodes with 0 edges are more than can be drawn"]);
        assert!(ran.stdout.is_empty());
    }
    show("text").exits(1).says(&["ledger: broken, 5001 nodes\n"]);
}
