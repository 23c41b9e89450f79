//! Every world, to the bound of a test: no difference, and nothing that was left out.

use std::path::Path;

use assize_worlds::{ALL, Limits, Row, find, item, search, table};

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

#[test]
fn the_table_has_a_row_for_each_world() {
    let row = |name: &str| {
        let facts = find(name).unwrap().facts();
        let tally = item(find(name).unwrap(), 1, 0).unwrap();
        Row { facts, bound: 1, tally }
    };
    let table = table(&[row("issues"), row("attempts")]);
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[2].contains("| 3: `E_CAPABILITY_DENIED`"), "{}", lines[2]);
    assert!([0, 2, 3].iter().all(|line| lines[*line].matches(" | ").count() == 8), "{table}");
}

#[test]
fn every_law_of_a_world_is_declared() {
    let declared = |law: &&str| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../../contracts/laws/{law}.json")).is_file()
    };
    for world in ALL {
        let facts = world.facts();
        assert!(!facts.laws.is_empty() && facts.laws.iter().all(declared), "{}: {:?}", facts.name, facts.laws);
    }
}
