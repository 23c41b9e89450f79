//! `assize gallery`: results of every kind, made up by hand, and what the pages say of them.

#[cfg(unix)]
mod chromium;
mod markup;
mod results;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::support::{Ran, run_in};
use markup::{Markup, resolved};
use results::{HOSTILE, all, corpus, kept, ruled, strict, violating};

/// Results in a temporary folder, and the site that is made of them.
struct Gallery(tempfile::TempDir);

impl Gallery {
    fn of(results: &[Value]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("kept")).unwrap();
        corpus(&folder.path().join("corpus"));
        for (number, result) in results.iter().enumerate() {
            fs::write(folder.path().join(format!("kept/{number}.json")), result.to_string()).unwrap();
        }
        Self(folder)
    }

    fn write(&self, out: &str) -> Ran {
        run_in(self.0.path(), &["gallery", "kept", "--out", out, "--corpus", "corpus"], b"")
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// What a page says, without its markup, style and script.
    fn said(&self, path: &str) -> String {
        Markup::of(&self.text(path)).text
    }
}

/// Every file below a folder, with its bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    files
}

#[test]
fn every_state_has_a_row_a_page_and_a_badge_in_the_words_of_reports() {
    let gallery = Gallery::of(&all());
    gallery.write("site").exits(0).says(&["site: ", "index.html"]);
    let index = gallery.said("site/index.html");
    assert!(index.contains("6 implementations in 7 versions"), "{index}");
    for (slug, word, badge) in [
        ("strict-1.0", "conforms strictly", "conforms strictly"),
        ("ruled-1.0", "conforms", "conforms"),
        ("broken-2.0", "violates", "violates, 2 failures"),
        ("broken-10.0", "conforms strictly", "conforms strictly"),
        ("unasked-1.0", "nothing judged", "incomplete"),
        ("unusable-1.0", "testee unusable", "incomplete"),
        ("-script-alert-1---script----", "violates", "violates, 2 failures (no claim)"),
        ("away-1.0", "not installed", "not installed"),
        ("mute-1.0", "not judged", "not judged"),
    ] {
        let page = gallery.text(&format!("site/implementations/{slug}.html"));
        let (_, title) = page.split_once("<title>").unwrap();
        assert!(title.split_once(" - ").unwrap().0.ends_with(&format!(": {word}")), "{slug}");
        let heading = format!("<h2 id=\"verdict\">{}{}</h2>", word[..1].to_uppercase(), &word[1..]);
        assert!(page.contains(&heading), "{slug}");
        let drawn = gallery.text(&format!("site/badges/{slug}.svg"));
        assert!(drawn.contains(&format!(">assize: {badge}</title>")), "{drawn}");
        let link = format!("implementations&#x2f;{slug}.html");
        let index = gallery.text("site/index.html");
        let row = index.split("<tr").find(|row| row.contains(&link)).unwrap_or_else(|| panic!("no row of {slug}"));
        assert!(row.contains(&format!(">{word}</span>")), "{row}");
    }
    for why in ["cargo exited with 101", "no hello"] {
        assert!(index.contains(why), "{why}");
    }
    // The newest version stands above the one before it, by number.
    assert!(index.find("10.0").unwrap() < index.find("2.0").unwrap());
}

#[test]
fn every_page_is_well_formed_and_every_link_leads_somewhere() {
    let gallery = Gallery::of(&all());
    gallery.write("site").exits(0);
    let files = files(&gallery.path("site"));
    let pages: BTreeMap<&str, Markup> = files
        .iter()
        .filter(|(path, _)| path.ends_with(".html"))
        .map(|(path, bytes)| (path.as_str(), Markup::of(std::str::from_utf8(bytes).unwrap())))
        .collect();
    assert_eq!(pages.len(), 1 + 9 + 2, "{:?}", pages.keys());
    let mut followed = 0;
    for (path, page) in &pages {
        page.is_accessible(path);
        page.asks_for_nothing(path);
        for link in page.links.iter().filter(|link| !link.starts_with("https://")) {
            let (file, anchor) = resolved(path, link);
            assert!(files.contains_key(&file), "{path}: {link} leads to {file}");
            if let Some(anchor) = anchor {
                assert!(pages[file.as_str()].ids.contains(&anchor), "{path}: no {anchor} in {file}");
            }
            followed += 1;
        }
    }
    assert!(followed > 60, "{followed} links");
    // Whoever begins at the index comes to every page.
    let (mut seen, mut next) = (Vec::new(), vec!["index.html".to_owned()]);
    while let Some(path) = next.pop() {
        if let Some(page) = pages.get(path.as_str()).filter(|_| !seen.contains(&path)) {
            next.extend(
                page.links.iter().filter(|link| !link.starts_with("https://")).map(|link| resolved(&path, link).0),
            );
            seen.push(path);
        }
    }
    assert_eq!(seen.len(), pages.len(), "{seen:?}");
}

