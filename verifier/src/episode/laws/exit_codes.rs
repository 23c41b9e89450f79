//! Exit codes: one number for a verdict, for scripts.
//!
//! Spec: RCE Profile v0.1, Verdicts; rulings EP-17, EP-43, EP-44.

use crate::episode::model::verdict::Verdict;
use crate::law::Law;
use crate::tables::small;

pub(crate) const LAW: Law = Law::named("episode/exit-codes");

impl Verdict {
    /// The code in the row of the verdict: `contracts/episode/tables/verdicts.json`.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        self.exit()
    }
}

episode_pack_labels_label! {
    /// The word for a pack without an episode: `contracts/episode/tables/pack-labels.json`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PackLabel
}

impl PackLabel {
    pub(crate) fn of(sound: bool, claim_check: Option<&str>, require_claims: bool) -> Self {
        match (sound, claim_check) {
            (false, _) => Self::Tampered,
            (true, Some("PASS")) => Self::Pass,
            (true, Some("N/A")) if !require_claims => Self::Pass,
            (true, _) => Self::HonestFail,
        }
    }

    /// PASS, HONEST_FAIL or TAMPERED.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().label
    }

    /// The code in the row of the word.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        small(self.row().exit_code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_count_only_in_a_sound_pack() {
        let check = |sound, claim, required, code| {
            assert_eq!(PackLabel::of(sound, Some(claim), required).exit_code(), code, "{sound} {claim} {required}");
        };
        check(true, "PASS", true, 0);
        check(true, "N/A", false, 0);
        check(true, "N/A", true, 1);
        check(true, "FAIL", false, 1);
        check(false, "PASS", false, 2);
        check(false, "FAIL", true, 2);
        assert_eq!(PackLabel::of(false, None, false).exit_code(), 2);
    }
}
