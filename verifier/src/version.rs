//! Version numbers: three decimal numbers of any size, as changes of a kernel and revisions of a registry bear them.

/// One of the three numbers, by its length and its digits, so that it compares as a number does.
pub(crate) type Number = (usize, String);

/// Three numbers, of which the first weighs most.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version([Number; 3]);

impl Version {
    /// Three decimal numbers without leading zeros and signs, with points between them.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |part: &str| {
            let plain = part == "0" || !part.is_empty() && !part.starts_with('0');
            (plain && part.bytes().all(|byte| byte.is_ascii_digit())).then(|| (part.len(), part.to_owned()))
        };
        let parts: Option<Vec<_>> = text.split('.').map(number).collect();
        parts?.try_into().ok().map(Self)
    }

    pub(crate) fn major(&self) -> &Number {
        let [major, ..] = &self.0;
        major
    }

    pub(crate) fn has_higher_major_than(&self, other: &Self) -> bool {
        self.major() > other.major()
    }

    /// Whether the major number is higher, or the minor one under the same major.
    pub(crate) fn has_higher_minor_than(&self, other: &Self) -> bool {
        self.0.iter().take(2).gt(other.0.iter().take(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_as_numbers() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("0.10.0") > version("0.9.9"));
        assert!(version("10.0.0").has_higher_major_than(&version("9.9.9")));
        assert!(version("1.2.0").has_higher_minor_than(&version("1.1.9")));
        assert!(!version("1.1.1").has_higher_minor_than(&version("1.1.0")));
        assert!(version("2.0.0").has_higher_minor_than(&version("1.9.0")));
        for wrong in ["", "1", "1.2", "1.2.3.4", "01.2.3", "1.2.x", "1..3", " 1.2.3", "1.2.3-rc", "-1.2.3", "1.2.03"] {
            assert_eq!(Version::parse(wrong), None, "{wrong}");
        }
    }
}
