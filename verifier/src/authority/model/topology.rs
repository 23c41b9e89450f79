//! An order of nodes in which every edge leads forward, kept while edges are added.
//!
//! Ruling AU-39: the kernel's own search may hit Python's recursion limit; this one does not recurse. Only an
//! edge that leads backward is searched for, from both its ends in step and between their labels, until one side is done. The
//! nodes of that side then move to the other end; labels leave room for them, so that nothing else has to.

use std::collections::BTreeMap;

/// The edges of a graph without cycles; nodes are numbered from 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Topology {
    /// Place of each node in the order.
    labels: Vec<u128>,
    /// The nodes in order.
    order: BTreeMap<u128, usize>,
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
    /// The search that found each node last.
    marks: Vec<u64>,
    searches: u64,
}

/// An edge that would close a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cycle;

/// Room between two labels when they are given out.
const GAP: u128 = 1 << 64;

/// The first label, with as much room before it as after it.
const FIRST: u128 = 1 << 127;

impl Topology {
    /// Adds a node after all others.
    pub(crate) fn add_node(&mut self) {
        let label = self.order.last_key_value().map_or(FIRST, |(last, _)| last + GAP);
        self.order.insert(label, self.labels.len());
        self.labels.push(label);
        self.out.push(Vec::new());
        self.into.push(Vec::new());
        self.marks.push(0);
    }

    /// Adds an edge between two nodes that are there; nothing changes if it closes a cycle.
    pub(crate) fn add_edge(&mut self, from: usize, to: usize) -> Result<(), Cycle> {
        if self.label(to) <= self.label(from) {
            self.turn(from, to)?;
        }
        if let (Some(out), Some(into)) = (self.out.get_mut(from), self.into.get_mut(to)) {
            out.push(to);
            into.push(from);
        }
        Ok(())
    }

    fn label(&self, node: usize) -> u128 {
        self.labels.get(node).copied().unwrap_or_default()
    }

    /// Brings `from` before `to`, which stands before it now.
    fn turn(&mut self, from: usize, to: usize) -> Result<(), Cycle> {
        let stretch = self.label(to)..=self.label(from);
        let Self { labels, out, into, marks, searches, .. } = self;
        let between = |node: usize| labels.get(node).is_some_and(|label| stretch.contains(label));
        let (mut behind, mut before) = (Search::new(*searches + 1), Search::new(*searches + 2));
        *searches += 2;
        behind.find(to, marks, before.mark)?;
        before.find(from, marks, behind.mark)?;
        loop {
            // Whatever is reached from a node after `to` is after it too, so all of them may stand right after `from`;
            // likewise for what reaches `from`.
            if behind.step(out, marks, before.mark, between)? {
                self.relocate(behind.found, |order, room| order.behind(from, room));
                return Ok(());
            }
            if before.step(into, marks, behind.mark, between)? {
                self.relocate(before.found, |order, room| order.before(to, room));
                return Ok(());
            }
        }
    }

    /// The labels between which nodes can stand right after another; `room` is what they need at least.
    fn behind(&self, node: usize, room: u128) -> (u128, u128) {
        let low = self.label(node);
        let next = self.order.range(low + 1..).next();
        (low, next.map_or(low + GAP * room, |(label, _)| *label))
    }

    /// The labels between which nodes can stand right before another.
    fn before(&self, node: usize, room: u128) -> (u128, u128) {
        let high = self.label(node);
        let previous = self.order.range(..high).next_back();
        (previous.map_or(high - GAP * room, |(label, _)| *label), high)
    }

    /// Moves nodes into a gap, and makes it wider where they do not fit.
    fn relocate(&mut self, nodes: Vec<usize>, gap: impl Fn(&Self, u128) -> (u128, u128)) {
        let nodes = self.take_out(nodes);
        let room = nodes.len() as u128 + 1;
        let (mut low, mut high) = gap(self, room);
        if high - low < room {
            self.spread();
            (low, high) = gap(self, room);
        }
        let step = (high - low) / room;
        for (node, place) in nodes.into_iter().zip(1_u128..) {
            self.set_label(node, low + step * place);
        }
    }

