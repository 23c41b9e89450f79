//! The order of an object's members.

use std::cmp::Ordering;

/// Members up to which there is an order to each number of them.
const SHAPES: usize = 32;

/// The orders into which members were last brought, by how many they were: documents repeat their shapes.
#[derive(Debug, Default)]
pub(super) struct Orders {
    known: [Vec<u32>; SHAPES],
    /// The order of more members than are worth remembering.
    large: Vec<u32>,
}

/// Members in canonical order, by their index.
pub(super) struct Order<'o> {
    pub(super) indices: &'o [u32],
    /// Each one comes before the next: no two have the same name.
    pub(super) strict: bool,
}

impl Orders {
    /// Entries that there is room for where many members are ordered.
    pub(super) fn capacity(&self) -> usize {
        self.large.capacity()
    }

    /// Brings so many members into order; of equal ones the earlier stays before the later.
    #[inline(always)]
    pub(super) fn order(&mut self, count: usize, compare: impl Fn(u32, u32) -> Ordering) -> Order<'_> {
        let indices = self.known.get_mut(count).unwrap_or(&mut self.large);
        // What was an order of so many members brings each of them to one place: whether it is the right one here is easily told.
        let strict = indices.len() == count
            && indices.iter().zip(indices.iter().skip(1)).all(|(before, after)| compare(*before, *after).is_lt());
        if !strict {
            indices.clear();
            indices.extend(0..u32::try_from(count).unwrap_or(u32::MAX));
            indices.sort_by(|a, b| compare(*a, *b));
        }
        Order { indices, strict }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(orders: &mut Orders, names: &[&str]) -> (Vec<u32>, bool) {
        let name = |index: u32| names[index as usize];
        let order = orders.order(names.len(), |a, b| name(a).cmp(name(b)));
        (order.indices.to_vec(), order.strict)
    }

    #[test]
    fn an_order_is_taken_again_only_where_it_is_right() {
        let orders = &mut Orders::default();
        assert_eq!(order(orders, &["b", "c", "a"]), (vec![2, 0, 1], false));
        assert_eq!(order(orders, &["x", "y", "w"]), (vec![2, 0, 1], true));
        assert_eq!(order(orders, &["d", "c"]), (vec![1, 0], false));
        assert_eq!(order(orders, &["b", "a", "c"]), (vec![1, 0, 2], false));
        assert_eq!(order(orders, &["b", "a", "b"]), (vec![1, 0, 2], false));
        assert_eq!(order(orders, &["b", "a", "c"]), (vec![1, 0, 2], true));
    }

    #[test]
    fn many_members_are_ordered_too() {
        let names: Vec<String> = (0..100).rev().map(|n| format!("{n:03}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let backwards: Vec<u32> = (0..100).rev().collect();
        let orders = &mut Orders::default();
        assert_eq!(order(orders, &names), (backwards.clone(), false));
        assert_eq!(order(orders, &names), (backwards, true));
    }
}