#[test]
fn a_failure_shows_its_reason_its_force_its_place_and_one_command() {
    let gallery = Gallery::of(&[violating("broken", "2.0")]);
    gallery.write("site").exits(0);
    let page = gallery.said("site/implementations/broken-2.0.html");
    for said in [
        "Its makers claim: RFC 8785.",
        "A reader that writes U+FFFD for half a pair.",
        "RFC 8785, section 3.2.2.2",
        "assize bench shims/bench.toml --only broken@2.0 --case canon/rfc8785/lone-high",
        "assize bench shims/bench.toml --only broken@2.0 --update broken@2.0",
        "assize explain canon/rfc8785/lone-high",
        "1 more like it: canon/rfc8785/lone-low",
        "3 of 4 cases asked, 2 spec failures in 1 law.",
        "1 not applicable it is handed values",
        "broken==2.0",
    ] {
        assert!(page.contains(said), "{said}\n{page}");
    }
    let law = gallery.said("site/laws/canon/rfc8785.html");
    for said in ["Who fails it", "RFC 8785, section", "canon/rfc8785/lone-low", "Who passes it Nobody."] {
        assert!(law.contains(said), "{said}\n{law}");
    }
    // The input of the case is the one of the corpus, where that is the one that was asked.
    let (input, note) = (r#"ud83d"#, "It is another than the one of this gallery");
    let exact = |page: &str| page.contains("Exact input") && page.to_lowercase().contains(input);
    assert!(exact(&page) && !page.contains(note), "{page}");
    let mut earlier = violating("broken", "1.0");
    earlier["report"]["result"]["suite"]["sha256"] = json!("0".repeat(64));
    let gallery = Gallery::of(&[earlier]);
    gallery.write("site").exits(0);
    let page = gallery.said("site/implementations/broken-1.0.html");
    assert!(!exact(&page) && page.contains(note), "{page}");
    assert!(gallery.said("site/index.html").contains("00000000 another than this gallery's"));
}

#[test]
fn another_suite_is_one_of_other_vectors_laws_or_operations() {
    for member in ["sha256", "laws_sha256", "operations_sha256"] {
        let mut earlier = violating("broken", "1.0");
        earlier["report"]["result"]["suite"][member] = json!("0".repeat(64));
        let gallery = Gallery::of(&[earlier]);
        gallery.write("site").exits(0);
        let index = gallery.said("site/index.html");
        assert!(index.contains("another than this gallery's") && !index.contains("the one of this gallery"), "{index}");
        assert_eq!(index.contains("under other laws or operations"), member != "sha256", "{index}");
        let page = gallery.said("site/implementations/broken-1.0.html");
        assert!(page.contains("It is another than the one of this gallery") && !page.contains("Exact input"), "{page}");
    }
}

#[test]
fn a_command_repeats_what_the_answer_depends_on() {
    let mut other = violating("broken", "2.0");
    other["options"] = json!(["--corpus", "my corpus", "--timeout", "5"]);
    let gallery = Gallery::of(&[other]);
    gallery.write("site").exits(0);
    let page = gallery.said("site/implementations/broken-2.0.html");
    let bench = "assize bench shims/bench.toml --corpus 'my corpus' --timeout 5 --only broken@2.0";
    for command in ["--case canon/rfc8785/lone-high", "--update broken@2.0"] {
        assert!(page.contains(&format!("{bench} {command}")), "{page}");
    }
}

#[test]
fn those_who_answer_alike_are_a_group_and_what_divides_groups_is_shown() {
    let mut other = violating("other", "1.0");
    other["report"]["result"]["failures"][1]["mismatches"][0]["actual"] = json!("fault");
    let mut unasked = violating("unasked", "1.0");
    let result = &mut unasked["report"]["result"];
    result["failures"].as_array_mut().unwrap().pop();
    result["clusters"][0]["cases"] = json!(["canon/rfc8785/lone-high"]);
    (result["laws"][0]["spec"], result["laws"][0]["fail"]) = (json!(1), json!(1));
    result["unrun"][0]["id"] = json!("canon/rfc8785/lone-low");
    let mut elsewhere = violating("elsewhere", "1.0");
    elsewhere["report"]["result"]["suite"]["sha256"] = json!("0".repeat(64));
    // A challenge is a question of one run alone.
    let mut challenged = strict("right", "2.0");
    let mut failure = violating("x", "1")["report"]["result"]["failures"][0].clone();
    failure["id"] = json!("canon/rfc8785/challenge-spelling-1");
    let result = &mut challenged["report"]["result"];
    (result["failures"], result["grade"]) = (json!([failure]), json!("violates"));
    let law = &mut result["laws"][0];
    (law["spec"], law["fail"], law["grade"]) = (json!(1), json!(1), json!("violates"));
    let all = [
        strict("right", "1.0"),
        challenged,
        strict("right", "3.0"),
        violating("wrong", "1.0"),
        violating("wrong", "2.0"),
        other,
        unasked,
        elsewhere,
    ];
    let gallery = Gallery::of(&all);
    gallery.write("site").exits(0);
    let page = gallery.said("site/laws/canon/rfc8785.html");
    let (_, alike) = page.split_once("Who answers alike").unwrap();
    let (groups, divisions) = alike.split_once("What sets the groups apart").unwrap();
    assert!(groups.contains("2 cases divide the 7 versions that are compared here into 4 groups"), "{groups}");
    assert!(groups.contains("1 more was asked from another corpus"), "{groups}");
    for row in [
        "1 3 right 3.0 , right 2.0 , right 1.0 2 2",
        "2 2 wrong 2.0 , wrong 1.0 2 0",
        "3 1 other 1.0 2 0",
        "4 1 unasked 1.0 1 0",
    ] {
        assert!(groups.contains(row), "{row}\n{groups}");
    }
    for row in [
        "canon/rfc8785/lone-high as expected: group 1 otherwise ( /is: expected \"reject\", got \"accept\" ): groups 2 , 3 , 4",
        "canon/rfc8785/lone-low as expected: group 1 not asked: group 4 \
         otherwise ( /is: expected \"reject\", got \"accept\" ): group 2 \
         otherwise ( /is: expected \"reject\", got \"fault\" ): group 3",
    ] {
        assert!(divisions.contains(row), "{row}\n{divisions}");
    }
    let gallery = Gallery::of(&[strict("one", "1.0"), strict("two", "1.0")]);
    gallery.write("site").exits(0);
    let page = gallery.said("site/laws/canon/rfc8785.html");
    assert!(page.contains("All 2 versions that were asked the same corpus answer every case of it alike."), "{page}");
}

#[test]
fn only_what_is_against_a_specification_fails_a_law() {
    let gallery = Gallery::of(&[ruled("ruled", "1.0"), strict("strict", "1.0")]);
    gallery.write("site").exits(0);
    let law = gallery.said("site/laws/canon/rfc8785.html");
    let (fails, holds) = law.split_once("Who passes it").unwrap();
    assert!(
        fails.contains("Who fails it Nobody.") && holds.contains("ruled 1.0") && holds.contains("strict 1.0"),
        "{law}"
    );
    let page = gallery.said("site/implementations/ruled-1.0.html");
    assert!(page.contains("1 ruling failure") && page.contains("assize explain NUM-04"), "{page}");
    assert!(!page.to_lowercase().contains("violates"), "{page}");
}

#[test]
fn who_claims_nothing_is_shown_as_such() {
    let mut silent = violating("silent", "1.0");
    silent["implementation"]["claims"] = Value::Null;
    let gallery = Gallery::of(&[silent]);
    gallery.write("site").exits(0);
    for path in ["index.html", "laws/canon/rfc8785.html", "badges/silent-1.0.svg"] {
        assert!(gallery.text(&format!("site/{path}")).contains("no claim"), "{path}");
    }
    let page = gallery.said("site/implementations/silent-1.0.html");
    assert!(page.contains("Its makers are not known to claim what it was asked"), "{page}");
}

#[test]
fn who_claims_something_else_differs_and_violates_nothing() {
    let mut other = violating("other", "1.0");
    other["implementation"]["bound"] = json!(false);
    let gallery = Gallery::of(&[other, violating("guilty", "1.0")]);
    gallery.write("site").exits(0);
    let page = gallery.said("site/implementations/other-1.0.html");
    assert!(page.contains("That is something else than what it was asked") && page.contains("Differs"), "{page}");
    let badge = gallery.text("site/badges/other-1.0.svg");
    assert!(badge.contains("differs") && !badge.contains("violates"), "{badge}");
    let law = gallery.said("site/laws/canon/rfc8785.html");
    let (fails, differs) = law.split_once("Who differs, and claims something else").unwrap();
    assert!(fails.contains("guilty 1.0") && !fails.contains("other 1.0"), "{law}");
    assert!(differs.split_once("Who passes it").unwrap().0.contains("other 1.0"), "{law}");
    assert!(gallery.said("site/implementations/guilty-1.0.html").contains("Violates"));
}

#[test]
fn nothing_that_an_implementation_says_becomes_markup() {
    let gallery = Gallery::of(&all());
    gallery.write("site").exits(0);
    for (path, bytes) in files(&gallery.path("site")) {
        let text = String::from_utf8(bytes).unwrap();
        let is_page = path.ends_with(".html");
        assert!(path.ends_with(".json") || !text.contains("<script>alert"), "{path}");
        assert!(!is_page || text.matches("<script").count() == 1, "{path}");
        assert!(!is_page || !text.contains("javascript:"), "{path}: an address of a link");
        assert!(path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"./-_".contains(&byte)), "{path}");
    }
    let said = gallery.said("site/index.html");
    assert!(said.contains(HOSTILE), "{said}");
}

