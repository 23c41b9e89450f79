//! `certify`, `laws`, `errata`, `explain` and `vectors check`.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::support::run;

const CASE: &str = r#"{"id":"canon/episode/a","op":"canon.bytes","args":{"profile":"episode"},"spec":{"document":"d","section":"s"},"force":"spec",
    "rationale":"a reader who adds","flags":[],"provenance":"hand","in":{"doc":{"text":"[1]"}},
    "expect":{"is":"accept","out":{"bytes":{"text":"[2]"}}},"agreement":"located"}"#;

/// A corpus of one case, which the verifier fails.
fn wrong() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("canon/episode")).unwrap();
    fs::write(folder.path().join("canon/episode/a.json"), CASE).unwrap();
    folder
}

#[test]
fn certify_shows_laws_and_totals() {
    let ran = run(&["certify", "--filter", "canon/episode"]).exits(0);
    assert_eq!(ran.stderr, "");
    ran.says(&[
        "conforms strictly: 1 level, 416 of 416 asked\n\nlaw ",
        "cases  pass  remarks  fail  ruling  n/a  not run  controls  null  credit\ncanon/episode ",
        "\ntotal ",
        "conforms strictly: ",
        "\nsuite ",
    ]);
    let one = run(&["certify", "--system", "canon", "--filter", "*", "--jobs", "1"]).exits(0);
    assert!(one.text().contains("canon/authority") && !one.text().contains("sovereign/float-ban"));
}

#[test]
fn certify_explains_failures() {
    let folder = wrong();
    let corpus = folder.path().to_str().unwrap();
    run(&["certify", "--challenges", "none", "--corpus", corpus]).exits(1).says(&[
        "WRONG-OUTPUT (spec) canon/episode/a\n  a reader who adds\n  - /out/bytes",
        "expected ",
        "got ",
        "alone: assize certify --filter canon/episode/a",
        "violates: 1 spec failure in 1 law",
    ]);
    fs::write(folder.path().join("canon/episode/b.json"), "{").unwrap();
    let ran = run(&["certify", "--challenges", "none", "--corpus", corpus]).exits(3);
    ran.says(&["NOT-RUN 1 case: vectors/canon/episode/b.json: line 1", "incomplete: 1 case not run, 1 of 2 fail"]);
    let report = run(&["certify", "--corpus", corpus, "--format", "json"]).exits(3).json();
    assert_eq!(report["result"]["unrun"][0]["id"], "canon/episode/b");
}

#[test]
fn laws_of_a_system_and_codes_of_an_operation_are_listed() {
    let listed = run(&["laws", "canon", "--format", "json"]).exits(0).json();
    let slugs = listed["laws"].as_array().unwrap().iter().map(|law| law["slug"].as_str().unwrap());
    assert!(slugs.clone().count() > 3 && slugs.clone().all(|slug| slug.starts_with("canon/")));
    run(&["laws", "canon"]).exits(0).says(&["canon/rfc8785", " laws, 0 of them not judged"]);
    run(&["laws", "canons"]).exits(64);

    let codes = run(&["codes", "canon.bytes"]).exits(0);
    codes.says(&["E_CANONICALIZATION_ERROR  profile: sovereign", "A_VALUE", "profile: rfc8785, episode, authority"]);
    let codes = run(&["codes", "--format", "json"]).exits(0).json();
    assert_eq!(codes["operations"].as_array().unwrap().len(), assize_corpus::operation::table().operations.len());
    run(&["codes", "canon.byte"]).exits(64).complains(&["no operation is called", "canon.bytes"]);
}