    /// Takes nodes out of the order; they come back sorted by it.
    fn take_out(&mut self, mut nodes: Vec<usize>) -> Vec<usize> {
        nodes.sort_unstable_by_key(|&node| self.label(node));
        for node in &nodes {
            self.order.remove(&self.label(*node));
        }
        nodes
    }

    /// Gives every node in the order a new label, with room between them.
    fn spread(&mut self) {
        for (node, place) in std::mem::take(&mut self.order).into_values().zip(0_u128..) {
            self.set_label(node, FIRST + GAP * place);
        }
    }

    fn set_label(&mut self, node: usize, label: u128) {
        self.order.insert(label, node);
        if let Some(slot) = self.labels.get_mut(node) {
            *slot = label;
        }
    }
}

/// A search through the edges in one direction.
struct Search {
    mark: u64,
    found: Vec<usize>,
    /// How many of those that were found have been looked at.
    done: usize,
}

impl Search {
    fn new(mark: u64) -> Self {
        Self { mark, found: Vec::new(), done: 0 }
    }

    /// Takes up a node; one that the other search has found lies on a cycle.
    fn find(&mut self, node: usize, marks: &mut [u64], other: u64) -> Result<(), Cycle> {
        match marks.get_mut(node) {
            Some(mark) if *mark == other => return Err(Cycle),
            Some(mark) if *mark != self.mark => {
                *mark = self.mark;
                self.found.push(node);
            }
            _ => {}
        }
        Ok(())
    }

    /// Looks at one node; true if there is none left.
    fn step(
        &mut self,
        edges: &[Vec<usize>],
        marks: &mut [u64],
        other: u64,
        between: impl Fn(usize) -> bool,
    ) -> Result<bool, Cycle> {
        let Some(&node) = self.found.get(self.done) else { return Ok(true) };
        self.done += 1;
        for &next in edges.get(node).into_iter().flatten() {
            if between(next) {
                self.find(next, marks, other)?;
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Plain search over the edges that were taken.
    fn closes_cycle(edges: &[(usize, usize)], from: usize, to: usize) -> bool {
        let (mut found, mut pending) = (HashSet::from([to]), vec![to]);
        while let Some(node) = pending.pop() {
            pending.extend(edges.iter().filter(|edge| edge.0 == node).map(|edge| edge.1).filter(|&n| found.insert(n)));
        }
        found.contains(&from)
    }

    #[test]
    fn cycles_are_those_of_a_plain_search() {
        let mut state: u64 = 7;
        let mut draw = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        let (mut taken, mut refused) = (0, 0);
        for _ in 0..300 {
            let nodes = 2 + draw(12);
            let mut topology = Topology::default();
            let mut edges = Vec::new();
            (0..nodes).for_each(|_| topology.add_node());
            for _ in 0..3 * nodes {
                let (from, to) = (draw(nodes), draw(nodes));
                let cycle = closes_cycle(&edges, from, to);
                assert_eq!(topology.add_edge(from, to).is_err(), cycle, "{edges:?} {from} {to}");
                if cycle {
                    refused += 1;
                } else {
                    taken += 1;
                    edges.push((from, to));
                }
                assert!(edges.iter().all(|&(from, to)| topology.label(from) < topology.label(to)));
            }
        }
        assert!(taken > 1000 && refused > 1000, "{taken} {refused}");
    }

    #[test]
    fn labels_are_spread_when_room_runs_out() {
        let mut topology = Topology::default();
        (0..300).for_each(|_| topology.add_node());
        // Each node moves right after the last one, where the others already are.
        for node in 0..299 {
            assert_eq!(topology.add_edge(299, node), Ok(()));
        }
        // And each right before the first one.
        for node in 0..299 {
            assert_eq!(topology.add_edge(node, 299), Err(Cycle));
        }
        assert_eq!(topology.order.len(), 300);
        assert!(topology.order.iter().all(|(label, node)| topology.label(*node) == *label));
        assert!((0..299).all(|node| topology.label(299) < topology.label(node)));
    }
}