#[test]
fn the_same_results_give_the_same_bytes_and_a_gallery_is_brought_up_to_date() {
    let gallery = Gallery::of(&all());
    gallery.write("one").exits(0);
    gallery.write("two").exits(0);
    let (one, two) = (files(&gallery.path("one")), files(&gallery.path("two")));
    assert!(one == two && one.len() > 20);
    // What is no longer kept has no page; what is somebody else's stays.
    let law = "laws/canon/rfc8785.html";
    fs::write(gallery.path("two/CNAME"), "mine").unwrap();
    fs::remove_dir_all(gallery.path("kept")).unwrap();
    fs::create_dir(gallery.path("kept")).unwrap();
    fs::write(gallery.path("kept/a.json"), strict("strict", "1.0").to_string()).unwrap();
    gallery.write("two").exits(0).says(&["removed"]);
    let now = files(&gallery.path("two"));
    assert!(now.contains_key("CNAME") && now.contains_key(law));
    assert!(!now.contains_key("implementations/broken-2.0.html") && now[law] != one[law]);
    // A page that was edited is not written over, nor is anything else.
    fs::write(gallery.path("two/index.html"), "mine").unwrap();
    gallery.write("two").exits(3).complains(&["generated files were edited: index.html"]);
    fs::create_dir(gallery.path("three")).unwrap();
    fs::write(gallery.path("three/index.html"), "mine").unwrap();
    gallery.write("three").exits(3).complains(&["index.html", "nothing was written"]);
    assert_eq!(files(&gallery.path("three")).len(), 1);
}

