//! Both kernels keep every property, and every planted bug is found by its own.

use assize_kernel_model::{Bounds, Bug, PROPERTIES, Reference, Small, check, check_until};

const BOUNDS: Bounds = Bounds { runs: 2, turns: 2, stems: 2 };

#[test]
fn the_small_kernel_keeps_every_property() {
    let found = check(Small::new(None), BOUNDS, 2);
    assert_eq!(found.broken, [].into());
    assert!(found.states > 100, "{} states", found.states);
    println!("{} states, {} steps", found.states, found.steps);
}

#[test]
fn the_reference_kernel_keeps_every_property() {
    let found = check(Reference::default(), Bounds { turns: 1, stems: 1, ..BOUNDS }, 2);
    assert_eq!(found.broken, [].into());
    assert!(found.states > 10, "{} states", found.states);
    println!("{} states, {} steps", found.states, found.steps);
}

#[test]
fn every_property_finds_its_bug() {
    for (bug, property) in Bug::ALL {
        let found = check_until(Small::new(Some(bug)), BOUNDS, 1, property);
        assert!(found.broken.contains_key(property), "{bug:?}: {:?}", found.broken);
    }
    assert!(PROPERTIES.iter().all(|property| Bug::ALL.iter().any(|(_, finds)| finds == property)));
}
