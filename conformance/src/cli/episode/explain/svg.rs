//! The graph as a drawing by itself: boxes on levels, lines between them.
//!
//! Boxes bring their own background, and lines are of a grey that stands out from white and from black, so that the drawing
//! can be read on either. Nothing is loaded and nothing runs.

use std::collections::HashMap;

use super::{
    super::graph::{Graph, Node, State},
    output,
};

const WIDTH: usize = 190;
const HEIGHT: usize = 56;
const GAP: usize = 24;
const RISE: usize = 64;
const MARGIN: usize = 20;
const HEAD: usize = 30;
/// Room for an id inside a box.
const ROOM: usize = WIDTH - 12;

/// The drawing, with the verdict above it.
pub(super) fn write(graph: &Graph<'_>, verdict: &str) -> String {
    let levels = ordered(graph);
    let widest = levels.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let whole = widest * (WIDTH + GAP) - GAP + 2 * MARGIN;
    let tall = HEAD + levels.len() * (HEIGHT + RISE) - RISE.min(levels.len() * RISE) + 2 * MARGIN;
    // Left upper corner of each box; levels stand in the middle.
    let mut corners: HashMap<usize, (usize, usize)> = HashMap::with_capacity(graph.nodes.len());
    for (number, level) in levels.iter().enumerate() {
        let left = (whole - (level.len() * (WIDTH + GAP) - GAP)) / 2;
        let top = HEAD + MARGIN + number * (HEIGHT + RISE);
        corners.extend(level.iter().enumerate().map(|(place, &index)| (index, (left + place * (WIDTH + GAP), top))));
    }
    let steps = graph.nodes.len();
    let mut text = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{tall}" viewBox="0 0 {whole} {tall}" role="img" aria-labelledby="assize-title">
  <title id="assize-title">{verdict}: the script of an episode, {steps} steps</title>
  <defs><marker id="assize-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#7d8590"/></marker></defs>
  <text x="{MARGIN}" y="{}" font-family="{FONT}" font-size="15" font-weight="bold" fill="#7d8590">{verdict}</text>
  <g fill="none" stroke="#7d8590" stroke-width="1.5">
"##,
        MARGIN + 10
    );
    for (index, node) in graph.nodes.iter().enumerate() {
        for before in &node.after {
            if let (Some(from), Some(to)) = (corners.get(before), corners.get(&index)) {
                text.push_str(&line(*from, *to));
            }
        }
    }
    text.push_str(&format!("  </g>\n  <g font-family=\"{FONT}\" text-anchor=\"middle\" fill=\"#111111\">\n"));
    for (index, node) in graph.nodes.iter().enumerate() {
        if let Some(corner) = corners.get(&index) {
            text.push_str(&field(node, *corner));
        }
    }
    text.push_str("  </g>\n</svg>\n");
    text
}

const FONT: &str = "Verdana, 'DejaVu Sans', Geneva, sans-serif";

/// The levels, each sorted by where the steps stand, on average, that its steps come after: few lines cross then.
fn ordered(graph: &Graph<'_>) -> Vec<Vec<usize>> {
    let mut levels = graph.levels();
    // Places are counted from the middle of a level, in halves.
    let mut places: HashMap<usize, f64> = HashMap::with_capacity(graph.nodes.len());
    for level in &mut levels {
        let mean = |index: usize| {
            let after = graph.nodes.get(index).map(|node| node.after.as_slice()).unwrap_or_default();
            let sum: f64 = after.iter().filter_map(|before| places.get(before)).sum();
            if after.is_empty() { 0.0 } else { sum / after.len() as f64 }
        };
        let mut ranked: Vec<(f64, usize)> = level.iter().map(|&index| (mean(index), index)).collect();
        // Steps of the same rank stay in the order of the replay.
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *level = ranked.into_iter().map(|(_, index)| index).collect();
        let middle = (level.len() as f64 - 1.0) / 2.0;
        places.extend(level.iter().enumerate().map(|(place, &index)| (index, place as f64 - middle)));
    }
    levels
}

fn line((from_x, from_y): (usize, usize), (to_x, to_y): (usize, usize)) -> String {
    let (x1, y1, x2, y2) = (from_x + WIDTH / 2, from_y + HEIGHT, to_x + WIDTH / 2, to_y);
    let bend = RISE / 2;
    format!(
        "    <path d=\"M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}\" marker-end=\"url(#assize-head)\"/>\n",
        y1 + bend,
        y2 - bend
    )
}