#[test]
fn vectors_are_laid_out_alike() {
    let folder = tempfile::tempdir().unwrap();
    let (case, pack) = (folder.path().join("deep/a.json"), folder.path().join("b.pack"));
    fs::create_dir_all(case.parent().unwrap()).unwrap();
    fs::create_dir(&pack).unwrap();
    fs::write(pack.join("c.json"), "[1,2]").unwrap();
    fs::write(&case, r#"{"op":"o","id":"i","in":{"doc":{"json":[1.0,"\u0041",{"z":-0,"a":1}]}}}"#).unwrap();
    let here = folder.path().to_str().unwrap();
    run(&["vectors", "fmt", "--check", here]).exits(1).says(&["a.json\n1 of 1 file: laid out otherwise"]);
    run(&["vectors", "fmt", here]).exits(0).says(&["1 of 1 file: laid out anew"]);
    let text = fs::read_to_string(&case).unwrap();
    assert!(text.starts_with("{\n  \"id\": \"i\",\n  \"op\": \"o\",\n"), "{text}");
    assert!(text.contains("1.0") && text.contains(r"\u0041") && text.ends_with("}\n"), "{text}");
    assert!(text.find("\"z\": -0") < text.find("\"a\": 1"), "{text}");
    run(&["vectors", "fmt", "--check", here]).exits(0);
    assert_eq!(fs::read_to_string(pack.join("c.json")).unwrap(), "[1,2]");
    run(&["vectors", "fmt", "--check", concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/canon")]).exits(0);
    fs::write(&case, "{").unwrap();
    run(&["vectors", "fmt", here]).exits(3).complains(&["a.json", "help: "]);
}

#[test]
fn shells_and_readers_of_manuals_are_served() {
    for (shell, word) in [("bash", "complete -F _assize"), ("zsh", "#compdef assize"), ("fish", "complete -c assize")] {
        let said = run(&["completions", shell]).exits(0);
        said.says(&[word, "verify-certificate"]);
    }
    run(&["completions", "abacus"]).exits(64);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().to_str().unwrap();
    run(&["man", here]).exits(0);
    let page = fs::read_to_string(folder.path().join("assize-certify.1")).unwrap();
    assert!(page.contains(".TH") && page.contains("fail\\-on"), "{page}");
    run(&["man", "gone/far"]).exits(3).complains(&["gone/far"]);
}

#[test]
fn certify_needs_something_to_run() {
    run(&["certify", "--filter", "canon/jcx"]).exits(3).says(&["takes none of the", "assize laws"]);
    run(&["certify", "--mode", "law", "--system", "canon", "--format", "json"]).exits(3).complains(&["takes no case"]);
    run(&["certify", "--corpus", "gone"]).exits(3).complains(&["gone", "help: "]);
    let empty = tempfile::tempdir().unwrap();
    let said = run(&["vectors", "check", empty.path().to_str().unwrap()]).exits(3);
    assert_eq!(said.stderr.lines().count(), 2, "{}", said.stderr);
    said.complains(&["no vectors here", "help: "]);
    let folder = wrong();
    fs::create_dir(folder.path().join("vectors")).unwrap();
    let corpus = folder.path().to_str().unwrap();
    run(&["certify", "--corpus", corpus]).exits(3).complains(&["holds a folder `vectors`"]);
}

#[test]
fn laws_are_listed_and_shown() {
    let ran = run(&["laws"]).exits(0);
    for law in assize_verifier::law::Law::ALL {
        assert!(ran.text().contains(law.slug()), "{law}");
    }
    let laws = run(&["laws", "--format", "json"]).exits(0).json();
    let listed = laws["laws"].as_array().unwrap();
    // A law has cases, or says why no operation can judge it.
    for law in listed {
        assert_eq!(law["cases"].as_array().unwrap().is_empty(), law["unjudged"].is_string(), "{law}");
    }
    let one = run(&["laws", "sovereign/float-ban"]).exits(0);
    one.says(&[
        "Float ban",
        "open questions",
        " have to be refused\n  sovereign/float-ban/",
        "certify --filter sovereign/float-ban",
    ]);
    run(&["laws", "canon/episode", "--format", "json"]).exits(0).says(&["\"slug\": \"canon/episode\""]);
    run(&["laws", "flaot-ban"]).exits(64).complains(&["no law is called \"flaot-ban\"", "sovereign/float-ban"]);
}

#[test]
fn the_mutation_score_is_shown() {
    let record = run(&["laws", "--mutation-score", "--format", "json"]).exits(0).json();
    let names: Vec<_> = record.as_object().unwrap().keys().collect();
    assert!(names.contains(&&"score".to_owned()) && !names.contains(&&"mutants".to_owned()), "{names:?}");
    let first = format!("kills  alone\n{} ", record["laws"][0]["law"].as_str().unwrap());
    let listed = run(&["laws", "--mutation-score"]).exits(0).says(&[
        "module ",
        "\nauthority ",
        "\ntotal ",
        &first,
        "\nsurvivors\n",
        "\nhow: cargo-mutants ",
        record["method"].as_str().unwrap(),
        "\nrecorded for ",
        "\nkilled by the vectors alone: ",
        "\nkilled by `cargo test -p assize-corpus`, other tests included: ",
    ]);
    for name in ["by_vectors", "score"] {
        let score = format!(": {:.1} %", record[name].as_f64().unwrap());
        assert!(listed.text().lines().rev().take(2).any(|line| line.contains(&score)), "{score}");
    }
    let low = record["modules"].as_array().unwrap().iter().filter(|row| row["by_vectors"].as_f64() < Some(90.0));
    for row in low {
        let said = format!("{} {:.1} %", row["module"].as_str().unwrap(), row["by_vectors"].as_f64().unwrap());
        assert!(listed.text().contains(&said), "{said}");
    }
    for survivor in record["survivors"].as_array().unwrap() {
        assert!(listed.text().contains(survivor["file"].as_str().unwrap()), "{survivor}");
        let state = survivor["state"].as_str().unwrap();
        let why = survivor["why"].as_str().map_or(state.to_owned(), |why| format!("{state}: {why}"));
        assert!(listed.text().contains(&format!("    {why}\n")), "{survivor}");
    }
    let row = record["laws"].as_array().unwrap().iter().max_by_key(|row| row["alone"].as_u64()).unwrap();
    let (law, alone) = (row["law"].as_str().unwrap(), row["alone"].as_u64().unwrap());
    let one = run(&["laws", law, "--mutation-score", "--format", "json"]).exits(0).json();
    assert_eq!((&one["law"], &one["kills"], &one["alone"]), (&row["law"], &row["kills"], &row["alone"]));
    let only = one["only"].as_array().unwrap();
    assert_eq!(only.len() as u64, alone);
    let shown = run(&["laws", law, "--mutation-score"]).exits(0);
    shown.says(&[law, &format!("{alone} of them nothing else kills"), only[0]["replacement"].as_str().unwrap()]);
    run(&["laws", "flaot-ban", "--mutation-score"]).exits(64).complains(&["no law is called", "sovereign/float-ban"]);
    run(&["laws", "--mutation-score", "--corpus", "vectors"]).exits(64).complains(&["cannot be used with"]);
}

#[test]
fn the_register_of_sentences_is_shown() {
    let all = run(&["laws", "--sentences", "--format", "json"]).exits(0).json();
    let human = run(&["laws", "--sentences"]).exits(0);
    let (mut sentences, mut held) = (0, 0);
    for system in all["systems"].as_array().unwrap() {
        let (name, rows) = (system["system"].as_str().unwrap(), system["rows"].as_array().unwrap());
        let count = |member: &str| system[member].as_u64().unwrap();
        assert_eq!(count("sentences"), rows.len() as u64, "{name}");
        assert_eq!(count("held") + count("unjudged"), count("sentences"), "{name}");
        (sentences, held) = (sentences + count("sentences"), held + count("held"));
        for row in rows {
            // What is held tells its laws with their cases, what is not tells why.
            assert_eq!(row["unjudged"].is_null(), row["cases"].as_u64() > Some(0), "{row}");
            assert!(human.text().contains(row["says"].as_str().unwrap()), "{row}");
        }
        let one = run(&["laws", name, "--sentences", "--format", "json"]).exits(0).json();
        assert_eq!(one["systems"], serde_json::json!([system]), "{name}");
        for law in system["laws"].as_array().unwrap() {
            assert!(law["sentences"].as_u64() > Some(0) && law["cases"].as_u64() >= law["can_fail"].as_u64(), "{law}");
        }
    }
    human.says(&["\nsystem ", &format!("\n{sentences} sentences: {held} held, "), "law ", "can fail"]);
    run(&["laws", "kernel", "--sentences"]).exits(0).says(&[
        "kernel: ",
        "  Law 1 The Fortress Invariant\n",
        "kernel/fortress",
    ]);
    run(&["laws", "kernle", "--sentences"])
        .exits(64)
        .complains(&["no registered system is called \"kernle\"", "kernel"]);
    run(&["laws", "--sentences", "--force"]).exits(64).complains(&["cannot be used with"]);
}

#[test]
fn errata_are_listed_and_shown() {
    let errata = run(&["errata", "--format", "json"]).exits(0).json();
    let ids: Vec<_> =
        errata["errata"].as_array().unwrap().iter().map(|erratum| erratum["id"].as_str().unwrap()).collect();
    let listed = run(&["errata"]).exits(0);
    for id in &ids {
        assert!(listed.text().contains(id), "{id}");
    }
    run(&["errata", "num-04"]).exits(0).says(&["NUM-04", "  text ", "  code ", "  law ", "  reference "]);
    assert_eq!(run(&["errata", "NUM-04", "--format", "json"]).exits(0).json()["id"], "NUM-04");
    // A system with one mode has one ruling, and no mode to name. A provenance spells the number without the zero.
    let ran = run(&["errata", "EP-4"]).exits(0);
    let one = ran.says(&["EP-04", "  text ", "  code ", "  ruling ", "  vector     episode/receipt-chain/"]);
    assert!(!one.text().contains("(law)") && !one.text().contains("  law "));
    run(&["errata", "EP-09"]).exits(0).says(&["  excluded "]);
    assert_eq!(run(&["errata", "ep-11", "--format", "json"]).exits(0).json()["ruling"].as_object().unwrap().len(), 1);
    one.says(&["  behaviour  against-text: ", "  behaviour  as-ruled: "]);
    // Also a ruling that is not an erratum.
    let lawful = run(&["errata", "--lawful"]).exits(0);
    lawful.says(&["KE-37  kernel, ", "  behaviour  lawful\n", "EP-16  episode, ", "rulings by which code is lawful"]);
    let lawful = run(&["errata", "--lawful", "--format", "json"]).exits(0).json();
    assert!(lawful["errata"].as_array().unwrap().iter().all(|one| one["behaviour"]["lawful"].is_string()));
    run(&["errata", "--lawful", "EP-4"]).exits(64);
    run(&["errata", "--expectations"]).exits(0).says(&[
        "[[failure]]",
        "NUM-02: ",
        "contracts/rulings/sovereign.json#NUM-02",
    ]);
    run(&["errata", "--expectations", "--format", "json"]).exits(64);
    run(&["errata", "NUM-99"]).exits(64).complains(&["no erratum is called \"NUM-99\"", "did you mean NUM-"]);
}

/// The first case of every law is explained, so that every kind of answer is rendered.
#[test]
fn cases_are_explained() {
    let laws = run(&["laws", "--format", "json"]).json();
    for law in laws["laws"].as_array().unwrap().iter().filter(|law| law["unjudged"].is_null()) {
        let id = law["cases"][0].as_str().unwrap();
        run(&["explain", id]).exits(0).says(&[
            id,
            "  law ",
            "  spec ",
            "  provenance ",
            "in ",
            "expected",
            "PASS",
            "alone: ",
        ]);
        let one: Value = run(&["explain", &format!("vectors/{id}.json"), "--format", "json"]).exits(0).json();
        assert_eq!((&one["id"], &one["outcome"], &one["law"]), (&id.into(), &"PASS".into(), &law["slug"]));
    }
    run(&["explain", "sovereign/float-ban/nothing-like-it"]).exits(64).complains(&[
        "no case is called",
        "did you mean",
        "add --corpus DIR",
    ]);
    run(&["explain", "sovereign/float-ban/law"]).exits(64);
}

/// What goes in is shown so that it can be read, and so that nothing in it hides.
#[test]
fn documents_are_shown_readably() {
    run(&["explain", "canon/rfc8785/byte-order-mark-inside-string"]).exits(0).says(&["<U+FEFF>"]);
    let folder = wrong();
    let deep = format!(r#"{{"list":[1.0,{{"name":"{}"}}]}}"#, "x".repeat(90));
    let corpus = folder.path().to_str().unwrap();
    for (document, shown) in [
        (
            json!({"json": serde_json::from_str::<Value>(&deep).unwrap()}),
            "  {\n    \"list\": [\n      1.0,\n      {\n        \"name\": \"x",
        ),
        (json!({"text": "{\n  \"a\": 1\n}\n"}), "  {\n    \"a\": 1\n  }\\n\n"),
        (json!({"base64": "IoD/Ig=="}), "  \"\\x80\\xff\"\n  (not UTF-8 from byte 1; \\xNN is one byte)\n"),
    ] {
        let mut case: Value = serde_json::from_str(CASE).unwrap();
        let inputs = case["in"].as_object_mut().unwrap();
        inputs.values_mut().for_each(|given| *given = document.clone());
        fs::write(folder.path().join("canon/episode/a.json"), case.to_string()).unwrap();
        run(&["explain", "canon/episode/a", "--corpus", corpus]).exits(0).says(&[shown]);
    }
}

#[test]
fn rulings_are_explained_by_every_name_and_with_the_cases_that_rest_on_them() {
    let whole = ["EP-28  episode: ", "  place      ", "  behaviour  as-ruled\n", "  ruling     ", "  stands     "];
    run(&["explain", "EP-28"]).exits(0).says(&whole);
    run(&["errata", "ep-28"]).exits(0).says(&whole);
    let ruling = run(&["explain", "NUM-4", "--format", "json"]).exits(0).json();
    assert_eq!(
        (&ruling["id"], &ruling["system"], &ruling["stands"]),
        (&"NUM-04".into(), &"sovereign".into(), &"says".into())
    );
    assert!(ruling["ruling"]["law"].is_string() && ruling["ruling"]["reference"].is_string());
    run(&["explain", "canon/episode/integer-two-to-53"])
        .exits(0)
        .says(&["EP-26  episode: ", "  stands     the text is silent"]);
    let case = run(&["explain", "canon/episode/integer-two-to-53", "--format", "json"]).exits(0).json();
    assert_eq!((&case["rulings"][0]["id"], &case["rulings"][0]["stands"]), (&"EP-26".into(), &"silent".into()));
    run(&["explain", "EP-999"]).exits(64);
    run(&["errata", "EP-999"]).exits(64);
}

#[test]
fn former_names_lead_to_those_of_today() {
    let case = run(&["explain", "canon/jcs/integer-two-to-53"]).exits(0);
    assert!(case.text().starts_with("canon/episode/integer-two-to-53\n"));
    case.complains(&["note: canon/jcs/integer-two-to-53 is called canon/episode/integer-two-to-53 now"]);
    run(&["explain", "vectors/canon/jcs/integer-two-to-53.json", "--format", "json"]).exits(0);
    run(&["explain", "canon/jcs/none"]).exits(64);
    let law = run(&["laws", "canon/jcs"]).exits(0).says(&["canon/episode: "]);
    law.complains(&["note: the cases of canon/jcs are those of canon/episode now"]);
    run(&["laws", "canon/jc"]).exits(64);
    let asked = |args: &[&str]| {
        // A part of a law is too little for a grade.
        let ran = run(&[&["certify", "--quick", "--format", "json"], args].concat()).exits(3);
        ran.json()["result"]["cases"].as_array().unwrap().iter().map(|case| case["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(asked(&["--filter", "canon/jcs/keys-*"]), asked(&["--filter", "canon/episode/keys-*"]));
    let level = ["--filter", "canon/jcs/array-one", "--level", "canonical-form-jcs"];
    assert_eq!(asked(&level), ["canon/episode/array-one"]);
    run(&[&["certify", "--quick"], &level[..]].concat())
        .complains(&["note: level canonical-form-jcs is called canonical-form-episode now"]);
}

/// Whoever is given no grade is told which law lacks what.
#[test]
fn a_run_without_a_grade_says_what_is_missing() {
    let case = "sovereign/deny-precedence/deny-audit-attempt-allowed";
    let ran = run(&["certify", "--quick", "--challenges", "none", "--filter", case]).exits(3);
    ran.says(&["nothing judged: ", "a law has a grade once", "; of sovereign/deny-precedence no case that it "]);
}

#[test]
fn a_case_of_another_corpus_is_explained() {
    let folder = wrong();
    let corpus = folder.path().to_str().unwrap();
    run(&["explain", "canon/episode/a", "--corpus", corpus]).exits(0).says(&["WRONG-OUTPUT", "  - /out/bytes"]);
    fs::write(folder.path().join("canon/episode/a.json"), CASE.replace("hand", "verifier")).unwrap();
    run(&["explain", "canon/episode/a", "--corpus", corpus])
        .exits(3)
        .complains(&["vectors/canon/episode/a.json: line 2"]);
}

/// A new case has all but what a person has to argue, and no corpus takes it before.
#[test]
fn a_case_is_added_and_waits_for_its_expectation() {
    let folder = wrong();
    let corpus = folder.path().to_str().unwrap();
    let at = |name: &str| folder.path().join(name);
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("doc"), "[1, -0]").unwrap();
    let doc = format!("doc={}", outside.path().join("doc").display());
    let add = |id: &str, more: &[&str]| {
        let args = ["vectors", "add", id, "--corpus", corpus, "--op", "canon.bytes", "--in", &doc];
        run(&[&args[..], more].concat())
    };
    let profile = ["--arg", "profile=rfc8785"];
    let ran = add("canon/rfc8785/added", &profile).exits(0).complains(&["argue them from the text or a ruling"]);
    let path = at("canon/rfc8785/added.json");
    assert_eq!(ran.text(), format!("{}\n", path.display()));
    let text = fs::read_to_string(&path).unwrap();
    let case: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&case["in"]["doc"]["text"], &case["args"]["profile"]), (&"[1, -0]".into(), &"rfc8785".into()));
    // Nothing that the verifier says is in it.
    assert_eq!((&case["expect"], &case["rationale"], &case["spec"]["section"]), (&json!({}), &"".into(), &"".into()));
    let checked = run(&["vectors", "check", corpus]).exits(1);
    checked.says(&["vectors/canon/rfc8785/added.json", "the expectation is empty", "--cases leaves them out"]);
    // Of a few cases nobody asks that they reach every law.
    let alone = run(&["vectors", "check", "--cases", corpus]).exits(1).says(&["the expectation is empty"]);
    let of_cases = alone.text().lines().filter(|line| line.starts_with("vectors/canon/")).count();
    assert_eq!(
        alone.text().lines().last(),
        Some(format!("unlawful: {of_cases} findings").as_str()),
        "{}",
        alone.text()
    );
    assert_eq!(alone.text().lines().count(), of_cases + 1);
    run(&["certify", "--quick", "--corpus", corpus, "--filter", "canon/rfc8785"]).exits(3).says(&["NOT-RUN 1 case"]);
    fs::write(&path, text.replace("\"expect\": {}", "\"expect\": {\"is\": \"accept\"}")).unwrap();
    run(&["explain", "canon/rfc8785/added", "--corpus", corpus]).exits(0);
    // What is there is left as it is, and what can be no case is refused.
    add("canon/rfc8785/added", &profile).exits(64).complains(&["a case has or had this id"]);
    for (id, more, why) in [
        ("canon/rfc8785/Added", &profile[..], "is not an id"),
        ("canon/nothing/a", &profile, "names no law that has vectors"),
        ("canon/rfc8785/b", &[], "canon.bytes needs the argument profile"),
        ("canon/rfc8785/b", &["--arg", "profile=rfc8785", "--in", "other=doc"], "cannot be read"),
        ("canon/rfc8785/b", &["--arg", "profile=rfc8785", "--in", &doc], "is given twice"),
        ("canon/rfc8785/b", &["--arg", "profile=rfc8785", "--file", &doc], "looks at no files"),
        ("canon/rfc8785/b", &["--arg", "profile=rfc8785", "--twin", "canon/rfc8785/none"], "there is no such case"),
    ] {
        let ran = add(id, more).complains(&[why]);
        assert!(ran.code == 64 || why == "cannot be read", "{id}: {}", ran.stderr);
        assert!(!at(&format!("{id}.json")).exists());
    }
}

#[test]
fn vectors_are_checked() {
    let folder = wrong();
    let corpus = folder.path().to_str().unwrap();
    let ran = run(&["vectors", "check", corpus]).exits(1);
    ran.says(&["vectors/canon/episode/a.json: ", "; ", "unlawful: "]);
    let found = run(&["vectors", "check", corpus, "--format", "json"]).exits(1).json();
    let first = &found["findings"][0];
    for member in ["file", "pointer", "message", "remedy"] {
        assert!(first[member].is_string(), "{member}");
    }
    run(&["vectors", "check", "gone"]).exits(3).complains(&["gone"]);
    run(&["vectors", "census", "gone"]).exits(3).complains(&["gone"]);
}

/// Contracts that have moved on from those of the build are read from a folder.
#[test]
fn contracts_come_from_a_folder_too() {
    let folder = tempfile::tempdir().unwrap();
    let moved = folder.path().join("contracts");
    let repository = concat!(env!("CARGO_MANIFEST_DIR"), "/../contracts");
    assert!(Command::new("cp").args(["-r", repository]).arg(&moved).status().unwrap().success());
    for (file, from, to) in [
        ("laws/canon/rfc8785.json", "canonical bytes are those of RFC 8785", "canonical bytes are others"),
        ("rulings/episode.json", "Either value is accepted, and nothing", "Neither value is accepted, and nothing"),
    ] {
        let text = fs::read_to_string(moved.join(file)).unwrap();
        assert_eq!(text.matches(from).count(), 1, "{file}");
        fs::write(moved.join(file), text.replace(from, to)).unwrap();
    }
    let contracts = ["--contracts", moved.to_str().unwrap()];
    for (verb, was, is) in [
        (&["laws", "canon/rfc8785"], "bytes are those of", "bytes are others"),
        (&["explain", "EP-1"], "Either value", "Neither value"),
    ] {
        run(verb).exits(0).says(&[was]);
        run(&[verb, &contracts[..]].concat()).exits(0).says(&[is]);
    }
    let of_one_case = wrong();
    let check = ["vectors", "check", of_one_case.path().to_str().unwrap()];
    assert!(!run(&check).exits(1).text().contains("contracts/laws/canon/rfc8785.json: line"));
    let law = fs::read_to_string(moved.join("laws/canon/rfc8785.json")).unwrap();
    fs::write(moved.join("laws/canon/rfc8785.json"), law.replace("\"position\": 4", "\"position\": -1")).unwrap();
    run(&[&check, &contracts[..]].concat()).exits(1).says(&["contracts/laws/canon/rfc8785.json: line"]);
    let empty = ["--contracts", of_one_case.path().to_str().unwrap()];
    run(&[&check, &empty[..]].concat()).exits(3).complains(&["no contracts here", "help: "]);
}
