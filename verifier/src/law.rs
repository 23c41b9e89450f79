//! The laws that this verifier judges by, as `contracts/laws` declares them.
//!
//! The build makes the table from the declarations: a law that is not declared cannot be named, and no list of laws is
//! kept by hand.

use std::fmt;

include!(concat!(env!("OUT_DIR"), "/law_table.rs"));

/// What the table holds of each law.
struct Declared {
    slug: &'static str,
    system: &'static str,
}

/// A law: its number in the published order, first of systems and then of the laws in each.
///
/// Its declaration, `contracts/laws/<slug>.json`, gives its statement and its place in the specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Law(
    // INVARIANT (number): below the length of LAWS; every constructor takes it from there.
    u16,
);

impl Law {
    /// Every law, in the published order.
    pub const ALL: [Self; LAWS.len()] = {
        let mut all = [Self(0); LAWS.len()];
        let mut rest: &mut [Self] = &mut all;
        let mut number = 0;
        while let Some((first, others)) = rest.split_first_mut() {
            *first = Self(number);
            number += 1;
            rest = others;
        }
        all
    };

    /// The systems that have laws, in the published order.
    pub const SYSTEMS: [&'static str; SYSTEMS.len()] = SYSTEMS;

    /// The laws that this verifier judges, in the published order; of the others, the declaration says why not.
    pub fn judged() -> impl Iterator<Item = Self> {
        crate::JUDGED.iter().copied().flatten().copied()
    }

    /// The law with this slug, for constants: of a slug that nothing declares none can be made, and the build ends.
    ///
    /// ```
    /// use assize_verifier::law::Law;
    ///
    /// const FLOAT_BAN: Law = Law::named("sovereign/float-ban");
    /// assert_eq!(FLOAT_BAN.system(), "sovereign");
    /// ```
    ///
    /// ```compile_fail
    /// const NONE: assize_verifier::law::Law = assize_verifier::law::Law::named("sovereign/no-such-law");
    /// ```
    ///
    /// # Panics
    /// Outside of a constant, where the slug is not declared; [`Law::find`] answers there.
    #[must_use]
    pub const fn named(slug: &'static str) -> Self {
        let mut rest = LAWS.as_slice();
        let mut number = 0;
        while let Some((first, others)) = rest.split_first() {
            if same(first.slug.as_bytes(), slug.as_bytes()) {
                return Self(number);
            }
            number += 1;
            rest = others;
        }
        #[expect(clippy::panic, reason = "in a constant this ends the build, as it has to")]
        {
            panic!("no file of contracts/laws declares this law")
        }
    }

    /// The law with this slug, if one is declared.
    #[must_use]
    pub fn find(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.slug() == slug)
    }

    /// The stable name, with its system.
    #[must_use]
    pub const fn slug(self) -> &'static str {
        self.declared().slug
    }

    /// The system that the law is of.
    #[must_use]
    pub const fn system(self) -> &'static str {
        self.declared().system
    }

    #[expect(clippy::indexing_slicing, reason = "INVARIANT (number)")]
    const fn declared(self) -> &'static Declared {
        const TABLE: &[Declared] = &LAWS;
        &TABLE[self.0 as usize]
    }
}

/// Whether two texts are equal, in a constant.
const fn same(mut a: &[u8], mut b: &[u8]) -> bool {
    loop {
        match (a.split_first(), b.split_first()) {
            (Some((one, rest_a)), Some((other, rest_b))) if *one == *other => (a, b) = (rest_a, rest_b),
            (None, None) => return true,
            _ => return false,
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.slug())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_found_and_systems_are_theirs() {
        for law in Law::ALL {
            assert_eq!((Law::find(law.slug()), Law::named(law.slug())), (Some(law), law));
            assert_eq!(law.slug().split('/').next(), Some(law.system()));
            assert_eq!(format!("{law} {law:?}"), format!("{0} {0}", law.slug()));
        }
        for none in ["", "sovereign", "sovereign/", "sovereign/float-bans", "sovereign/float-ba"] {
            assert_eq!(Law::find(none), None, "{none}");
        }
    }

    /// A law's module bears its name, and names no other law.
    #[test]
    fn judged_laws_come_once_in_the_published_order() {
        assert!(Law::judged().is_sorted_by(|a, b| a < b));
        assert!(Law::judged().count() > 100 || !cfg!(every_system));
    }

    #[test]
    fn the_order_is_published() {
        assert!(Law::ALL.is_sorted());
        let mut systems: Vec<_> = Law::ALL.map(Law::system).to_vec();
        systems.dedup();
        assert_eq!(systems, Law::SYSTEMS);
    }
}
