//! How what was read of a source is written down: each value after the other, without names.

use std::{
    collections::{HashMap, HashSet},
    hash::Hash,
    sync::{Arc, OnceLock},
};

use crate::{
    allow::Remark,
    syntax::{Argument, Arm, Call, Class, Expr, Form, Function, Import, Kind, Module, Parameter, Span, Stmt, StmtKind},
};

/// Levels that are read again, more than any reader goes down.
const DEEPEST: usize = 4000;

/// What a constant of an enumeration shares with the others.
type Members = Arc<HashMap<String, usize>>;

/// What is written.
#[derive(Default)]
pub(super) struct Output {
    bytes: Vec<u8>,
    depth: usize,
    too_deep: bool,
    /// What is shared, by its address, in the order in which it was written.
    shared: HashMap<usize, usize>,
}

/// What is read.
pub(super) struct Input<'b> {
    rest: &'b [u8],
    depth: usize,
    shared: Vec<Members>,
}

/// A value that is written and read again.
pub(super) trait Kept: Sized {
    fn put(&self, to: &mut Output);

    /// None where these bytes are no such value.
    fn take(from: &mut Input<'_>) -> Option<Self>;
}

impl Output {
    /// All that was written; none where it is too deep to be read again.
    pub(super) fn finish(self) -> Option<Vec<u8>> {
        (!self.too_deep).then_some(self.bytes)
    }

    pub(super) fn list<T: Kept>(&mut self, all: &[T]) {
        all.len().put(self);
        all.iter().for_each(|one| one.put(self));
    }

