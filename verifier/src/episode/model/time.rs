//! Times as receipts, attestations and callers spell them.
//!
//! Spec: ruling EP-14 (RFC 3339 in an attestation, ISO 8601 on a receipt).

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

/// A time of RFC 3339. Years up to 9999 count, which is more than a `Timestamp` holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant {
    /// As the clock on the wall says.
    local: DateTime,
    /// What that clock is ahead of UTC.
    offset: SignedDuration,
}

impl Instant {
    /// How much later this is than `other`.
    pub(crate) fn since(&self, other: &Self) -> SignedDuration {
        self.local.duration_since(other.local) - (self.offset - other.offset)
    }
}

/// Whether a text is a time of ISO 8601: a date, or a date and a time of day, with or without an offset.
pub(crate) fn is_iso_8601(text: &str) -> bool {
    // An annotation in brackets belongs to RFC 9557.
    let read = || rfc_3339(text).is_some() || text.parse::<Timestamp>().is_ok() || text.parse::<DateTime>().is_ok();
    !text.contains('[') && read()
}

/// The instant that a text of RFC 3339 names: upper-case `T`, whole seconds at least, and an offset.
pub(crate) fn rfc_3339(text: &str) -> Option<Instant> {
    let (local, rest) = text.split_at_checked(19)?;
    let shape = |(byte, model): (u8, u8)| if model == b'0' { byte.is_ascii_digit() } else { byte == model };
    if !local.bytes().zip(*b"0000-00-00T00:00:00").all(shape) {
        return None;
    }
    let digits = rest.strip_prefix('.').map(|rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let (fraction, zone) = match digits {
        None => ("", rest),
        Some(0) => return None,
        Some(count) => rest.split_at_checked(1 + count)?,
    };
    // Beyond a billionth of a second nothing is kept.
    let local = format!("{local}{}", fraction.get(..10).unwrap_or(fraction)).parse().ok()?;
    Some(Instant { local, offset: offset(zone)? })
}

fn offset(zone: &str) -> Option<SignedDuration> {
    if zone == "Z" {
        return Some(SignedDuration::ZERO);
    }
    let [sign @ (b'+' | b'-'), hours @ .., b':', m1, m2] = zone.as_bytes() else { return None };
    let [h1, h2] = hours else { return None };
    let number = |tens: &u8, ones: &u8| {
        let digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        if digits { Some(i64::from((tens - b'0') * 10 + (ones - b'0'))) } else { None }
    };
    let (hours, minutes) =
        (number(h1, h2).filter(|hours| *hours < 24)?, number(m1, m2).filter(|minutes| *minutes < 60)?);
    let ahead = SignedDuration::from_mins(hours * 60 + minutes);
    Some(if *sign == b'-' { -ahead } else { ahead })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_8601_is_read_widely() {
        for text in [
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00.123456+02:00",
            "2026-01-01T00:00:00",
            "2026-01-01 00:00:00+00:00",
            "2026-01-01",
            "20260101T000000Z",
        ] {
            assert!(is_iso_8601(text), "{text}");
        }
        for text in [
            "",
            "yesterday",
            "2026-13-01T00:00:00Z",
            "2026-02-30",
            "2026-01-01T25:00:00Z",
            "1767225600",
            "2026-01-01T00:00:00Z[UTC]",
        ] {
            assert!(!is_iso_8601(text), "{text}");
        }
    }

    #[test]
    fn rfc_3339_wants_seconds_and_a_zone() {
        for text in [
            "2026-01-01T00:00:00",
            "2026-01-01t00:00:00Z",
            "2026-01-01T00:00Z",
            "2026-01-01T00:00:00.Z",
            "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+01:60",
            "2026-02-30T00:00:00Z",
            "2026-01-01",
            "",
        ] {
            assert!(rfc_3339(text).is_none(), "{text}");
        }
    }

    #[test]
    fn instants_are_told_apart_across_zones_and_to_the_end_of_time() {
        let check = |later: &str, earlier: &str, seconds: i64| {
            let (later, earlier) = (rfc_3339(later).expect("a time"), rfc_3339(earlier).expect("a time"));
            assert_eq!(later.since(&earlier), SignedDuration::from_secs(seconds));
        };
        check("2026-01-01T00:00:00Z", "2026-01-01T01:00:00.000+01:00", 0);
        check("2026-01-01T00:00:00-02:30", "2026-01-01T00:00:00+01:00", 12_600);
        check("2026-01-02T00:00:00.123456789012Z", "2026-01-01T00:00:00.123456789Z", 86_400);
        check("9999-12-31T23:59:59Z", "9999-12-31T00:00:00Z", 86_399);
        assert!(is_iso_8601("9999-12-31T23:59:59Z"));
    }
}
