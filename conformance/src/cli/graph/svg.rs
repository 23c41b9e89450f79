//! The graph as a drawing by itself: boxes on levels, lines between them.
//!
//! Boxes bring their own background, and lines are of a grey that stands out from white and from black, so that the drawing
//! can be read on either. Nothing is loaded and nothing runs.

use std::collections::HashMap;

use super::{Graph, Line, Node, output};

const WIDTH: usize = 190;
const HEIGHT: usize = 56;
const GAP: usize = 24;
const RISE: usize = 64;
const MARGIN: usize = 20;
const HEAD: usize = 30;
/// Room for a text inside a box.
const ROOM: usize = WIDTH - 12;

/// The drawing, with the verdict above it.
pub(super) fn write(graph: &Graph, verdict: &str) -> String {
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
    let (verdict, subject, counted) = (escaped(verdict), graph.terms.subject, graph.counted());
    let mut text = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{tall}" viewBox="0 0 {whole} {tall}" role="img" aria-labelledby="assize-title">
  <title id="assize-title">{verdict}: {subject}, {counted}</title>
  <defs><marker id="assize-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#7d8590"/></marker></defs>
  <text x="{MARGIN}" y="{}" font-family="{FONT}" font-size="15" font-weight="bold" fill="#7d8590">{verdict}</text>
  <g fill="none" stroke="#7d8590" stroke-width="1.5">
"##,
        MARGIN + 10
    );
    for (index, node) in graph.nodes.iter().enumerate() {
        for edge in &node.after {
            if let (Some(from), Some(to)) = (corners.get(&edge.from), corners.get(&index)) {
                text.push_str(&line(*from, *to, edge.kind.as_deref()));
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

/// The levels, each sorted by where the nodes stand, on average, that its nodes come after: few lines cross then.
fn ordered(graph: &Graph) -> Vec<Vec<usize>> {
    let mut levels = graph.levels.clone();
    // Places are counted from the middle of a level, in halves.
    let mut places: HashMap<usize, f64> = HashMap::with_capacity(graph.nodes.len());
    for level in &mut levels {
        let mean = |index: usize| {
            let after = graph.nodes.get(index).map(|node| node.after.as_slice()).unwrap_or_default();
            let sum: f64 = after.iter().filter_map(|edge| places.get(&edge.from)).sum();
            if after.is_empty() { 0.0 } else { sum / after.len() as f64 }
        };
        let mut ranked: Vec<(f64, usize)> = level.iter().map(|&index| (mean(index), index)).collect();
        // Nodes of the same rank stay in their order.
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        *level = ranked.into_iter().map(|(_, index)| index).collect();
        let middle = (level.len() as f64 - 1.0) / 2.0;
        places.extend(level.iter().enumerate().map(|(place, &index)| (index, place as f64 - middle)));
    }
    levels
}

fn line((from_x, from_y): (usize, usize), (to_x, to_y): (usize, usize), kind: Option<&str>) -> String {
    let (x1, y1, x2, y2) = (from_x + WIDTH / 2, from_y + HEIGHT, to_x + WIDTH / 2, to_y);
    let bend = RISE / 2;
    let curve = format!("M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}", y1 + bend, y2.saturating_sub(bend));
    let Some(kind) = kind else {
        return format!("    <path d=\"{curve}\" marker-end=\"url(#assize-head)\"/>\n");
    };
    // Beside the head, on the side from which the line does not come.
    let (x, anchor) = if x1 > x2 { (x2.saturating_sub(8), "end") } else { (x2 + 8, "start") };
    let y = y2.saturating_sub(14);
    let (whole, short) = (escaped(&output::middle(kind)), escaped(&shortened(kind)));
    format!(
        "    <path d=\"{curve}\" marker-end=\"url(#assize-head)\"><title>{whole}</title></path>\n    <text x=\"{x}\" y=\"{y}\" \
         font-family=\"{FONT}\" font-size=\"10\" text-anchor=\"{anchor}\" fill=\"#7d8590\" stroke=\"none\">{short}</text>\n"
    )
}

fn field(node: &Node, (x, y): (usize, usize)) -> String {
    let (fill, border) = (node.look.fill, node.look.border);
    let edge = match node.look.line {
        Line::Dashed => " stroke-width=\"1.5\" stroke-dasharray=\"4 3\"",
        Line::Heavy => " stroke-width=\"3\"",
        Line::Plain => " stroke-width=\"1.5\"",
    };
    let parts = [&node.name, &node.kind, &node.words];
    let [name, kind, words] = parts.map(|part| escaped(&shortened(part)));
    let [whole, whole_kind, whole_words] = parts.map(|part| escaped(&output::middle(part)));
    let (first, second, third, middle) = (y + 19, y + 34, y + 48, x + WIDTH / 2);
    format!(
        r#"    <g><title>{whole}: {whole_kind}, {whole_words}</title><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{fill}" stroke="{border}"{edge}/>
      <text x="{middle}" y="{first}" font-size="12" font-weight="bold">{name}</text><text x="{middle}" y="{second}" font-size="10">{kind}</text><text x="{middle}" y="{third}" font-size="10">{words}</text></g>
"#
    )
}

/// As much of a text as there is room for; a title has more.
fn shortened(text: &str) -> String {
    let clean = output::clean(text);
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
    use crate::cli::graph::tests::{example, graph, node, with_kinds};

    #[test]
    fn every_node_has_a_box_and_every_edge_a_line() {
        let shown = write(&graph(example()), "DIVERGE");
        assert_eq!((shown.matches("<rect ").count(), shown.matches("marker-end").count()), (6, 6));
        assert!(shown.contains(">DIVERGE: an example, 6 steps</title>"), "{shown}");
        // Two boxes side by side, four levels: 2 * 214 - 24 + 40 wide, 30 + 4 * 120 - 64 + 40 high.
        assert!(shown.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"444\" height=\"486\""), "{shown}");
        // A level of one stands in the middle: (444 - 190) / 2.
        assert!(shown.contains("<title>m: LOAD_INPUT, PASSED</title><rect x=\"127\" y=\"50\""), "{shown}");
        assert!(shown.contains("<title>z: EMIT_OUTPUT, DIVERGED</title><rect x=\"234\" y=\"170\""), "{shown}");
        assert!(shown.contains("fill=\"#ffffff\" stroke=\"#757575\" stroke-width=\"3\"/>"), "{shown}");
        assert!(shown.contains("<path d=\"M222 106C222 138 115 138 115 170\""), "{shown}");
    }

    #[test]
    fn nodes_stand_below_what_they_come_after() {
        // In order x, y, below-y, below-x: uncrossed means that below-x comes first.
        let nodes = vec![node("x", &[], 0), node("y", &[], 0), node("below-y", &[1], 0), node("below-x", &[0], 0)];
        assert_eq!(ordered(&graph(nodes)), [vec![0, 1], vec![3, 2]]);
    }

    #[test]
    fn edges_say_their_kinds() {
        let shown = write(&with_kinds(), "MATCH");
        assert_eq!((shown.matches("<rect ").count(), shown.matches("marker-end").count()), (6, 7));
        for kind in ["refines", "contradicts", "a_b|&quot;&lt;c&gt;"] {
            assert!(shown.contains(&format!("<title>{kind}</title></path>")), "{shown}");
            assert!(shown.contains(&format!("stroke=\"none\">{kind}</text>")), "{shown}");
        }
    }

    #[test]
    fn names_of_strangers_stay_text() {
        let hostile = "<script>\"&'\u{0}\u{ffff}]]>";
        let mut nodes = vec![node(hostile, &[], 0), node(&"n".repeat(500), &[], 0)];
        (nodes[0].kind, nodes[0].words) = (hostile.to_owned(), hostile.to_owned());
        let shown = write(&graph(nodes), hostile);
        assert!(
            shown.contains("<title>&lt;script&gt;&quot;&amp;&#39;\\u{0}\\u{ffff}]]&gt;: &lt;script&gt;"),
            "{shown}"
        );
        assert!(!shown.contains("<script>") && !shown.contains('\u{0}'), "{shown}");
        assert!(shown.contains(&format!(">{}…</text>", "n".repeat(22))), "{shown}");
        assert!(!shown.contains(&"n".repeat(61)), "{shown}");
    }
}
