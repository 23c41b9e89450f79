//! Names like the one that was asked for: what to say when that name does not exist.

/// The known names nearest to `name`, best first, at most `most`.
#[must_use]
pub fn matches<'k>(name: &str, known: impl IntoIterator<Item = &'k str>, most: usize) -> Vec<&'k str> {
    /// Below this, a name has nothing to do with another.
    const ALIKE: f64 = 0.45;
    let mut ranked: Vec<(f64, &str)> = known.into_iter().map(|other| (likeness(name, other), other)).collect();
    ranked.retain(|(likeness, _)| *likeness >= ALIKE);
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    ranked.into_iter().take(most).map(|(_, other)| other).collect()
}

/// 0 to 1; a name that is a part of another counts as near, because people leave out the folders.
fn likeness(name: &str, other: &str) -> f64 {
    let (lower, whole) = (name.to_lowercase(), other.to_lowercase());
    let last = whole.rsplit('/').next().unwrap_or_default();
    let spelled = strsim::normalized_damerau_levenshtein(&lower, &whole);
    let tail = strsim::normalized_damerau_levenshtein(&lower, last) * 0.95;
    let part = if lower.len() > 2 && whole.contains(&lower) { 0.9 } else { 0.0 };
    spelled.max(tail).max(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_meant() {
        let known = ["sovereign/float-ban", "sovereign/path-selection", "canon/jcs"];
        assert_eq!(matches("sovereign/flaot-ban", known, 3).first(), Some(&"sovereign/float-ban"));
        assert_eq!(matches("float-bann", known, 3).first(), Some(&"sovereign/float-ban"));
        assert_eq!(matches("JCS", known, 3), ["canon/jcs"]);
        assert!(matches("zzzzzzzz", known, 3).is_empty());
    }
}
