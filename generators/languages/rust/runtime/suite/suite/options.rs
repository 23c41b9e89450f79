//! What the command line asks: the words that the harness of Rust takes, as far as they mean something here.

/// What is to be run, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Parts of ids; all cases if there are none.
    filters: Vec<String>,
    skipped: Vec<String>,
    /// Filters are whole ids.
    exact: bool,
    /// None but ignored tests, of which there are none before they have run.
    ignored: bool,
    pub(super) list: bool,
    /// A line for each test, and not for failing ones alone.
    pub(super) verbose: bool,
    pub(super) threads: Option<usize>,
}

impl Options {
    pub(super) fn new(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = words.flat_map(|word| match word.split_once('=') {
            Some((name, value)) if name.starts_with("--") => vec![name.to_owned(), value.to_owned()],
            _ => vec![word],
        });
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word}: a value is due"));
            match word.as_str() {
                "--exact" => options.exact = true,
                "--ignored" => options.ignored = true,
                "--list" => options.list = true,
                "--nocapture" | "--no-capture" | "--show-output" => options.verbose = true,
                "--quiet" | "-q" | "--include-ignored" | "--test" => {}
                "--format" | "--color" | "-Z" => drop(value()?),
                "--skip" => options.skipped.push(value()?),
                "--test-threads" => {
                    options.threads = Some(value()?.parse().map_err(|error| format!("--test-threads: {error}"))?);
                }
                word if word.starts_with('-') => {
                    return Err(format!(
                        "{word} is unknown here: filters, --exact, --skip, --list, --nocapture and --test-threads are not"
                    ));
                }
                filter => options.filters.push(filter.to_owned()),
            }
        }
        Ok(options)
    }

    /// Whether a case is asked for.
    pub(super) fn takes(&self, id: &str) -> bool {
        let matches = |filter: &String| if self.exact { id == filter } else { id.contains(filter.as_str()) };
        !self.ignored
            && (self.filters.is_empty() || self.filters.iter().any(matches))
            && !self.skipped.iter().any(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &str) -> Result<Options, String> {
        Options::new(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn filters_take_what_they_name() {
        let some = options("canon/ --skip=json --test-threads 3 --format terse --nocapture").unwrap();
        assert!(some.takes("canon/episode/x") && !some.takes("canon/json") && !some.takes("reply/x"));
        assert_eq!((some.threads, some.verbose), (Some(3), true));
        let exact = options("a/b/c --exact").unwrap();
        assert!(exact.takes("a/b/c") && !exact.takes("a/b/cd"));
        assert!(options("").unwrap().takes("x") && !options("--ignored").unwrap().takes("x"));
        assert!(options("--bench").is_err() && options("--skip").is_err() && options("--test-threads x").is_err());
    }
}
