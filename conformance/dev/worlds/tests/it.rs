//! Every world, to the bound of a test: no difference, and nothing that was left out.

use std::{fs, path::Path};

use assize_worlds::{
    ALL, Limits,
    declared::{declared, of},
    find, item, search, table,
};

/// Cases below the bound of a test, and how many of them are lawful, counted by hand; nothing where a count is the world's own: which
/// doubles in a band are numbers, and which of very many texts are JSON.
const COUNTS: [(&str, Option<u64>, Option<u64>); 11] = [
    ("texts", Some(1 + 20 + 20 * 20 + 20 * 20 * 20), None),
    ("tokens", Some(1 + 25 + 25 * 25 + 25 * 25 * 25), None),
    ("doubles", None, None),
    // Two lists are alike if the same codes stand in them, in any order: one code or one twice, or two in two orders on either side.
    ("issues", Some((1 + 3 + 9) * (1 + 3 + 9)), Some(1 + 3 + 3 + 3 * 2 * 2)),
    // What nothing denies is allowed by a provenance alone.
    ("attempts", Some(1 + 64), Some(1 + 63)),
    // Of one step two statuses; of two that are apart four; of two of which one depends on the other two, and two with a trace that is
    // ignored.
    ("statuses", Some(6 + 2 * 36), Some(2 + 4 + 2 + 2)),
    // Graphs without a circle on one, two and three named points.
    ("scripts", Some(2 + 16 + 512), Some(1 + 3 + 25)),
    ("traces", Some(1 + 22 + 22 * 22), None),
    ("graphs", Some(1 + 4 + 4 * 7 + 4 * 7 * 16), None),
    ("ledgers", Some(3 * 7 * 4 * (40 + 21 + 4)), None),
    ("matrix", Some(7 * 7 * 5 * 37), None),
];

#[test]
fn every_world_is_searched_and_no_difference_is_found() {
    assert_eq!(COUNTS.map(|(name, ..)| name).to_vec(), ALL.map(|world| world.facts().name).to_vec());
    let mut wrong = Vec::new();
    for (world, (name, count, lawful)) in ALL.into_iter().zip(COUNTS) {
        let bound = world.facts().bounds[0];
        let tally = search(world, bound, &Limits::default(), &|_| {}).unwrap();
        let as_many = tally.accepted > 0
            && count.is_none_or(|count| tally.count == count)
            && lawful.is_none_or(|lawful| tally.accepted == lawful);
        if !as_many || tally.differing > 0 {
            let first = tally.differences.first().map(|difference| difference.text.clone());
            wrong.push(format!(
                "{name}: {} of {} cases differ, {} are lawful; {first:?}",
                tally.differing, tally.count, tally.accepted
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_place_is_asked_alone() {
    let world = find("issues").unwrap();
    assert_eq!(item(world, 2, 3).unwrap().count, 1);
    assert_eq!(item(world, 2, world.size(2)).unwrap().count, 0);
    assert!(find("elsewhere").is_none());
}

/// The page of the book that shows the table.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/book/src/worlds.md");

/// The book shows what is declared, line by line; `ASSIZE_SNAPSHOTS=update` writes it.
#[test]
fn the_book_has_the_table_of_what_was_searched() {
    let due = table(declared().unwrap().iter().map(|declared| (declared, declared.searched)));
    let page = fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once("| world |").expect("a table");
    let (shown, after) = rest.split_once("\n\n").expect("text behind the table");
    if std::env::var("ASSIZE_SNAPSHOTS").is_ok_and(|wish| wish == "update") {
        fs::write(PAGE, format!("{before}{}\n{after}", due)).unwrap();
        return;
    }
    let shown = format!("| world |{shown}\n");
    assert_eq!(shown.lines().collect::<Vec<_>>(), due.lines().collect::<Vec<_>>(), "ASSIZE_SNAPSHOTS=update writes it");
    assert!(due.lines().skip(2).all(|line| line.matches(" | ").count() == 8), "{due}");
}

/// What is declared of a world is what it is: its name and alphabet, laws that there are, and a search that the world can hold.
#[test]
fn what_is_declared_of_a_world_is_so() {
    let declared = declared().unwrap();
    let names = |names: &mut dyn Iterator<Item = String>| names.collect::<Vec<_>>();
    let worlds = names(&mut ALL.iter().map(|world| world.facts().name.to_owned()));
    assert_eq!(names(&mut declared.iter().map(|declared| declared.name.clone())), worlds);
    for (world, declared) in ALL.into_iter().zip(declared) {
        let (facts, searched) = (world.facts(), declared.searched);
        assert_eq!(facts.alphabet, declared.alphabet, "{}", facts.name);
        let law =
            |law: &String| Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../contracts/laws/{law}.json"));
        assert!(!declared.laws.is_empty() && declared.laws.iter().all(|slug| law(slug).is_file()), "{}", facts.name);
        let [quick, _] = facts.bounds;
        assert!(searched.bound >= quick && searched.lawful <= searched.cases, "{}", facts.name);
        assert!(searched.cases > 0 && searched.differing == 0, "{}", facts.name);
    }
    let texts = of("texts").unwrap();
    assert_eq!(texts.reach(6), "6 symbols");
    assert!(texts.reach(7).starts_with("7 symbols; of longer texts"));
    assert!(of("elsewhere").is_err());
}
