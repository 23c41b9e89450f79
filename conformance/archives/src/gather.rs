//! Artefacts of one archive, handed over as they are complete.

use std::{
    collections::{BTreeSet, VecDeque},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use crate::{
    Damage, Held, Kind, Limits, Scope,
    caught::caught,
    held::{Content, below},
    index::{Extent, Index, Survey},
    member::{Member, What},
    members::{Members, State, Unread},
    name::Named,
};

/// Bytes beside its own and those of its path that a file or folder in memory costs.
const BESIDE: u64 = 512;

/// What is wanted of one archive, each with what whoever wants it knows it by.
pub struct Gather<'s, T> {
    path: PathBuf,
    kind: Kind,
    limits: Limits,
    stop: &'s AtomicBool,
    index: Index,
    parts: Vec<Part>,
    wanted: Vec<Wanted<T>>,
    ready: VecDeque<usize>,
    /// Those of which something has come and not all, by their last member.
    begun: BTreeSet<(u64, usize)>,
    /// Bytes that are held, and never fewer: those of a file once for each scope that it lies in, though all of them share it.
    room: u64,
    state: Option<State>,
    stage: Stage,
}

enum Stage {
    New,
    Between,
    Reading(Box<Members>),
    Ended,
}

/// A scope on its way.
#[derive(Default)]
struct Part {
    extent: Extent,
    /// Who waits for it in this pass.
    waiting: Vec<usize>,
    /// How many of those have not been handed over.
    open: usize,
    content: Option<Content>,
    whole: Option<Arc<Content>>,
    cost: u64,
}

struct Wanted<T> {
    what: Option<T>,
    scopes: Vec<usize>,
    /// Scopes that are not complete.
    missing: usize,
    /// The number of its last member.
    last: u64,
    damage: Option<Damage>,
    stand: Stand,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// It waits for scopes in this pass.
    Here,
    /// It waits for another pass.
    Later,
    /// It is ready, or was handed over.
    Ready,
}

impl<'s, T> Gather<'s, T> {
    /// Asks an archive for artefacts; nothing is opened yet. When `stop` is set, no further one comes.
    #[must_use]
    pub fn new(path: PathBuf, kind: Kind, limits: Limits, stop: &'s AtomicBool, wanted: Vec<(T, Vec<Scope>)>) -> Self {
        let mut index = Index::default();
        let wanted = wanted.into_iter().map(|(what, scopes)| {
            let mut scopes: Vec<_> = scopes.into_iter().map(|scope| index.add(scope)).collect();
            scopes.sort_unstable();
            scopes.dedup();
            Wanted { what: Some(what), scopes, missing: 0, last: 0, damage: None, stand: Stand::Later }
        });
        let wanted = wanted.collect();
        let parts = index.scopes().iter().map(|_| Part::default()).collect();
        let (ready, begun) = (VecDeque::new(), BTreeSet::new());
        Self { path, kind, limits, stop, index, parts, wanted, ready, begun, room: 0, state: None, stage: Stage::New }
    }

    /// Looks at every member, and makes ready what has no hope.
    fn survey(&mut self) -> Result<(), Damage> {
        let mut members = Members::open(&self.path, self.kind, &self.limits)?;
        self.state = Some(members.state());
        let name = members.name().to_owned();
        let mut survey = Survey::new(&self.index, &name, &self.limits);
        while let Some(member) = members.next()? {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            survey.see(&member)?;
        }
        for (part, extent) in self.parts.iter_mut().zip(survey.end()) {
            part.extent = extent;
        }
        for number in 0..self.wanted.len() {
            let Some(wanted) = self.wanted.get(number) else { continue };
            let extents = || wanted.scopes.iter().filter_map(|scope| self.parts.get(*scope)).map(|part| &part.extent);
            let bytes = extents().fold(0_u64, |sum, extent| sum.saturating_add(extent.bytes));
            let damage = extents().find_map(|extent| extent.damage.clone()).or_else(|| {
                (bytes > self.limits.artefact).then(|| {
                    let most = self.limits.artefact;
                    let message = format!("{name}: the artefact has {bytes} bytes, and at most {most} are read");
                    Damage::new(message, "unpack it, and name what came out")
                })
            });
            if let Some(damage) = damage {
                self.give_up(number, damage);
            }
        }
        Ok(())
    }

