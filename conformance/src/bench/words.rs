//! The words of a command in which something is filled in.

/// What stands for a word in braces.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filled<'f> {
    /// Each name with its value.
    pub(super) values: &'f [(&'static str, &'f str)],
}

impl Filled<'_> {
    /// The word with every name in braces replaced; nothing where a name has no value.
    ///
    /// What is no name in braces stays as it is: code in a word has braces of its own.
    pub(super) fn word(&self, word: &str) -> Result<String, String> {
        let (mut filled, mut rest) = (String::with_capacity(word.len()), word);
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            match after.split_once('}').filter(|(name, _)| is_name(name)) {
                None => {
                    filled.push('{');
                    rest = after;
                }
                Some((name, after)) => {
                    let value = self.values.iter().find(|(known, _)| *known == name).ok_or_else(|| name.to_owned())?;
                    filled.push_str(value.1);
                    rest = after;
                }
            }
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

/// The names in braces of a word.
pub(super) fn names(word: &str) -> impl Iterator<Item = &str> {
    word.split('{').skip(1).filter_map(|after| after.split_once('}')).map(|(name, _)| name).filter(|name| is_name(name))
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_are_filled_in() {
        let filled = Filled { values: &[("name", "jcs"), ("version", "{name}")] };
        let word = |word| filled.word(word);
        assert_eq!(word("{name}=={version}").unwrap(), "jcs=={name}", "a value is not looked into");
        assert_eq!(word("f() { return {}; } {a b} {").unwrap(), "f() { return {}; } {a b} {");
        assert_eq!(word("x{nam}").unwrap_err(), "nam");
        assert_eq!(names("{name}{x} { {Y} {version").collect::<Vec<_>>(), ["name", "x"]);
    }
}
