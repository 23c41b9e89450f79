//! A map that is continued in several ways which come together again. Either costs what was changed meanwhile, and not what there is.

use std::{borrow::Borrow, collections::HashMap, hash::Hash, rc::Rc};

/// Layers that lie on each other before they become one.
const MOST: usize = 64;

#[derive(Debug, Clone)]
pub(crate) struct Layers<K, V> {
    /// What was said since the last fork; none of what is not known any more.
    own: HashMap<K, Option<V>>,
    /// What held before.
    before: Option<Rc<Self>>,
    /// Layers below this one.
    below: usize,
}

impl<K, V> Default for Layers<K, V> {
    fn default() -> Self {
        Self { own: HashMap::new(), before: None, below: 0 }
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Layers<K, V> {
    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let mut here = Some(self);
        while let Some(layer) = here {
            if let Some(known) = layer.own.get(key) {
                return known.as_ref();
            }
            here = layer.before.as_deref();
        }
        None
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        self.own.insert(key, Some(value));
    }

    pub(crate) fn remove(&mut self, key: K) {
        if self.before.is_some() {
            self.own.insert(key, None);
        } else {
            self.own.remove(&key);
        }
    }

    /// The same map once more. What is said in one of the two from here on is not said in the other.
    pub(crate) fn fork(&mut self) -> Self {
        if self.below >= MOST {
            let mut own = std::mem::take(self).since(None).0;
            own.retain(|_, value| value.is_some());
            self.own = own;
        }
        if !self.own.is_empty() {
            let below = self.below + 1;
            let before = Some(Rc::new(std::mem::take(self)));
            *self = Self { own: HashMap::new(), before, below };
        }
        Self { own: HashMap::new(), before: self.before.clone(), below: self.below }
    }

    /// What holds after one of several ways: of each name that all of them know, what `merge` makes of their values, in order. Says how
    /// many values it has looked at.
    pub(crate) fn join(&mut self, others: Vec<Self>, merge: impl Fn(&mut V, V)) -> usize {
        let ways = others.len() + 1;
        let shared = self.shared(&others);
        let mut said: HashMap<K, Vec<(usize, Option<V>)>> = HashMap::new();
        let mut looked = 0;
        for (way, one) in std::iter::once(std::mem::take(self)).chain(others).enumerate() {
            let (own, seen) = one.since(shared.as_ref());
            looked += seen;
            for (key, value) in own {
                said.entry(key).or_default().push((way, value));
            }
        }
        let mut own = HashMap::with_capacity(said.len());
        for (key, values) in said {
            // Ways that say nothing of it go on with what held before, which counts where the first of them stands.
            let gap = values.iter().enumerate().position(|(due, (way, _))| due != *way).unwrap_or(values.len());
            let silent = values.len() < ways;
            let mut parts: Vec<_> = values.into_iter().map(|(_, value)| value).collect();
            if silent {
                parts.insert(gap, shared.as_ref().and_then(|shared| shared.get(&key)).cloned());
            }
            let joined = parts.into_iter().reduce(|one, other| {
                let (mut one, other) = (one?, other?);
                merge(&mut one, other);
                Some(one)
            });
            own.insert(key, joined.flatten());
        }
        *self = Self::upon(shared, own);
        looked
    }

    /// What was said on top of what held before.
    fn upon(shared: Option<Rc<Self>>, mut own: HashMap<K, Option<V>>) -> Self {
        let Some(shared) = shared else {
            own.retain(|_, value| value.is_some());
            return Self { own, before: None, below: 0 };
        };
        match Rc::try_unwrap(shared) {
            // Nobody else goes on from there.
            Ok(mut whole) => {
                for (key, value) in own {
                    match value {
                        Some(value) => whole.insert(key, value),
                        None => whole.remove(key),
                    }
                }
                whole
            }
            Err(shared) => Self { own, below: shared.below + 1, before: Some(shared) },
        }
    }

    /// What was said since a layer, or ever, and how many values were looked at for it.
    fn since(self, shared: Option<&Rc<Self>>) -> (HashMap<K, Option<V>>, usize) {
        let Self { mut own, mut before, .. } = self;
        let mut looked = own.len();
        while let Some(layer) = before {
            if shared.is_some_and(|shared| Rc::ptr_eq(shared, &layer)) {
                break;
            }
            looked += layer.own.len();
            for (key, value) in &layer.own {
                own.entry(key.clone()).or_insert_with(|| value.clone());
            }
            before = layer.before.clone();
        }
        (own, looked)
    }

    /// The newest layer that lies below all of them.
    fn shared(&self, others: &[Self]) -> Option<Rc<Self>> {
        let same = |one: &Option<Rc<Self>>, other: &Option<Rc<Self>>| match (one, other) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        };
        if others.iter().all(|other| same(&self.before, &other.before)) {
            return self.before.clone();
        }
        let mut own: Vec<_> = self.layers().collect();
        for other in others {
            let place = other.layers().find_map(|layer| own.iter().position(|known| Rc::ptr_eq(known, layer)));
            own.drain(..place.unwrap_or(own.len()));
        }
        own.first().map(|layer| Rc::clone(layer))
    }

