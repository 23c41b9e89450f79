//! Verdicts for people.

use assize::report::Paint;
use assize_verifier::{
    episode::{Divergence, PackFinding, PackLabel, PackVerification, Phase, Verdict, Verification},
    finding::Severity,
};

use super::{
    Args, End, Judged,
    explained::{Explained, Source},
    output,
};

/// Findings and divergences of a pack that are shown; the JSON document has them all.
const LONG: usize = 200;

/// A report on every pack, and a table of several packs; in quiet mode only the table or the line of the verdict.
pub(super) fn all(args: &Args, judged: &[Judged], paint: Paint) -> String {
    let reports = judged.iter().filter_map(|judged| match &judged.end {
        End::Episode(found, _) if args.quiet => Some(headline(&judged.name, found, paint)),
        End::Episode(found, explained) => Some(episode(&judged.name, found, explained, args.signer.is_some(), paint)),
        End::Pack(found) if args.quiet => Some(plain_headline(&judged.name, found, args.require_claims, paint)),
        End::Pack(found) => Some(plain(&judged.name, found, args, paint)),
        // Standard error has said why.
        End::Unreadable(_) => None,
    });
    let [_, _, ..] = judged else {
        return reports.collect();
    };
    let mut text = String::new();
    if !args.quiet {
        text.extend(reports.map(|report| format!("{report}\n")));
    }
    text.push_str(&table(args, judged));
    text
}

/// Everything about one episode.
fn episode(name: &str, found: &Verification, explained: &[Explained], pinned: bool, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.strong(&output::clean(name)));
    for phase in Phase::ALL {
        let state = match phase.cmp(&found.phase) {
            std::cmp::Ordering::Less => paint.good("passed"),
            std::cmp::Ordering::Greater => "not reached".to_owned(),
            std::cmp::Ordering::Equal => match found.verdict {
                Verdict::Match => paint.good("passed"),
                Verdict::Diverge | Verdict::IntegrityFail => paint.bad("failed"),
            },
        };
        let count = match (phase, found.verdict) {
            (Phase::Replay, Verdict::Match | Verdict::Diverge) => {
                format!(": {} of {} traces match", found.steps_matched, found.steps_replayed)
            }
            _ => String::new(),
        };
        text.push_str(&format!("  phase {}  {:<19} {state}{count}\n", phase.number(), phase.title()));
    }
    // The errors of a DIVERGE are its divergences, which say more.
    let told = |found: &&PackFinding| found.finding.severity == Severity::Error;
    let diverged = found.verdict == Verdict::Diverge;
    text.push_str(&findings(found.findings.iter().filter(|found| !diverged || !told(found)), paint));
    text.push_str(&divergences(&found.divergences, explained, paint));
    text.push('\n');
    text.push_str(&headline(name, found, paint));
    let claim = match found.episode_claim {
        None => "not judged",
        Some(true) => "PASS: every step passed when it was recorded",
        Some(false) => "FAIL: not every step passed when it was recorded; the verdict does not depend on that",
    };
    text.push_str(&format!("  episode claim  {claim}\n"));
    if let Some(attested) = &found.attested_claim {
        let attested = output::clean(attested);
        text.push_str(&format!("  pack's claims  {attested} as attested; the verdict does not depend on that\n"));
    }
    text.push_str(&signer(found.signer.as_deref(), pinned));
    text
}

/// The verdict with both axes.
fn headline(name: &str, found: &Verification, paint: Paint) -> String {
    let verdict = match found.verdict {
        Verdict::Match => paint.good(found.verdict.name()),
        Verdict::Diverge | Verdict::IntegrityFail => paint.bad(found.verdict.name()),
    };
    let (integrity, claim) = (found.verdict.receipt_integrity(), found.verdict.claim_check().unwrap_or("N/A"));
    let name = output::clean(name);
    format!("{verdict}: {name}: receipt_integrity {integrity}, claim_check {claim}\n")
}

