//! The oracle of `canon_idempotent` against writers that are wrong in one place.
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::CanonIdempotent;
use assize_verifier::canon::{Profile, canonicalize};

/// The verifier's form, with one piece of it written otherwise.
fn judged(text: &str, from: &str, to: &str) -> Result<(), String> {
    CanonIdempotent::judge(text.as_bytes(), |profile, text| match canonicalize(profile, text) {
        Ok(form) if profile == Profile::Episode => {
            Ok(String::from_utf8(form.as_slice().to_vec()).unwrap().replace(from, to).into_bytes())
        }
        Ok(form) => Ok(form.as_slice().to_vec()),
        Err(error) => Err(error.refusal()),
    })
}

#[test]
fn doubles_that_are_spelled_as_integers_are_excused() {
    for text in ["1e16", "-150e0014", "[9007199254740992.0,1e20]", r#"{"b":1e17,"a":-2.0e18,"c":1e21}"#] {
        CanonIdempotent::check(&text.as_bytes().to_vec()).unwrap();
    }
}

#[test]
fn other_integers_are_not() {
    for (text, from, to) in [
        // No such double in the text; beside one; in its place; one too many; in its place with the wrong sign.
        ("[1.5]", "1.5", "12345678901234567"),
        ("[1.5,1e16]", "1.5", "12345678901234567"),
        ("[1e16]", "10000000000000000", "10000000000000002"),
        ("[1e16,2]", "2", "10000000000000000"),
        ("[-1e16]", "-1", "1"),
        // A double that has to keep its exponent.
        ("[1e21]", "1e+21", "1000000000000000000000"),
    ] {
        assert!(judged(text, from, to).is_err(), "{text}");
        judged(text, "never", "written").unwrap();
    }
}
