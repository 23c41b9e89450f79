use super::{
    super::{RunGrade, fixture},
    *,
};

fn page((report, suite): &(Report, Suite)) -> String {
    write(report, suite).unwrap()
}

/// Names of elements and attributes in the order of the page, without the content of script and style. Fails where an
/// element is not closed in the right order.
fn tags(page: &str) -> Vec<String> {
    const VOID: [&str; 5] = ["!doctype", "meta", "br", "input", "link"];
    let page = page.replacen(SCRIPT, "", 1).replacen(STYLE, "", 1);
    let (mut tags, mut open) = (Vec::new(), Vec::new());
    let mut rest = page.as_str();
    while let Some((before, after)) = rest.split_once('<') {
        assert!(!before.contains('>'), "a stray > in {before:?}");
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        let name = tag.split([' ', '\n']).next().unwrap();
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        assert!(!tag.contains('<') && tag.matches('"').count() % 2 == 0, "{tag}");
        tags.push(tag.to_owned());
        if !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    assert_eq!(open, Vec::<String>::new());
    tags
}

#[test]
fn every_page_is_well_formed_and_loads_nothing() {
    for (name, report, suite) in fixture::all() {
        let page = write(&report, &suite).unwrap();
        for tag in tags(&page) {
            let element = tag.split(' ').next().unwrap();
            assert!(!["img", "link", "iframe", "object", "embed", "form", "base"].contains(&element), "{name}: {tag}");
            for attribute in [" src=", " onerror=", " onclick=", " style=", "javascript:"] {
                assert!(!tag.contains(attribute), "{name}: {tag}");
            }
            let leads = ["href=\"#", "href=\"https:&#x2f;&#x2f;www.rfc-editor.org&#x2f;rfc&#x2f;rfc"];
            assert!(!tag.contains(" href=") || leads.iter().any(|start| tag.contains(start)), "{name}: {tag}");
        }
        assert!(page.contains(&report.digest) && page.contains(view::word_of(&report)), "{name}");
        assert!(!page.contains(|letter| !matches!(letter, '\n' | '\t') && crate::clean::steers(letter)), "{name}");
    }
}

#[test]
fn a_failure_has_an_address_by_its_id_and_by_a_former_one() {
    let (report, mut suite) = fixture::failing();
    let law = r#"{"slug":"canon/episode","title":"t","statement":"s","spec":{"document":"d","section":"s"},"origin":"text","position":1,
        "operations":["canon.bytes"],"renamed":{"canon/old/wrong-output":"canon/episode/wrong-output"}}"#;
    suite.corpus.laws.insert("canon/episode".to_owned(), serde_json::from_str(law).unwrap());
    let page = page(&(report, suite));
    for id in ["canon&#x2f;episode&#x2f;wrong-output", "canon&#x2f;old&#x2f;wrong-output"] {
        assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
    }
}

#[test]
fn the_policy_knows_style_and_script() {
    let page = page(&fixture::nothing());
    let between = |start: &str, end: &str| {
        let (_, rest) = page.split_once(start).unwrap();
        rest.split_once(end).unwrap().0.to_owned()
    };
    let policy = between("Content-Security-Policy\" content=\"", "\"").replace("&#x27;", "'").replace("&#x2f;", "/");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    for (start, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let digest = STANDARD.encode(Sha256::digest(between(start, end)));
        assert!(policy.contains(&format!("'sha256-{digest}'")), "{start} in {policy}");
    }
}