/// Everything about a pack without an episode.
fn plain(name: &str, found: &PackVerification, args: &Args, paint: Paint) -> String {
    let state = if found.sound {
        format!("{}: {}", paint.good("passed"), output::counted(found.receipts, "receipt", "receipts"))
    } else {
        paint.bad("failed")
    };
    let mut text = format!("{}\n  {:<19} {state}\n", paint.strong(&output::clean(name)), Phase::Pack.title());
    text.push_str(&findings(&found.findings, paint));
    text.push('\n');
    text.push_str(&plain_headline(name, found, args.require_claims, paint));
    text.push_str(&signer(found.signer.as_deref(), args.signer.is_some()));
    text
}

fn plain_headline(name: &str, found: &PackVerification, require_claims: bool, paint: Paint) -> String {
    let label = found.label(require_claims);
    let verdict = if label == PackLabel::Pass { paint.good(label.name()) } else { paint.bad(label.name()) };
    let integrity = found.receipt_integrity();
    let claim = output::clean(found.claim_check.as_deref().unwrap_or("not readable"));
    format!("{verdict}: {}: receipt_integrity {integrity}, attested claim_check {claim}\n", output::clean(name))
}

fn signer(signer: Option<&str>, pinned: bool) -> String {
    match (signer, pinned) {
        (None, _) => String::new(),
        (Some(signer), true) => format!("  signer         {}, as demanded\n", output::clean(signer)),
        (Some(signer), false) => format!(
            "  signer         {}\n  warning: any key may sign a pack; whoever signs it anew gets the same verdict. \
             Pin the key with --signer.\n",
            output::clean(signer)
        ),
    }
}

/// Findings, errors first.
pub(in crate::cli) fn findings<'f>(found: impl IntoIterator<Item = &'f PackFinding>, paint: Paint) -> String {
    let found: Vec<_> = found.into_iter().collect();
    let mut text = String::new();
    for severity in [Severity::Error, Severity::Warning] {
        let these: Vec<_> = found.iter().filter(|found| found.finding.severity == severity).collect();
        if these.is_empty() {
            continue;
        }
        let head = match severity {
            Severity::Error => paint.bad(&output::counted(these.len(), "error", "errors")),
            Severity::Warning => output::counted(these.len(), "warning", "warnings"),
        };
        text.push_str(&format!("\n{head}\n"));
        for PackFinding { file, finding } in these.iter().take(LONG) {
            let place = match finding.pointer.as_str() {
                "" => String::new(),
                pointer => format!(" {}", output::middle(pointer)),
            };
            let code = finding.code.map(|code| format!(" [{code}]")).unwrap_or_default();
            let (file, message) = (output::middle(file), output::start(&finding.message));
            let line = format!("{file}{place}: {message} ({}){code}", finding.law);
            text.push_str(&format!("  {}\n", output::clean(&line)));
        }
        text.push_str(&more(these.len(), LONG));
    }
    text
}

fn divergences(found: &[Divergence], explained: &[Explained], paint: Paint) -> String {
    if found.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}\n", paint.bad(&output::counted(found.len(), "divergence", "divergences")));
    for (index, divergence) in found.iter().take(LONG).enumerate() {
        let step = output::middle(&divergence.step_id);
        text.push_str(&format!("  {}\n", paint.strong(&output::clean(&step))));
        text.push_str(&format!("    expected {}\n", output::clean(&divergence.expected)));
        text.push_str(&format!("    observed {}\n", output::clean(&divergence.observed)));
        if divergence.vanishes_under_other_form {
            text.push_str(
                "    the hashes agree if numbers are written in the other form: see --numbers; the output is the same\n",
            );
        } else if let Some(explained) = explained.get(index) {
            for line in explanation(explained) {
                text.push_str(&format!("    {}\n", output::clean(&line)));
            }
        }
    }
    text.push_str(&more(found.len(), LONG));
    text
}

