//! The texts that an expression may be.

use super::{FARTHEST, Lookup};
use crate::{
    Family,
    syntax::{Call, Class, Expr, Kind, Span},
    world::{Bound, Meaning},
};

/// Texts that one expression may stand for.
const MOST: usize = 16;
/// Bytes of the longest text that may be a code, or of a name that is written down with one.
pub(crate) const LONGEST: usize = 200;
const CHANGED: Why = "it is changed after it was made";
const TOO_LONG: Why = "it is too long to be a code";

/// A text that was found, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) module: usize,
    pub(crate) span: Span,
    /// Whether it stands there as one literal.
    pub(crate) literal: bool,
}

/// All texts that an expression may be.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) told: Vec<Told>,
    /// Whether which one it is depends on what was assigned before.
    pub(crate) open: bool,
}

/// Why an expression is not followed.
pub(crate) type Why = &'static str;

impl<'a> Lookup<'_, 'a> {
    /// The texts that an expression may be.
    pub(crate) fn texts(&self, expr: &'a Expr) -> Result<Texts, Why> {
        let mut found = Texts::default();
        self.texts_within(expr, FARTHEST, &mut found)?;
        Ok(found)
    }

    fn texts_within(&self, expr: &'a Expr, left: usize, found: &mut Texts) -> Result<(), Why> {
        let left = left.checked_sub(1).ok_or("it leads too far")?;
        if found.told.len() >= MOST {
            return Err("it may be too many texts");
        }
        match &expr.kind {
            Kind::Same(inner) => self.texts_within(inner, left, found),
            Kind::Text(text) if text.len() > LONGEST => Err(TOO_LONG),
            Kind::Text(text) => {
                found.told.push(Told { text: text.clone(), module: self.module, span: expr.span, literal: true });
                Ok(())
            }
            Kind::Choice(parts) => {
                let [_, then, otherwise] = &**parts;
                self.texts_within(then, left, found)?;
                self.texts_within(otherwise, left, found)
            }
            Kind::Either(parts) => {
                found.open = true;
                parts.iter().try_for_each(|part| self.texts_within(part, left, found))
            }
            Kind::Sum(parts) | Kind::Template(parts) if !parts.is_empty() => self.joined(expr, parts, left, found),
            Kind::Call(call) => self.called(call, left, found),
            Kind::Constant(_, all) => match all.as_slice() {
                [one] => self.texts_within(one, left, found),
                _ => Err("it is made of several values"),
            },
            Kind::Name(name) => {
                let meanings = self.name(name);
                found.open |= meanings.len() > 1;
                self.all(meanings, left, found)
            }
            Kind::Member(of, name, _) => {
                let of_which = self.meanings_within(of, left);
                let is_value = |(meaning, _): &(Meaning<'a>, Self)| matches!(meaning.bound, Bound::Value(..));
                if self.world.is_changed(of, Some(name))
                    || (self.world.is_changed(of, None) && of_which.iter().any(is_value))
                {
                    return Err(CHANGED);
                }
                let meanings: Vec<_> =
                    of_which.into_iter().flat_map(|(meaning, from)| from.member(meaning, name)).collect();
                if meanings.is_empty() && name == "value" {
                    // The value of a member of an enumeration.
                    return self.texts_within(of, left, found);
                }
                found.open |= meanings.len() > 1;
                self.all(meanings, left, found)
            }
            Kind::Index(of, at) => self.at_key(of, at, left, found),
            _ => Err("it is put together elsewhere"),
        }
    }

    /// What stands at a key of a constant object.
    fn at_key(&self, of: &'a Expr, at: &'a Expr, left: usize, found: &mut Texts) -> Result<(), Why> {
        let Kind::Text(name) = &at.plain().kind else { return Err("its key is not a text") };
        if self.world.is_changed(of, Some(name)) || self.world.is_changed(of, None) {
            return Err(CHANGED);
        }
        let of = self.meanings_within(of, left).into_iter();
        let meanings: Vec<_> = of.flat_map(|(meaning, from)| from.member(meaning, name)).collect();
        found.open |= meanings.len() > 1;
        self.all(meanings, left, found)
    }

    /// The texts that a call gives, where it does nothing but give them.
    fn called(&self, call: &'a Call, left: usize, found: &mut Texts) -> Result<(), Why> {
        const CALL: Why = "it comes from a call";
        let typed = self.world.family.is_typed();
        match (&call.callee.plain().kind, call.arguments.as_slice()) {
            (_, [one]) if self.is_conversion(&call.callee) => self.texts_within(&one.value, left, found),
            (Kind::Member(of, name, _), [at]) if typed && name == "get" => {
                self.at_key(of, &at.value, left, found).map_err(|_| CALL)
            }
            // What a constant of an enumeration says of itself.
            (Kind::Member(of, name, _), []) if typed => {
                let all = self.meanings_within(of, left);
                let is_constant = |(meaning, _): &(Meaning<'a>, Self)| match meaning.bound {
                    Bound::Value(value, _) => matches!(value.plain().kind, Kind::Constant(..)),
                    _ => false,
                };
                let constant = all.iter().all(is_constant);
                let name = format!("{name}()");
                let said: Vec<_> = all.into_iter().flat_map(|(meaning, from)| from.member(meaning, &name)).collect();
                if !constant || said.is_empty() {
                    return Err(CALL);
                }
                found.open |= said.len() > 1;
                self.all(said, left, found)
            }
            _ => Err(CALL),
        }
    }

    /// Whether calling this leaves a text what it is.
    fn is_conversion(&self, callee: &'a Expr) -> bool {
        let is_text = |class: &Class| matches!(class.bases.as_slice(), [base] if base.as_name() == Some("string"));
        match &callee.plain().kind {
            Kind::Name(name) if matches!(name.as_str(), "str" | "String" | "string") => true,
            Kind::Member(of, name, _) if name == "valueOf" => of.as_name() == Some("String"),
            Kind::Name(_) | Kind::Member(..) if self.world.family == Family::Go => {
                // `Code("...")`, of a type that is a text.
                self.meanings(callee)
                    .iter()
                    .any(|(meaning, _)| matches!(meaning.bound, Bound::Class(class) if is_text(class)))
            }
            _ => false,
        }
    }

    fn all(&self, meanings: Vec<(Meaning<'a>, Self)>, left: usize, found: &mut Texts) -> Result<(), Why> {
        if meanings.is_empty() {
            return Err("its definition is not in the tree");
        }
        for (meaning, from) in meanings {
            match meaning.bound {
                Bound::Value(value, _) => {
                    // What was chosen before may be known by now, but not here.
                    found.open |= matches!(value.plain().kind, Kind::Choice(_));
                    from.texts_within(value, left, found)?;
                }
                Bound::Parameter(_) => return Err("it is a parameter"),
                Bound::Import(_) => return Err("its definition is not in the tree"),
                _ => return Err("it is not a simple variable"),
            }
        }
        Ok(())
    }

    fn joined(&self, expr: &Expr, parts: &'a [Expr], left: usize, found: &mut Texts) -> Result<(), Why> {
        let mut all = vec![String::new()];
        for part in parts {
            let mut texts = Texts::default();
            self.texts_within(part, left, &mut texts)?;
            found.open |= texts.open;
            if all.len() * texts.told.len() > MOST {
                return Err("it may be too many texts");
            }
            let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
            let ends = longest(&mut texts.told.iter().map(|one| one.text.len()));
            if longest(&mut all.iter().map(String::len)) + ends > LONGEST {
                return Err(TOO_LONG);
            }
            all =
                all.iter().flat_map(|start| texts.told.iter().map(move |end| format!("{start}{}", end.text))).collect();
        }
        let told = all.into_iter().map(|text| Told { text, module: self.module, span: expr.span, literal: false });
        found.told.extend(told);
        Ok(())
    }
}
