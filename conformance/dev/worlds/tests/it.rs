//! Every world, to the bound of a test: no difference, and nothing that was left out.

use std::path::Path;

use assize_worlds::{ALL, Limits, Row, find, item, search, table};

/// Cases below the bound of a test, counted by hand from alphabet and bound; of the doubles not all that are in a band are numbers.
const COUNTS: [(&str, u64); 11] = [
    ("texts", 1 + 20 + 20 * 20 + 20 * 20 * 20),
    ("tokens", 1 + 25 + 25 * 25 + 25 * 25 * 25),
    ("doubles", 0),
    ("issues", (1 + 3 + 9) * (1 + 3 + 9)),
    ("attempts", 1 + 64),
    ("statuses", 6 + 2 * 36),
    ("scripts", 2 + 16 + 512),
    ("traces", 1 + 22 + 22 * 22),
    ("graphs", 1 + 4 + 4 * 7 + 4 * 7 * 16),
    ("ledgers", 3 * 7 * 4 * (40 + 21 + 4)),
    ("matrix", 7 * 7 * 5 * 37),
];

#[test]
fn every_world_is_searched_and_no_difference_is_found() {
    assert_eq!(COUNTS.map(|(name, _)| name).to_vec(), ALL.map(|world| world.facts().name).to_vec());
    let mut wrong = Vec::new();
    for (world, (name, count)) in ALL.into_iter().zip(COUNTS) {
        let bound = world.facts().bounds[0];
        let tally = search(world, bound, &Limits::default(), &|_| {}).unwrap();
        let as_many = tally.accepted > 0 && if count == 0 { tally.count > 10_000 } else { tally.count == count };
        if !as_many || tally.differing > 0 {
            let first = tally.differences.first().map(|difference| difference.text.clone());
            wrong.push(format!(
                "{name}: {} of {} cases differ, {count} are due; {first:?}",
                tally.differing, tally.count
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