    /// Begins another pass for whatever still waits; false where nothing does.
    fn begin(&mut self) -> Result<bool, Damage> {
        self.parts.iter_mut().for_each(|part| (part.waiting, part.open) = (Vec::new(), 0));
        for (number, wanted) in self.wanted.iter_mut().enumerate().filter(|(_, wanted)| wanted.stand == Stand::Later) {
            wanted.stand = Stand::Here;
            wanted.missing = wanted.scopes.len();
            for scope in &wanted.scopes {
                if let Some(part) = self.parts.get_mut(*scope) {
                    part.waiting.push(number);
                    part.open += 1;
                    wanted.last = wanted.last.max(part.extent.last);
                }
            }
        }
        if !self.wanted.iter().any(|wanted| wanted.stand == Stand::Here) {
            return Ok(false);
        }
        let members = Members::open(&self.path, self.kind, &self.limits)?;
        if self.state != Some(members.state()) {
            return Err(self.changed());
        }
        self.stage = Stage::Reading(Box::new(members));
        // An archive that holds nothing is a folder that holds nothing; what asks for no part of it has all that it asks for.
        (0..self.parts.len())
            .filter(|part| self.is_empty(*part))
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|part| self.complete(part));
        let nothing = self.wanted.iter().enumerate().filter(|(_, it)| it.stand == Stand::Here && it.missing == 0);
        nothing.map(|(number, _)| number).collect::<Vec<_>>().into_iter().for_each(|number| self.make_ready(number));
        Ok(true)
    }

    fn is_empty(&self, part: usize) -> bool {
        self.parts.get(part).is_some_and(|part| part.open > 0 && part.extent.members == 0)
    }

    fn changed(&self) -> Damage {
        let message = format!("{}: has changed while it was read", self.path.display());
        Damage::new(message, "leave it alone, and judge it again")
    }

    /// Lays a member where it is waited for.
    fn take(&mut self, member: &Member, members: &mut Members) -> Result<(), Damage> {
        let Named::At(path) = &member.name else { return Ok(()) };
        if matches!(member.what, What::Other(_)) {
            return Ok(());
        }
        let of_file = (member.what == What::File).then(|| self.index.file(path)).flatten();
        let is_open = |part: &usize| self.parts.get(*part).is_some_and(|part| part.open > 0 && part.whole.is_none());
        let parts: Vec<_> = of_file.into_iter().chain(self.index.around(path)).filter(is_open).collect();
        if parts.is_empty() {
            return Ok(());
        }
        if member.size > self.limits.artefact {
            // What is wanted was smaller when it was looked through.
            return Err(self.changed());
        }
        let bytes = match member.what {
            What::File => match members.read(member.size) {
                Ok(bytes) => Some(Arc::from(bytes)),
                Err(Unread::All(damage)) => return Err(damage),
                Err(Unread::One(what)) => {
                    let message = format!("{}: member {}, {path:?}: {what}", members.name(), member.number);
                    let damage = Damage::new(message, "make the archive anew");
                    parts.into_iter().for_each(|part| self.spoil(part, &damage));
                    return Ok(());
                }
            },
            _ => None,
        };
        let each = BESIDE + path.len() as u64;
        let cost = bytes.as_ref().map_or(0, |bytes: &Arc<[u8]>| bytes.len() as u64) + each;
        for number in parts {
            self.make_room(number, cost);
            let Some(scope) = self.index.scopes().get(number) else { continue };
            let Some(part) = self.parts.get_mut(number).filter(|part| part.open > 0) else { continue };
            let content = part.content.get_or_insert_with(|| Content::of(scope));
            let before = content.count();
            let laid = content.lay(below(scope.path(), path).unwrap_or_default(), bytes.as_ref());
            let (count, most) = (content.count(), self.limits.members);
            // Folders that the path alone tells of came beside it.
            let cost = cost + each * count.saturating_sub(before + 1) as u64;
            part.cost += cost;
            self.room += cost;
            if let Err(what) = laid {
                let message = format!("{}: member {}, {path:?}: {what}", members.name(), member.number);
                self.spoil(
                    number,
                    &Damage::new(message, "make the archive anew, of plain files and folders, each once"),
                );
            } else if count as u64 > most {
                let message = format!("{}: {:?} has more than {most} files and folders", members.name(), scope.path());
                self.spoil(number, &Damage::new(message, "unpack it, and name what came out"));
            } else if member.number >= part.extent.last {
                self.complete(number);
            }
        }
        Ok(())
    }

    /// Makes room for what comes of a scope: whose last member is farthest waits for another pass, but never the last one that has begun.
    fn make_room(&mut self, scope: usize, cost: u64) {
        let part = self.parts.get(scope).filter(|part| part.cost == 0);
        for number in part.map(|part| part.waiting.clone()).unwrap_or_default() {
            if let Some(wanted) = self.wanted.get(number).filter(|wanted| wanted.stand == Stand::Here) {
                self.begun.insert((wanted.last, number));
            }
        }
        while self.room.saturating_add(cost) > self.limits.room && self.begun.len() > 1 {
            let Some((_, number)) = self.begun.pop_last() else { return };
            let Some(wanted) = self.wanted.get_mut(number) else { continue };
            wanted.stand = Stand::Later;
            let scopes = wanted.scopes.clone();
            scopes.into_iter().for_each(|scope| self.let_go(scope));
        }
    }

    /// Gives back what a scope holds when nobody waits for it any more.
    fn let_go(&mut self, scope: usize) {
        let Some(part) = self.parts.get_mut(scope) else { return };
        part.open = part.open.saturating_sub(1);
        if part.open == 0 {
            self.room = self.room.saturating_sub(part.cost);
            (part.content, part.whole, part.cost) = (None, None, 0);
        }
    }

    fn complete(&mut self, number: usize) {
        let Some(scope) = self.index.scopes().get(number) else { return };
        let Some(part) = self.parts.get_mut(number) else { return };
        part.whole = Some(Arc::new(part.content.take().unwrap_or_else(|| Content::of(scope))));
        for waiting in part.waiting.clone() {
            let Some(wanted) = self.wanted.get_mut(waiting).filter(|wanted| wanted.stand == Stand::Here) else {
                continue;
            };
            wanted.missing -= 1;
            if wanted.missing == 0 {
                self.make_ready(waiting);
            }
        }
    }

    fn make_ready(&mut self, number: usize) {
        if let Some(wanted) = self.wanted.get_mut(number) {
            wanted.stand = Stand::Ready;
            self.begun.remove(&(wanted.last, number));
            self.ready.push_back(number);
        }
    }

    /// What waits for a scope gets no more of it.
    fn spoil(&mut self, scope: usize, damage: &Damage) {
        let waiting = self.parts.get(scope).map(|part| part.waiting.clone()).unwrap_or_default();
        waiting.into_iter().for_each(|number| self.give_up(number, damage.clone()));
    }

    fn give_up(&mut self, number: usize, damage: Damage) {
        let Some(wanted) = self.wanted.get_mut(number).filter(|wanted| wanted.stand != Stand::Ready) else { return };
        let (here, scopes) = (wanted.stand == Stand::Here, wanted.scopes.clone());
        wanted.damage = Some(damage);
        self.make_ready(number);
        if here {
            scopes.into_iter().for_each(|scope| self.let_go(scope));
        }
    }

    fn all_give_up(&mut self, damage: &Damage) {
        (0..self.wanted.len()).for_each(|number| self.give_up(number, damage.clone()));
        self.stage = Stage::Ended;
    }

    fn hand_over(&mut self, number: usize) -> Option<(T, Result<Held, Damage>)> {
        let wanted = self.wanted.get_mut(number)?;
        let what = wanted.what.take()?;
        let scopes = std::mem::take(&mut wanted.scopes);
        if let Some(damage) = wanted.damage.take() {
            return Some((what, Err(damage)));
        }
        let parts = scopes.iter().filter_map(|scope| {
            let whole = self.parts.get(*scope)?.whole.clone()?;
            Some((self.index.scopes().get(*scope)?.clone(), whole))
        });
        let held = Held::new(parts.collect());
        scopes.into_iter().for_each(|scope| self.let_go(scope));
        Some((what, Ok(held)))
    }

    /// Goes on by one member, or from one pass to the next; false when there is nothing to go on with.
    fn step(&mut self) -> Result<bool, Damage> {
        match std::mem::replace(&mut self.stage, Stage::Between) {
            Stage::New => self.survey().map(|()| true),
            Stage::Between => {
                let begun = self.begin()?;
                if !begun {
                    self.stage = Stage::Ended;
                }
                Ok(begun)
            }
            Stage::Reading(mut members) => match members.next()? {
                Some(member) => {
                    self.take(&member, &mut members)?;
                    self.stage = Stage::Reading(members);
                    Ok(true)
                }
                None if self.wanted.iter().any(|wanted| wanted.stand == Stand::Here) => Err(self.changed()),
                None => Ok(true),
            },
            Stage::Ended => {
                self.stage = Stage::Ended;
                Ok(false)
            }
        }
    }
}