/// What is known about a divergence, one line each.
fn explanation(explained: &Explained) -> Vec<String> {
    let mut lines = Vec::new();
    lines.push(match &explained.recorded {
        Some(source) => format!("the receipt stands for {}", named(source)),
        None => "what the receipt stands for is not in the pack: only its hash is".to_owned(),
    });
    lines.extend(explained.trace_is.as_ref().map(|source| format!("the trace holds {}", named(source))));
    if let (Some(against), Some(differences)) = (&explained.against, &explained.differences) {
        lines.push(format!("the trace parts from {} at", named(against)));
        for place in &differences.places {
            let side = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            let pointer = match place.pointer.as_str() {
                "" => "the document".into(),
                pointer => output::middle(pointer),
            };
            lines.push(format!("  {pointer}: {} there, {} in the trace", side(&place.expected), side(&place.observed)));
        }
        if differences.more {
            lines.push("  and other places".to_owned());
        }
    } else if explained.trace_is.is_none() {
        lines.extend(explained.trace.as_ref().map(|trace| format!("trace {trace}")));
    }
    lines
}

fn named(source: &Source) -> String {
    match source {
        Source::Assertion { assertion_passed } => format!("{{\"assertion_passed\":{assertion_passed}}}"),
        Source::Input { reference } => format!("the input {} as it lies in the pack", output::middle(reference)),
        Source::Step { step_id } => format!("the output of step {}", output::middle(step_id)),
    }
}

/// One line for each pack, and a summary.
fn table(args: &Args, judged: &[Judged]) -> String {
    let mut verdicts: Vec<(&str, usize)> = Vec::new();
    let rows: Vec<_> = judged.iter().map(|judged| row(judged, args.require_claims)).collect();
    for [_, verdict, ..] in &rows {
        match verdicts.iter_mut().find(|(known, _)| known == verdict) {
            Some((_, count)) => *count += 1,
            None => verdicts.push((verdict, 1)),
        }
    }
    let counts: Vec<_> = verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
    let exit = super::worst(judged.iter().map(|judged| judged.exit(args.require_claims))).code();
    let sum = format!("\n{} packs: {}; exit code {exit}\n", judged.len(), counts.join(", "));
    let header = [
        "pack",
        "verdict",
        "exit",
        "phase",
        "integrity",
        "claim check",
        "episode claim",
        "diverged",
        "errors",
        "warnings",
    ];
    output::table(header, rows) + &sum
}

fn row(judged: &Judged, require_claims: bool) -> [String; 10] {
    let exit = judged.exit(require_claims).code().to_string();
    let none = || "-".to_owned();
    let name = output::middle(&judged.name).into_owned();
    let count = |found: &[PackFinding], severity| {
        found.iter().filter(|found| found.finding.severity == severity).count().to_string()
    };
    match &judged.end {
        End::Episode(found, _) => [
            name,
            found.verdict.name().to_owned(),
            exit,
            found.phase.number().to_string(),
            found.verdict.receipt_integrity().to_owned(),
            found.verdict.claim_check().unwrap_or("N/A").to_owned(),
            found.claim_word().map_or_else(none, str::to_owned),
            found.divergences.len().to_string(),
            count(&found.findings, Severity::Error),
            count(&found.findings, Severity::Warning),
        ],
        End::Pack(found) => [
            name,
            found.label(require_claims).name().to_owned(),
            exit,
            Phase::Pack.number().to_string(),
            found.receipt_integrity().to_owned(),
            found.claim_check.clone().unwrap_or_else(none),
            none(),
            none(),
            count(&found.findings, Severity::Error),
            count(&found.findings, Severity::Warning),
        ],
        End::Unreadable(_) => {
            [name, "unreadable".to_owned(), exit, none(), none(), none(), none(), none(), none(), none()]
        }
    }
}

fn more(found: usize, shown: usize) -> String {
    match found.saturating_sub(shown) {
        0 => String::new(),
        rest => format!("  and {rest} more, all of them in the JSON document\n"),
    }
}

#[cfg(test)]
mod tests;