fn field(node: &Node<'_>, (x, y): (usize, usize)) -> String {
    let (fill, border) = node.state.colours();
    let edge = match node.state {
        State::Skipped | State::NotReached => " stroke-width=\"1.5\" stroke-dasharray=\"4 3\"",
        State::Diverged => " stroke-width=\"3\"",
        State::Passed | State::Failed => " stroke-width=\"1.5\"",
    };
    let (id, opcode, words) = (&node.step.step_id, node.step.opcode, node.words());
    let (whole, short, middle) = (escaped(&output::middle(id)), escaped(&shortened(id)), x + WIDTH / 2);
    let (first, second, third) = (y + 19, y + 34, y + 48);
    format!(
        r#"    <g><title>{whole}: {opcode}, {words}</title><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{fill}" stroke="{border}"{edge}/>
      <text x="{middle}" y="{first}" font-size="12" font-weight="bold">{short}</text><text x="{middle}" y="{second}" font-size="10">{opcode}</text><text x="{middle}" y="{third}" font-size="10">{words}</text></g>
"#
    )
}

/// As much of an id as there is room for; the title of the box has more.
fn shortened(id: &str) -> String {
    let clean = output::clean(id);
    let mut wide = 0;
    let beyond = clean.char_indices().find(|(_, letter)| {
        wide += width(*letter);
        wide > ROOM
    });
    match beyond {
        Some((cut, _)) => format!("{}…", clean.get(..cut).unwrap_or_default()),
        None => clean.into_owned(),
    }
}

/// About how wide a letter is in bold Verdana of 12 pixels.
fn width(letter: char) -> usize {
    match letter {
        'M' | 'W' | 'm' | 'w' | '@' | '%' => 13,
        letter if letter.is_ascii() => 8,
        _ => 13,
    }
}

/// Text for XML: clean of what XML cannot hold, and of what it would read as its own.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in output::clean(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::episode::graph::tests::{example, step};

    #[test]
    fn every_step_has_a_box_and_every_dependency_a_line() {
        let steps = example();
        let shown = write(&Graph::of(&steps), "DIVERGE");
        assert_eq!((shown.matches("<rect ").count(), shown.matches("marker-end").count()), (6, 6));
        // Two boxes side by side, four levels: 2 * 214 - 24 + 40 wide, 30 + 4 * 120 - 64 + 40 high.
        assert!(shown.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"444\" height=\"486\""), "{shown}");
        // A level of one stands in the middle: (444 - 190) / 2.
        assert!(shown.contains("<title>m: LOAD_INPUT, PASS, match</title><rect x=\"127\" y=\"50\""), "{shown}");
        assert!(shown.contains("<title>z: EMIT_OUTPUT, PASS, diverged</title><rect x=\"234\" y=\"170\""), "{shown}");
        assert!(shown.contains("fill=\"#ffcdd2\" stroke=\"#c62828\" stroke-width=\"3\"/>"), "{shown}");
        assert!(shown.contains("<path d=\"M222 106C222 138 115 138 115 170\""), "{shown}");
    }

    #[test]
    fn steps_stand_below_what_they_come_after() {
        // In the order of the replay x, y, below-y, below-x: uncrossed means that below-x comes first.
        let steps = [
            step("x", &[], None, None),
            step("y", &[], None, None),
            step("below-y", &["y"], None, None),
            step("below-x", &["x"], None, None),
        ];
        assert_eq!(ordered(&Graph::of(&steps)), [vec![0, 1], vec![3, 2]]);
    }

    #[test]
    fn names_of_strangers_stay_text() {
        let steps = [step("<script>\"&'\u{0}\u{ffff}]]>", &[], None, None), step(&"n".repeat(500), &[], None, None)];
        let shown = write(&Graph::of(&steps), "MATCH");
        assert!(shown.contains("<title>&lt;script&gt;&quot;&amp;&#39;\\u{0}\\u{ffff}]]&gt;: LOAD_INPUT"), "{shown}");
        assert!(!shown.contains("<script>") && !shown.contains('\u{0}'), "{shown}");
        assert!(shown.contains(&format!(">{}…</text>", "n".repeat(22))), "{shown}");
        assert!(!shown.contains(&"n".repeat(61)), "{shown}");
    }
}