#[test]
fn what_cannot_be_shown_is_named_with_what_to_do() {
    let empty = Gallery::of(&[]);
    empty.write("site").exits(3).complains(&["kept: there is no result to show", "assize bench TABLE --out DIR"]);
    assert!(!empty.path("site").exists());
    run_in(empty.0.path(), &["gallery", "gone", "--out", "site"], b"").exits(3).complains(&["gone", "assize bench"]);
    let check = |change: &dyn Fn(&mut Value), said: &str| {
        let mut result = violating("broken", "2.0");
        change(&mut result);
        let gallery = Gallery::of(&[result]);
        gallery.write("site").exits(3).complains(&[said]);
        assert!(!gallery.path("site").exists(), "{said}");
    };
    // Of several each is named with its file, and the advice is about the one that is meant.
    let (mut right, mut empty) = (strict("right", "1.0"), violating("broken", "2.0"));
    right["table"] = json!("other.toml");
    empty["report"] = Value::Null;
    let several = Gallery::of(&[right, empty]);
    several.write("site").exits(3).complains(&[
        "kept/1.json: the report of broken@2.0 cannot be shown: it was judged, and there is none",
        "ask it again: `assize bench shims/bench.toml --only broken@2.0 --update broken@2.0`",
    ]);
    for (name, text) in [("a", "{}"), ("b", "[")] {
        fs::write(several.path(&format!("kept/{name}.json")), text).unwrap();
    }
    several.write("site").exits(3).complains(&[
        "kept/a.json: is no result",
        "kept/b.json: is no result",
        "remove what",
    ]);
    check(&|result| result["contract"] = json!("other"), "it calls itself \"other\"");
    check(&|result| result["report"] = Value::Null, "it was judged, and there is none");
    check(&|result| result["report"]["contract"] = json!("assize-report/v9"), "assize-report/v9");
    check(&|result| result["report"]["result"]["laws"][0]["slug"] = json!("../../x"), "is no law");
    check(
        &|result| result["report"]["result"]["failures"][0]["outcome"] = json!("MAYBE"),
        "no case comes to \"MAYBE\"",
    );
    check(&|result| result["implementation"]["name"] = json!(""), "no name");
    let law = "/report/result/laws/0";
    for (member, value) in [("grade", json!("conforms")), ("spec", json!(0)), ("spec", json!(3))] {
        // A word or a number that its failures do not bear out condemns or acquits nobody.
        let change = |result: &mut Value| result.pointer_mut(law).unwrap()[member] = value.clone();
        check(&change, "of canon/rfc8785 it says");
    }
    let condemned = |result: &mut Value| {
        *result = strict("strict", "1.0");
        result["report"]["result"]["grade"] = json!("violates");
    };
    check(&condemned, "it says that a law is violated, and names none");
    let twice = Gallery::of(&[kept("a/b", "1", "judged"), kept("A-b", "1", "judged")]);
    twice.write("site").exits(3).complains(&["would have the same page"]);
}