    /// The layers below it, from the newest.
    fn layers(&self) -> impl Iterator<Item = &Rc<Self>> {
        std::iter::successors(self.before.as_ref(), |layer| layer.before.as_ref())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use std::collections::HashMap;

    use super::Layers;

    type Map = Layers<usize, Vec<usize>>;

    fn merge(into: &mut Vec<usize>, more: Vec<usize>) {
        for one in more {
            if !into.contains(&one) {
                into.push(one);
            }
        }
    }

    /// What joining whole maps one after another says.
    fn plain(ways: &[HashMap<usize, Vec<usize>>]) -> HashMap<usize, Vec<usize>> {
        let (first, rest) = ways.split_first().unwrap();
        let mut joined = first.clone();
        for way in rest {
            joined.retain(|key, value| {
                way.get(key).is_some_and(|more| {
                    merge(value, more.clone());
                    true
                })
            });
        }
        joined
    }

    /// A number below `most`, of a row that is the same each time.
    fn drawn(seed: &mut u64, most: usize) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).unwrap() % most
    }

    /// Changes a map and its plain twin alike: values, and ways that come together, in each other.
    fn change(map: &mut Map, twin: &mut HashMap<usize, Vec<usize>>, seed: &mut u64, left: usize) {
        for _ in 0..drawn(seed, 6) {
            let key = drawn(seed, 8);
            match drawn(seed, 4) {
                0 => {
                    map.remove(key);
                    twin.remove(&key);
                }
                1 if left > 0 => {
                    let mut maps: Vec<_> = (0..drawn(seed, 4)).map(|_| map.fork()).collect();
                    let mut twins = vec![twin.clone(); maps.len()];
                    change(map, twin, seed, left - 1);
                    for (map, twin) in maps.iter_mut().zip(&mut twins) {
                        change(map, twin, seed, left - 1);
                    }
                    // One that is left alone holds on to what held before.
                    let kept = drawn(seed, 2).checked_sub(1).map(|_| map.fork());
                    twins.insert(0, twin.clone());
                    *twin = plain(&twins);
                    map.join(maps, merge);
                    drop(kept);
                }
                _ => {
                    let value = vec![drawn(seed, 5)];
                    map.insert(key, value.clone());
                    twin.insert(key, value);
                }
            }
        }
    }

    #[test]
    fn layers_say_what_whole_maps_say() {
        let mut seed = 1;
        for round in 0..500 {
            let (mut map, mut twin) = (Map::default(), HashMap::new());
            change(&mut map, &mut twin, &mut seed, 4);
            let said: HashMap<_, _> = (0..8).filter_map(|key| Some((key, map.get(&key)?.clone()))).collect();
            assert_eq!(said, twin, "{round}");
        }
    }

    #[test]
    fn what_comes_together_costs_what_was_changed() {
        const MANY: usize = 3000;
        let mut map = Map::default();
        (0..MANY).for_each(|key| map.insert(key, vec![0]));
        // Conditions one after another, in each of which one name is assigned.
        let mut looked = 0;
        for key in 0..MANY {
            let other = map.fork();
            map.insert(key, vec![1]);
            looked += map.join(vec![other], merge);
        }
        assert_eq!(looked, MANY);
        assert_eq!(map.get(&7), Some(&vec![1, 0]));
        // One condition with as many arms, each with a name of its own.
        let mut arms = Vec::new();
        for key in 0..MANY {
            let mut arm = map.fork();
            arm.insert(MANY + key, vec![2]);
            arm.insert(key, vec![2]);
            arms.push(arm);
        }
        assert_eq!(map.join(arms, merge), 2 * MANY);
        assert_eq!((map.get(&7), map.get(&(MANY + 7))), (Some(&vec![1, 0, 2]), None));
    }

    #[test]
    fn layers_do_not_pile_up() {
        let mut map = Map::default();
        let mut kept = Vec::new();
        for key in 0..1000 {
            map.insert(key, vec![key]);
            kept.push(map.fork());
        }
        assert!(map.layers().count() <= super::MOST + 1);
        assert_eq!((map.get(&3), map.get(&999)), (Some(&vec![3]), Some(&vec![999])));
        assert_eq!((kept[10].get(&10), kept[10].get(&11)), (Some(&vec![10]), None));
    }
}