impl<T> Iterator for Gather<'_, T> {
    type Item = (T, Result<Held, Damage>);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.stop.load(Ordering::Relaxed) {
            if let Some(number) = self.ready.pop_front() {
                return self.hand_over(number);
            }
            let path = self.path.clone();
            match caught(&path, || self.step()) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(damage) => self.all_give_up(&damage),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

    use super::*;

    #[test]
    fn a_panic_while_an_archive_is_read_is_said_of_what_waits_for_it() {
        static GO_ON: AtomicBool = AtomicBool::new(false);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tar");
        let mut tar = tar::Builder::new(fs::File::create(&path).unwrap());
        for name in ["a", "b"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(1);
            tar.append_data(&mut header, name, &b"1"[..]).unwrap();
        }
        tar.into_inner().unwrap().flush().unwrap();
        let wanted = ["a", "b"].map(|name| (name, vec![Scope::File(name.to_owned())])).to_vec();
        let mut gather = Gather::new(path, Kind::Tar, Limits::default(), &GO_ON, wanted);
        assert!(gather.step().unwrap() && gather.step().unwrap());
        // One fewer than it waits for is none fewer than nothing.
        gather.wanted[0].missing = 0;
        for name in ["a", "b"] {
            let (of, held) = gather.next().unwrap();
            let damage = held.unwrap_err();
            assert!(of == name && damage.broke_off && damage.message.contains("a.tar: assize broke off"), "{damage}");
        }
        assert!(gather.next().is_none());
    }
}
