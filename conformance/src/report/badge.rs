//! A badge in SVG: the verdict, for a page that can show a picture.

use super::{Report, RunGrade, Totals, view::Verdict};
use crate::words::counted;

/// The drawing.
#[must_use]
pub fn write(report: &Report) -> String {
    let (message, colour) = said(report.result.grade, report.result.totals);
    draw("assize", &message, colour)
}

/// What is said of a grade, and in which colour.
pub(crate) fn said(grade: RunGrade, totals: Totals) -> (String, &'static str) {
    let verdict = Verdict::from(grade);
    let message = match verdict {
        Verdict::Conforms => grade.name().to_owned(),
        Verdict::Violates if totals.fail == 0 => "violates".to_owned(),
        Verdict::Violates if totals.fail == totals.expected => {
            format!("violates, {} known", totals.fail)
        }
        Verdict::Violates => format!("violates, {}", counted(totals.fail, "failure", "failures")),
        Verdict::Incomplete => "incomplete".to_owned(),
    };
    // White on each of these has a contrast above 4.5.
    let colour = match verdict {
        Verdict::Conforms => "#1a7f37",
        Verdict::Violates => "#b3261e",
        Verdict::Incomplete => UNDECIDED,
    };
    (message, colour)
}

/// The colour where no verdict can be given.
pub(crate) const UNDECIDED: &str = "#8a5a00";

/// Two fields side by side, of text that needs no escape. It is set to the computed width, whatever the font.
pub(crate) fn draw(label: &str, message: &str, colour: &str) -> String {
    let (label_text, message_text) = (width(label), width(message));
    let (left, right) = (label_text + 12, message_text + 12);
    let whole = left + right;
    let middle = left + 6;
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" viewBox="0 0 {whole} 20" role="img" aria-labelledby="assize-title">
  <title id="assize-title">{label}: {message}</title>
  <clipPath id="assize-edge"><rect width="{whole}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#assize-edge)">
    <rect width="{left}" height="20" fill="#40464d"/>
    <rect x="{left}" width="{right}" height="20" fill="{colour}"/>
  </g>
  <g fill="#fff" font-family="Verdana, 'DejaVu Sans', Geneva, sans-serif" font-size="11" aria-hidden="true">
    <text x="6" y="14" textLength="{label_text}">{label}</text>
    <text x="{middle}" y="14" textLength="{message_text}">{message}</text>
  </g>
</svg>
"##
    )
}

/// About how wide a text is in Verdana of 11 pixels.
fn width(text: &str) -> usize {
    let tenths = text.chars().map(|letter| match letter {
        'i' | 'j' | 'l' => 30,
        ' ' | ',' | 'f' | 't' | 'r' => 42,
        'm' | 'w' => 100,
        _ => 67,
    });
    tenths.sum::<usize>().div_ceil(10)
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn the_title_tells_the_state() {
        for (report, said) in [
            (fixture::passing().0, "<title id=\"assize-title\">assize: conforms strictly</title>"),
            (fixture::hostile().0, "assize: violates, 8 failures<"),
            (fixture::known().0, "assize: violates, 2 known<"),
            (fixture::stale().0, "assize: conforms strictly<"),
            (fixture::failing().0, "assize: incomplete<"),
            (fixture::missed().0, "assize: incomplete<"),
        ] {
            let badge = write(&report);
            assert!(badge.contains(said), "{said} is not in {badge}");
        }
    }
}
