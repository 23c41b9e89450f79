use super::{super::fixture, *};

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
                assert!(!tag.contains(attribute) || tag.contains("data-id="), "{name}: {tag}");
            }
            assert!(!tag.contains(" href=") || tag.contains("href=\"#"), "{name}: {tag}");
        }
        assert!(page.contains(&report.digest) && page.contains(view::word_of(&report)), "{name}");
        assert!(!page.contains(|letter| !matches!(letter, '\n' | '\t') && crate::clean::steers(letter)), "{name}");
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
        "assize certify --filter canon&#x2f;jcs&#x2f;wrong-output -- python3",
        "assize explain canon&#x2f;jcs&#x2f;wrong-output --format json",
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
    assert_eq!(page.matches("<details class=\"failure\"").count(), report.result.failures.len());
}

#[test]
fn thousands_are_rows() {
    let page = page(&fixture::many(5000));
    assert_eq!(page.matches("<details class=\"failure\"").count(), MOST);
    assert_eq!(page.matches("<tr class=\"row\"").count(), 5000 - MOST);
    assert!(page.contains("The first 200 failures") && page.contains("the other 4800"));
    assert!(page.len() < 4 << 20, "{}", page.len());
}
