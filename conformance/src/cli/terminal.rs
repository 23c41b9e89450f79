//! What a terminal allows.

use std::{
    borrow::Cow,
    env,
    io::{self, IsTerminal as _},
};

use textwrap::{Options, WordSeparator, WordSplitter, core::Word};

/// Whether `NO_COLOR` leaves colours on.
pub(crate) fn colours() -> bool {
    env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Columns of the terminal that standard output is; none when it is something else, where lines are never folded.
pub(crate) fn width() -> Option<u16> {
    columns(io::stdout().is_terminal(), || terminal_size::terminal_size_of(io::stdout()))
}

/// The same of standard error.
pub(crate) fn error_width() -> Option<u16> {
    columns(io::stderr().is_terminal(), || terminal_size::terminal_size_of(io::stderr()))
}

fn columns(watched: bool, size: impl FnOnce() -> Option<(terminal_size::Width, terminal_size::Height)>) -> Option<u16> {
    if watched { size().map(|(width, _)| width.0) } else { None }
}

/// What a line begins with that is a command to copy.
const COMMANDS: [&str; 2] = ["alone: ", "from the sources: "];

/// The text with its long lines folded between words, each under its own beginning. What is there to be copied stays in one piece: a
/// command of its own line, what stands between backticks, and a word that is longer than the terminal is wide.
pub(crate) fn folded(text: &str, width: Option<u16>) -> Cow<'_, str> {
    let Some(width) = width.map(usize::from).filter(|width| *width > 0) else { return text.into() };
    let is_command = |line: &str| COMMANDS.iter().any(|start| line.trim_start().starts_with(start));
    let long = |line: &str| textwrap::core::display_width(line) > width && !is_command(line);
    if !text.lines().any(long) {
        return text.into();
    }
    let mut folded = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if long(line) {
            let words = line.trim_start_matches(' ');
            let own = line.len() - words.len();
            let (first, next) = (" ".repeat(own), " ".repeat(own + 2));
            let options = Options::new(width)
                .initial_indent(&first)
                .subsequent_indent(&next)
                .break_words(false)
                .word_separator(WordSeparator::Custom(pieces))
                .word_splitter(WordSplitter::NoHyphenation);
            folded.push_str(&textwrap::fill(words, options));
        } else {
            folded.push_str(line);
        }
        folded.push_str(end);
    }
    folded.into()
}

/// Words with the spaces behind them; what stands between two backticks is one with what touches it.
fn pieces(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut quoted = false;
    let ends = move |letter: char| {
        quoted ^= letter == '`';
        letter == ' ' && !quoted
    };
    Box::new(line.split_inclusive(ends).map(Word::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_where_somebody_watches() {
        let text = "short\n  a line that is longer than the terminal is wide\nend";
        let narrow = "short\n  a line that is\n    longer than the\n    terminal is wide\nend";
        assert_eq!(folded(text, Some(20)), narrow);
        assert!(narrow.lines().all(|line| line.len() <= 20));
        for width in [None, Some(0), Some(60)] {
            assert_eq!(folded(text, width), text, "{width:?}");
        }
    }

    #[test]
    fn what_is_copied_stays_in_one_piece() {
        let digest = "0123456789abcdef0123456789abcdef";
        let text = format!("run `assize laws canon` and look at {digest} again");
        assert_eq!(folded(&text, Some(24)), format!("run `assize laws canon`\n  and look at\n  {digest}\n  again"));
        let command = "  alone: assize certify --filter canon/rfc8785/a -- python3 shim.py\n";
        assert_eq!(folded(command, Some(20)), command);
        // A backtick that nobody closes takes the rest of its line and no more.
        assert_eq!(folded("one `two three\nfour five six", Some(9)), "one\n  `two three\nfour five\n  six");
    }

    #[test]
    fn colours_take_no_room() {
        let text = "\u{1b}[31merror\u{1b}[0m: four words";
        assert_eq!(folded(text, Some(17)), text);
        assert_eq!(folded(text, Some(12)), "\u{1b}[31merror\u{1b}[0m: four\n  words");
    }
}