    fn deeper(&mut self, write: impl FnOnce(&mut Self)) {
        self.too_deep |= self.depth >= DEEPEST;
        if !self.too_deep {
            self.depth += 1;
            write(self);
            self.depth -= 1;
        }
    }
}

impl<'b> Input<'b> {
    pub(super) fn new(rest: &'b [u8]) -> Self {
        Self { rest, depth: 0, shared: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn bytes(&mut self, length: usize) -> Option<&'b [u8]> {
        let (own, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(own)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth <= DEEPEST)?;
        let value = read(self);
        self.depth -= 1;
        value
    }
}

impl Kept for usize {
    fn put(&self, to: &mut Output) {
        let mut rest = *self;
        while rest >= 0x80 {
            to.bytes.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        to.bytes.push((rest & 0x7f) as u8);
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        let mut value = 0_usize;
        for shift in (0..usize::BITS).step_by(7) {
            let byte = from.byte()?;
            value |= usize::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }
}

impl Kept for bool {
    fn put(&self, to: &mut Output) {
        to.bytes.push(u8::from(*self));
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        match from.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Kept for String {
    fn put(&self, to: &mut Output) {
        self.len().put(to);
        to.bytes.extend_from_slice(self.as_bytes());
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        let length = Kept::take(from)?;
        std::str::from_utf8(from.bytes(length)?).ok().map(str::to_owned)
    }
}

impl<T: Kept> Kept for Option<T> {
    fn put(&self, to: &mut Output) {
        self.is_some().put(to);
        self.iter().for_each(|value| value.put(to));
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        let is = bool::take(from)?;
        if is { T::take(from).map(Some) } else { Some(None) }
    }
}

impl<T: Kept> Kept for Vec<T> {
    fn put(&self, to: &mut Output) {
        to.list(self);
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        let length = usize::take(from)?;
        // Each takes a byte at least.
        let mut all = Self::with_capacity(length.min(from.rest.len()).min(64));
        for _ in 0..length {
            all.push(T::take(from)?);
        }
        Some(all)
    }
}

impl<T: Kept + Eq + Hash + Ord> Kept for HashSet<T> {
    fn put(&self, to: &mut Output) {
        let mut all: Vec<_> = self.iter().collect();
        all.sort();
        all.len().put(to);
        all.into_iter().for_each(|one| one.put(to));
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        Vec::take(from).map(|all| all.into_iter().collect())
    }
}

impl<T: Kept> Kept for Box<T> {
    fn put(&self, to: &mut Output) {
        T::put(self, to);
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        T::take(from).map(Self::new)
    }
}

impl<A: Kept, B: Kept> Kept for (A, B) {
    fn put(&self, to: &mut Output) {
        self.0.put(to);
        self.1.put(to);
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
}

impl Kept for [Expr; 3] {
    fn put(&self, to: &mut Output) {
        self.iter().for_each(|one| one.put(to));
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        Some([Expr::take(from)?, Expr::take(from)?, Expr::take(from)?])
    }
}

/// Each is written once, and by its number after that.
impl Kept for Members {
    fn put(&self, to: &mut Output) {
        let next = to.shared.len();
        let place = *to.shared.entry(Self::as_ptr(self).addr()).or_insert(next);
        place.put(to);
        if place == next {
            let mut all: Vec<_> = self.iter().map(|(name, at)| (name.clone(), *at)).collect();
            all.sort();
            all.put(to);
        }
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        let place = usize::take(from)?;
        if place == from.shared.len() {
            let all = Vec::take(from)?;
            from.shared.push(Self::new(all.into_iter().collect()));
        }
        from.shared.get(place).cloned()
    }
}

/// What somebody has asked is asked again.
impl Kept for OnceLock<bool> {
    fn put(&self, _: &mut Output) {}

    fn take(_: &mut Input<'_>) -> Option<Self> {
        Some(Self::new())
    }
}

impl Kept for Span {
    fn put(&self, to: &mut Output) {
        self.start.put(to);
        self.end.wrapping_sub(self.start).put(to);
    }

    fn take(from: &mut Input<'_>) -> Option<Self> {
        let start = usize::take(from)?;
        Some(Self { start, end: start.wrapping_add(Kept::take(from)?) })
    }
}

/// Members in the order in which they are written, of what holds others of its kind.
macro_rules! node {
    ($($name:ident)+) => { $(
        impl Kept for $name {
            fn put(&self, to: &mut Output) {
                to.deeper(|to| {
                    self.kind.put(to);
                    self.span.put(to);
                });
            }

            fn take(from: &mut Input<'_>) -> Option<Self> {
                from.deeper(|from| Some(Self { kind: Kept::take(from)?, span: Kept::take(from)? }))
            }
        }
    )+ };
}

/// Members in the order in which they are written.
macro_rules! record {
    ($($name:ident { $($member:ident),+ })+) => { $(
        impl Kept for $name {
            fn put(&self, to: &mut Output) {
                // A member that is not named here does not compile.
                let Self { $($member),+ } = self;
                $($member.put(to);)+
            }

            fn take(from: &mut Input<'_>) -> Option<Self> {
                Some(Self { $($member: Kept::take(from)?),+ })
            }
        }
    )+ };
}

/// Variants with the byte that tells them apart, and what each has.
macro_rules! choice {
    ($($name:ident { $($byte:literal $variant:ident $(($($part:ident),+))? $({ $($member:ident),+ })?;)+ })+) => { $(
        impl Kept for $name {
            fn put(&self, to: &mut Output) {
                match self {
                    $(Self::$variant $(($($part),+))? $({ $($member),+ })? => {
                        to.bytes.push($byte);
                        $($($part.put(to);)+)?
                        $($($member.put(to);)+)?
                    })+
                }
            }

            fn take(from: &mut Input<'_>) -> Option<Self> {
                match from.byte()? {
                    $($byte => {
                        $($(let $part = Kept::take(from)?;)+)?
                        $($(let $member = Kept::take(from)?;)+)?
                        Some(Self::$variant $(($($part),+))? $({ $($member),+ })?)
                    })+
                    _ => None,
                }
            }
        }
    )+ };
}

node! { Expr Stmt }

record! {
    Module { body, package, assigned, shared, stars, whole, too_deep }
    Call { callee, arguments }
    Argument { name, value, spread }
    Function { name, span, parameters, returns, results, locals, decorators, body, yields, arm }
    Parameter { name, types, member, optional }
    Class { name, span, bases, interfaces, body, around, safe, form }
    Arm { patterns, body, falls }
    Import { local, module, name }
    Remark { law, reason, line, span }
}

choice! {
    Form {
        0 Whole;
        1 Part;
        2 Interface;
    }
    Kind {
        0 Text(text);
        1 Template(parts);
        2 Name(name);
        3 Member(of, name, span);
        4 Index(of, at);
        5 Call(call);
        6 Choice(parts);
        7 Sum(parts);
        8 Either(parts);
        9 Compare(parts);
        10 Object(members);
        11 Array(parts);
        12 Constant(members, values);
        13 Literal;
        14 Nothing;
        15 Function(function);
        16 Class(class);
        17 Same(inner);
        18 Other(parts);
    }
    StmtKind {
        0 Expr(expr);
        1 Assign { targets, value, types };
        2 Bind(targets, value);
        3 Return(value);
        4 Throw(parts);
        5 If { condition, then, otherwise };
        6 Loop { head, targets, body, otherwise, endless };
        7 Try { body, handlers, otherwise, finally };
        8 With { items, targets, body };
        9 Switch { subject, arms, complete };
        10 Break(label);
        11 Continue;
        12 Label(name, body);
        13 Function(function);
        14 Class(class);
        15 Import(imports);
        16 Block(body);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test")]

    use super::{Input, Kept as _, Output};
    use crate::syntax::{Expr, Kind, Module, Span};

    fn module(text: &str) -> Module {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_java::LANGUAGE.into()).unwrap();
        crate::java::module(parser.parse(text, None).unwrap().root_node(), text)
    }

    fn written(module: &Module) -> Vec<u8> {
        let mut output = Output::default();
        module.put(&mut output);
        output.finish().unwrap()
    }

    #[test]
    fn what_constants_share_is_written_once() {
        let constants = "A(\"a\"), ".repeat(500);
        let getters: String = (0..50).map(|index| format!("String g{index}() {{ return text; }} ")).collect();
        let text = format!(
            "enum A {{ {constants}; String text; A(String text) {{ this.text = text; }} {getters} }} class B {{}}"
        );
        let bytes = written(&module(&text));
        assert_eq!(bytes.windows(5).filter(|window| window == b"g49()").count(), 1);
        let again = Module::take(&mut Input::new(&bytes)).unwrap();
        assert_eq!(written(&again), bytes);
    }

    /// Whatever stands there, it is read or it is not, and costs no more than its length.
    #[test]
    fn other_bytes_are_no_module() {
        let bytes = written(&module(
            "class A { int f(int x) { if (x == 1) { return f(2); } return switch (x) { default -> 1; }; } }",
        ));
        for at in 0..bytes.len() {
            assert!(Module::take(&mut Input::new(&bytes[..at])).is_none(), "{at}");
            for other in [0, 1, 7, 0x7f, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] = other;
                drop(Module::take(&mut Input::new(&bytes)));
            }
        }
    }

    #[test]
    fn what_is_too_deep_is_not_written_and_not_read() {
        let levels = std::thread::Builder::new().stack_size(crate::STACK).spawn(levels);
        levels.unwrap().join().unwrap();
    }

    fn levels() {
        let inner = |depth: usize| {
            let leaf = Expr::new(Kind::Nothing, Span::default());
            (0..depth).fold(leaf, |expr, _| Expr::new(Kind::Same(Box::new(expr)), Span::default()))
        };
        let finished = |depth: usize| {
            let mut output = Output::default();
            inner(depth).put(&mut output);
            output.finish()
        };
        assert!(finished(1000).is_some() && finished(4000).is_none());
        // Brackets around brackets, as far as the bytes go.
        assert!(Expr::take(&mut Input::new(&[17; 100_000])).is_none());
    }
}