#[test]
fn a_failure_shows_everything() {
    let (report, suite) = fixture::failing();
    let page = page(&(report.clone(), suite));
    for said in [
        "assize certify --filter canon&#x2f;episode&#x2f;wrong-output -- python3",
        "assize explain canon&#x2f;episode&#x2f;wrong-output --format json",
        "{&quot;n&quot;:-0}",
        "a symbolic link to &#x2f;etc",
        "without permission to be read, 6 bytes",
        "eA0K",
        "<code>reject A_VALUE</code>",
        "<mark>.0</mark>",
        "expected nothing there",
        "End of standard error",
        "What this does not prove",
        "accept-all",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert_eq!(cards(&page).len(), report.result.failures.len());
    assert!(page.contains("2026-01-02 03:04:05 UTC, in 3.5 s. Command: <code>python3 "), "header");
}

/// Ids of cases that are shown in full, in the order of the page.
fn cards(page: &str) -> Vec<String> {
    let starts = |tag: &str| tag.starts_with("article class=\"case\"") || tag.starts_with("details class=\"case\"");
    tags(page).into_iter().filter(|tag| starts(tag)).map(|tag| id_in(&tag)).collect()
}

/// Ids of cases in one line.
fn rows(page: &str) -> Vec<String> {
    tags(page).into_iter().filter(|tag| tag.starts_with("li class=\"row\"")).map(|tag| id_in(&tag)).collect()
}

fn id_in(tag: &str) -> String {
    let (_, rest) = tag.split_once(" id=\"").unwrap();
    rest.split_once('"').unwrap().0.replace("&#x2f;", "/")
}

/// The part of the page between two marks, without lines and runs of white space.
fn between(page: &str, start: &str, end: &str) -> String {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap().0.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn failures_come_first_by_cause() {
    let page = page(&fixture::weighed());
    assert!(
        page.find("id=\"failures\"") < page.find("id=\"levels\"")
            && page.find("id=\"levels\"") < page.find("id=\"laws\"")
    );
    assert_eq!(cards(&page), ["timeout", "wrong-output", "wrong-code"].map(|name| format!("canon/episode/{name}")));
    let first = between(&page, "id=\"cause-1\"", "id=\"cause-2\"");
    assert!(
        first.starts_with("open>") && first.contains(">spec</span>") && first.contains(">2 cases</span>"),
        "{first}"
    );
    assert!(first.contains("1 more like it: <code>canon&#x2f;episode&#x2f;wrong-output</code>"), "{first}");
    let section = "<a href=\"https:&#x2f;&#x2f;www.rfc-editor.org&#x2f;rfc&#x2f;rfc8785#section-3.2.2.3\" rel=\"noreferrer noopener\">RFC 8785, section 3.2.2.3</a>";
    assert!(first.contains(section), "{first}");
    let second = between(&page, "id=\"cause-2\"", "</section>");
    assert!(second.contains(">ruling</span>") && second.contains(">1 case</span>"), "{second}");
    assert!(second.contains("<span>ruling EP-26</span> (<code>assize explain EP-26</code>)"), "{second}");
    for (side, word, value) in [("expected", "expected", "A_VALUE"), ("actual", "answered", "E_OTHER")] {
        let row = between(&second, &format!("<tr class=\"{side}\">"), "</tr>");
        assert!(row.contains(&format!(">{word}</th>")) && row.contains(value), "{row}");
    }
}

#[test]
fn expected_is_green_and_answered_is_red() {
    let background = |rule: &str| between(STYLE, &format!("{rule} {{ "), "}");
    assert_eq!(background(".diff .expected"), "background: var(--plus);");
    assert_eq!(background(".diff .actual"), "background: var(--minus);");
    // Of a colour #rrggbb: whether there is more green than red in it.
    let green = |name: &str| {
        let colour = between(STYLE, &format!("--{name}: light-dark(#"), ",");
        u8::from_str_radix(colour.get(2..4).unwrap(), 16).unwrap()
            > u8::from_str_radix(colour.get(..2).unwrap(), 16).unwrap()
    };
    assert!(green("plus") && green("plus-mark") && !green("minus") && !green("minus-mark"));
}

#[test]
fn remarks_are_folded_and_no_failures() {
    let page = page(&fixture::weighed());
    assert_eq!(rows(&page), ["canon/episode/long"]);
    let remarks = between(&page, "id=\"remarks\"", "</section>");
    assert!(remarks.contains("<details class=\"fold\"> <summary>1 of 2 passes differ from a convention"), "{remarks}");
    assert!(!super::write(&fixture::known().0, &fixture::known().1).unwrap().contains("id=\"remarks\""));
}

#[test]
fn laws_with_failures_come_first_and_lead_to_them() {
    let (mut report, suite) = fixture::weighed();
    let mut clean = report.result.laws[0].clone();
    clean.slug = "canon/clean".to_owned();
    clean.counts = Totals { cases: 1, pass: 1, ..Totals::default() };
    report.result.laws.insert(0, clean);
    let page = page(&(report, suite));
    let laws = between(&page, "<h2 id=\"laws\">", "</tbody>");
    let rows: Vec<_> = laws.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 2, "{laws}");
    assert!(rows[0].contains("<span class=\"state violates\">violates</span>"), "{}", rows[0]);
    assert!(rows[0].contains("<a href=\"#cause-1\" data-law=\"canon&#x2f;episode\">3</a>"), "{}", rows[0]);
    assert!(rows[1].contains("canon&#x2f;clean") && !rows[1].contains("href"), "{}", rows[1]);
    let numbers: Vec<_> = rows[0].split("</td>").filter_map(|cell| cell.rsplit('>').next()).map(str::trim).collect();
    assert_eq!(numbers[1..6], ["5", "2", "1", "", "3/3"], "{}", rows[0]);
    assert!(rows[0].contains("</a> <span class=\"slug\">2 spec, 1 ruling</span>"), "{}", rows[0]);
}

#[test]
fn what_was_not_asked_is_one_folded_line() {
    let page = page(&fixture::weighed());
    assert!(page.contains("<dd>5 <span>of 6</span></dd>") && page.contains("<dd>3 <span>of 5</span></dd>"));
    let aside = between(&page, "id=\"aside\"", "</section>");
    assert!(aside.contains("<details class=\"fold\"> <summary>1 of 6 cases were not asked, of 1 law none"), "{aside}");
    assert!(
        aside.contains("needs the value minus-zero") && aside.contains("<code>canon&#x2f;sovereign</code>"),
        "{aside}"
    );
    let laws = between(&page, "<h2 id=\"laws\">", "</tbody>");
    assert!(!laws.contains("canon&#x2f;sovereign"), "{laws}");
}

#[test]
fn the_verdict_closes_with_what_passes_are_worth() {
    let page = page(&fixture::weighed());
    let closing = between(&page, "<p class=\"closing\">", "</p>");
    assert_eq!(
        closing,
        "1 of 2 passes earn credit: no testee that looks at nothing gets there; one that refuses everything would pass 6 of the 10 asked."
    );
    assert!(!super::write(&fixture::nothing().0, &fixture::nothing().1).unwrap().contains("class=\"closing\""));
}

#[test]
fn nothing_counts_against_what_could_not_be_used() {
    let (mut report, suite) = fixture::weighed();
    let page = page(&(report.clone(), suite));
    assert!(page.contains("Against a specification</dt><dd>2</dd>") && page.contains("id=\"cause-1\" open>"));
    (report.exit, report.result.grade) = (Exit::Testee, RunGrade::Incomplete);
    report.result.faults = vec!["the shim is broken: it says one thing".to_owned()];
    let page = super::write(&report, &fixture::suite()).unwrap();
    assert!(
        page.contains("<h2 id=\"verdict\">Testee unusable</h2>")
            && page.contains("<p>The shim is broken: it says one thing.</p>")
    );
    assert!(page.contains("None of them counts against the implementation"));
    assert!(!page.contains("id=\"laws\"") && !page.contains("id=\"levels\"") && !page.contains("id=\"controls\""));
    assert!(!page.contains("Against a specification</dt>") && page.contains("id=\"cause-1\">"));
}

#[test]
fn a_former_id_leads_into_the_card() {
    let (report, suite, before) = fixture::renamed();
    let page = page(&(report, suite));
    let card = between(&page, "<article class=\"case\"", "</article>");
    assert!(card.contains(&format!("<span id=\"{}\"></span>", before.replace('/', "&#x2f;"))), "{card}");
}

#[test]
fn what_is_searched_holds_reasons() {
    let page = page(&fixture::weighed());
    for said in [
        "<p class=\"rationale\" data-find>-0 is a number token &amp; &lt;not&gt; a float",
        "<code data-find>&#x2f;codes</code>",
        "<span class=\"why\" data-find>-0 is a number token",
        "<table class=\"diff\" data-find>",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(SCRIPT.contains("[data-find]"));
}

#[test]
fn thousands_are_rows() {
    let page = page(&fixture::many(5000));
    assert_eq!((cards(&page).len(), rows(&page).len()), (card::MOST, 5000 - card::MOST));
    assert!(page.contains("200 failures are shown with everything") && page.contains("the other 4800 are lines"));
    assert!(page.len() < 4 << 20, "{}", page.len());
}
