//! Calls: of the builder, of what makes a builder, a reply or an envelope, and of what registers tools.

use super::Walker;
use crate::{
    Code, Edit, Family, Site, fix,
    flow::{State, Use},
    lookup::{LONGEST, Lookup, Receiver, Texts},
    names::{FORBIDDEN, LATER, PASSED, TERMINAL, is_method},
    place, roles,
    syntax::{Argument, Call, Expr, Function, Kind, Span},
    world::{Bound, Meaning},
};

/// A call of a method of the builder.
struct Method<'a> {
    receiver: Receiver,
    /// What tells the builder from others in this function; none where a call gives it, which may be the same one each time or another.
    known_as: Option<String>,
    /// As the laws call it.
    name: String,
    /// Of its name, where that stands there.
    span: Span,
    arguments: &'a [Argument],
}

impl<'a> Walker<'_, 'a> {
    pub(super) fn call(&mut self, expr: &'a Expr, call: &'a Call, state: &mut State<'a>, becomes: Use) {
        let method = self.method(call, state);
        if method.is_none() || !matches!(call.callee.kind, Kind::Member(..)) {
            self.expr(&call.callee, state, Use::Kept);
        } else if let Kind::Member(of, ..) = &call.callee.kind {
            self.expr(of, state, Use::Kept);
        }
        // A promise of a reply is that reply.
        let passed = match &call.callee.plain().kind {
            Kind::Member(of, name, _) if passes_on(of, name) => becomes,
            _ => Use::Kept,
        };
        for argument in &call.arguments {
            self.expr(&argument.value, state, passed);
        }
        if let Some(method) = method {
            self.site(expr, &method, state, becomes);
            return;
        }
        self.tests(call, state);
        self.made(expr, call, state, becomes);
        self.registered(call, state);
    }

    /// The method of a builder that is called: by its name, by `getattr` or a key, or by a name for it.
    fn method(&self, call: &'a Call, state: &State<'a>) -> Option<Method<'a>> {
        let lookup = self.lookup(state);
        let callee = call.callee.plain();
        let (of, name, span) = match &callee.kind {
            Kind::Member(of, name, span) => (&**of, name.clone(), *span),
            Kind::Index(of, at) => match &at.plain().kind {
                Kind::Text(name) => (&**of, name.clone(), at.span),
                _ => return None,
            },
            Kind::Call(inner) if inner.callee.as_name() == Some("getattr") => match inner.arguments.as_slice() {
                [of, name, ..] => match &name.value.plain().kind {
                    Kind::Text(text) => (&of.value, text.clone(), name.value.span),
                    _ => return None,
                },
                _ => return None,
            },
            Kind::Name(name) => match lookup.name(name).as_slice() {
                [(meaning, _)] => match meaning.bound {
                    Bound::Value(Expr { kind: Kind::Member(of, method, _), .. }, _)
                        if is_method(&self.world.family.method(method)) =>
                    {
                        (&**of, method.clone(), callee.span)
                    }
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let name = self.world.family.method(&name);
        if self.world.family == Family::Java && OBJECT.contains(&name.as_str()) {
            return None;
        }
        let receiver = lookup.receiver(of).filter(|one| one.text.len() <= LONGEST && name.len() <= LONGEST)?;
        let known_as = match of.as_call() {
            Some(made) if !lookup.makes_builder(&made.callee) => None,
            _ => Some(self.own_member(of).map_or_else(|| receiver.text.clone(), |name| format!("this.{name}"))),
        };
        // What is a builder by its name alone may be anything with other methods.
        let is = receiver.proven || is_method(&name);
        is.then_some(Method { receiver, known_as, name, span, arguments: &call.arguments })
    }

    fn site(&mut self, expr: &'a Expr, method: &Method<'a>, state: &mut State<'a>, becomes: Use) {
        let Receiver { text, .. } = &method.receiver;
        if method.known_as.as_ref().is_some_and(|known| state.frozen.get(known).is_some()) {
            let message = "the builder is frozen: nothing is called on it after a reply that ends the call";
            self.find("reply/terminal-freeze", expr.span, &method.name, message);
        }
        let terminal = TERMINAL.contains(&method.name.as_str());
        if let Some(known) = method.known_as.clone().filter(|_| terminal) {
            state.frozen.insert(known, ());
        }
        let argument = code_argument(method);
        let texts =
            argument.map(|one| if one.spread { Err("it is in a list") } else { self.lookup(state).texts(&one.value) });
        let span = Span { start: expr.span.start, end: method.span.end.max(expr.span.start) };
        let place = self.place(Span { start: span.start, end: span.end.min(expr.span.end) });
        let code_place = argument.map(|one| self.place(one.value.span));
        let base = Site {
            place,
            code_place,
            receiver: Some(text.clone()),
            method: Some(method.name.clone()),
            code: Code::Absent,
            // A wrapper returns the envelope that it makes of a reply.
            returned: becomes == Use::Returned || self.role.wrapper,
            certain: true,
            alone: true,
            literal: None,
            edit: None,
        };
        let codes = match texts {
            None => Vec::new(),
            // The one argument of a success may be its data, and what a forbidden method is given may be a text for people.
            Some(texts) if !terminal => texts.ok().filter(are_codes).map(|one| vec![one]).unwrap_or_default(),
            Some(Ok(texts)) => vec![texts],
            Some(Err(why)) => {
                let span = argument.map_or(expr.span, |one| one.value.span);
                let message = format!("its code is not followed, since {why}: it is not judged");
                self.advise("reply/code-registered", span, &method.name, &message);
                self.harvest.sites.push(Site { code: Code::Unknown(why), ..base });
                return;
            }
        };
        let edit = |code: Option<&str>| {
            let name = FORBIDDEN.contains(&method.name.as_str()).then_some((method.name.as_str(), method.span))?;
            let (source, family) = (&self.source.text, self.world.family);
            let (span, text) = fix::instead(name, expr.span.end, method.arguments, code, source, family)?;
            Some(Edit::new(self.place(span), text))
        };
        let mut sites = Vec::new();
        for texts in &codes {
            let due = due(&method.name);
            let fits = |text: &str| due.is_none() || text.split('-').nth(2) == due;
            // Of several codes that may arrive, those of another type may belong to another way.
            let one_fits = texts.told.iter().any(|told| fits(&told.text));
            for told in &texts.told {
                let literal = told.literal.then(|| self.world.source(told.module)).flatten();
                sites.push(Site {
                    code: Code::Known(told.text.clone()),
                    alone: texts.told.len() == 1,
                    certain: !texts.open || fits(&told.text) || !one_fits,
                    literal: literal.map(|source| place::of(source, told.span)),
                    edit: edit(Some(&told.text)),
                    ..base.clone()
                });
            }
        }
        if sites.is_empty() {
            sites.push(Site { edit: edit(None), ..base });
        }
        self.harvest.sites.extend(sites);
    }

    /// What is made by calling a class: a builder, a reply, an envelope.
    fn made(&mut self, expr: &'a Expr, call: &'a Call, state: &mut State<'a>, becomes: Use) {
        let lookup = self.lookup(state);
        let names = self.world.names;
        if lookup.makes_builder(&call.callee) {
            let second = std::mem::replace(&mut state.made, true);
            if second && !self.role.wrapper {
                let message = "a second builder escapes the freeze: use the first";
                let subject = call.callee.last_name().unwrap_or_default();
                if self.answers {
                    self.find("reply/single-builder", expr.span, subject, message);
                } else {
                    self.advise("reply/single-builder", expr.span, subject, message);
                }
            }
            return;
        }
        let own = self.is_own();
        if lookup.is_made(&call.callee, |name| names.is_reply(name)) && !own {
            self.direct(expr, becomes);
        } else if lookup.is_made(&call.callee, |name| names.is_envelope(name)) && !own && !self.role.wrapper {
            let message = "an envelope is made outside of the wrapper: return the reply";
            self.find("reply/envelope-separation", expr.span, call.callee.last_name().unwrap_or_default(), message);
        }
    }

    /// Whether this is where replies and envelopes are made: their own classes, and in Go what helps them in their package.
    fn is_own(&self) -> bool {
        let names = self.world.names;
        let inside = self.class.map(|class| class.name.as_str()).unwrap_or_default();
        names.is_builder(inside) || names.is_reply(inside) || names.is_envelope(inside) || self.helps
    }

    fn direct(&mut self, expr: &Expr, becomes: Use) {
        let place = self.place(expr.span);
        // What is returned by a name may be seen where it is made as well.
        let known = |site: &Site| site.method.is_none() && site.receiver.is_some() && site.place == place;
        if self.harvest.sites.iter().rev().take(64).any(known) {
            return;
        }
        self.harvest.sites.push(Site {
            place,
            code_place: None,
            receiver: Some("Reply".to_owned()),
            method: None,
            code: Code::Absent,
            returned: becomes == Use::Returned,
            certain: true,
            alone: true,
            literal: None,
            edit: None,
        });
    }

    /// An object that has the members of a reply or of an envelope. One that goes nowhere may only describe it.
    pub(super) fn object(&mut self, expr: &'a Expr, members: &'a [(Option<String>, Expr)], becomes: Use) {
        let has = |name: &str| members.iter().any(|(key, _)| key.as_deref() == Some(name));
        let kind = members.iter().find(|(key, _)| key.as_deref() == Some("reply_type"));
        // A schema describes one, and says more of its type.
        let typed = self.world.family.is_typed();
        let described = |kind: &Expr| match kind.plain().kind {
            Kind::Object(_) | Kind::Array(_) => true,
            Kind::Call(_) => !typed,
            _ => false,
        };
        if kind.is_none_or(|(_, kind)| described(kind)) {
            return;
        }
        let own = self.is_own();
        let inside = self.class.map(|class| class.name.as_str()).unwrap_or_default();
        if has("status") && (has("meta") || has("error")) {
            if !self.role.wrapper && !self.world.names.is_envelope(inside) {
                if becomes == Use::Returned {
                    let message = "an envelope is made outside of the wrapper: return the reply";
                    self.find("reply/envelope-separation", expr.span, "", message);
                } else {
                    let message = "if this becomes an envelope, it is made outside of the wrapper";
                    self.advise("reply/envelope-separation", expr.span, "", message);
                }
            }
        } else if has("code") && has("data") && !own && !self.role.wrapper {
            if becomes == Use::Returned {
                self.direct(expr, Use::Kept);
            } else {
                let message = "if this becomes a reply, it is made without the builder";
                self.advise("reply/single-builder", expr.span, "", message);
            }
        }
    }

    /// Objects that are returned by a name.
    pub(super) fn returned_object(&mut self, value: &'a Expr, state: &State<'a>) {
        let mut values = vec![value.plain()];
        while let Some(value) = values.pop() {
            match &value.kind {
                Kind::Choice(parts) => values.extend(parts.iter().skip(1).map(Expr::plain)),
                Kind::Either(parts) => values.extend(parts.iter().map(Expr::plain)),
                Kind::Name(_) => {
                    let module = self.module;
                    let meanings = self.lookup(state).meanings(value).into_iter().map(|(meaning, _)| meaning);
                    let here: Vec<_> = meanings.filter(|meaning| meaning.module == module).collect();
                    for meaning in here {
                        if let Bound::Value(made, _) = meaning.bound
                            && let Kind::Object(members) = &made.plain().kind
                        {
                            self.object(made.plain(), members, Use::Returned);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Objects to a tool that is registered without the wrapper.
    fn registered(&mut self, call: &'a Call, state: &State<'a>) {
        if !roles::registers(&call.callee, self.world) {
            return;
        }
        let Some(handler) =
            call.arguments.iter().rev().map(|one| &one.value).find(|value| self.is_function(value, state))
        else {
            return;
        };
        let lookup = self.lookup(state);
        let meanings = lookup.meanings(handler);
        let is_open =
            |module, function: &'a Function, class| !roles::decorated(function, class, self.world, module).is_safe();
        let by_name = lookup.agree(&meanings, |meaning, from, function| is_open(meaning.module, function, from.class))
            || meanings.iter().any(|(meaning, _)| match meaning.bound {
                Bound::Value(value, _) => matches!(value.plain().kind, Kind::Function(_)),
                _ => false,
            });
        let functions = if self.world.family.is_typed() { lookup.functions(handler) } else { Vec::new() };
        let open = functions.iter().filter(|(module, function, class)| is_open(*module, function, *class)).count();
        let overloaded = self.world.family == Family::Java && open < functions.len();
        if by_name || (open > 0 && !overloaded) {
            self.find("reply/crash-is-error", handler.span, "", UNSAFE);
        } else if open > 0 {
            let message = "which of several methods this is is not followed: each needs the safe wrapper";
            self.advise("reply/crash-is-error", handler.span, "", message);
        }
    }

    fn is_function(&self, value: &'a Expr, state: &State<'a>) -> bool {
        if self.world.family.is_typed() && !self.lookup(state).functions(value).is_empty() {
            return true;
        }
        self.lookup(state).meanings(value).iter().any(|(meaning, _)| match meaning.bound {
            Bound::Function(_) => true,
            Bound::Value(value, _) => matches!(value.plain().kind, Kind::Function(_)),
            _ => false,
        })
    }
}

/// Methods that every object of Java has.
const OBJECT: [&str; 7] = ["equals", "hashCode", "toString", "getClass", "notify", "notifyAll", "wait"];

pub(super) const UNSAFE: &str = "a tool without the safe wrapper: what it throws becomes no error of its own";

impl<'a> Lookup<'_, 'a> {
    /// Whether calling this makes a thing of a class that has such a name.
    fn is_made(&self, callee: &'a Expr, is: impl Fn(&str) -> bool) -> bool {
        let named = callee.last_name().is_some_and(&is);
        let meanings = match &callee.plain().kind {
            Kind::Name(_) => self.meanings(callee),
            Kind::Member(of, ..) if self.world.family == Family::Go => {
                return named && self.is_from_home(&self.meanings(of));
            }
            _ => Vec::new(),
        };
        let ours = meanings.iter().any(|(meaning, _)| match meaning.bound {
            Bound::Class(class) => is(&class.name),
            Bound::Import(import) => {
                import.name.as_deref().is_some_and(&is) && self.world.gives_builder(&import.module)
            }
            _ => false,
        });
        ours || (named && meanings.is_empty() && self.world.gives_builder_here(self.module))
    }

    /// Whether this is the package that builders come from.
    pub(crate) fn is_from_home(&self, of: &[(Meaning<'a>, Self)]) -> bool {
        of.iter().any(|(meaning, _)| match meaning.bound {
            Bound::Package(package) => self.world.is_home(package),
            Bound::Import(import) => self.world.gives_builder(&import.module),
            _ => false,
        })
    }

    /// Whether the names in a type say that it is a reply.
    pub(crate) fn is_reply_type(&self, types: &[String]) -> bool {
        self.is_answer_of(types, |name| self.world.names.is_reply(name))
    }

    /// Whether they say that it is an envelope.
    pub(crate) fn is_envelope_type(&self, types: &[String]) -> bool {
        self.is_answer_of(types, |name| self.world.names.is_envelope(name))
    }
}

/// Whether such a call gives what it is given, sooner or later.
pub(super) fn passes_on(of: &Expr, name: &str) -> bool {
    // `Uni.createFrom().item(...)`
    let made = of.as_call().and_then(|call| match &call.callee.plain().kind {
        Kind::Member(of, name, _) if name == "createFrom" => of.as_name(),
        _ => None,
    });
    let of = of.as_name().or(made).unwrap_or_default();
    LATER.iter().chain(&PASSED).any(|(own, methods)| *own == of && methods.contains(&name))
}

fn code_argument<'a>(method: &Method<'a>) -> Option<&'a Argument> {
    let named = method.arguments.iter().find(|one| one.name.as_deref() == Some("code"));
    let first = || method.arguments.first().filter(|one| one.name.is_none());
    // Any argument may stand in a list of them.
    let given = named.or_else(first).or_else(|| method.arguments.iter().find(|one| one.spread));
    given.filter(|one| !matches!(one.value.plain().kind, Kind::Nothing))
}

/// The letter that the code of a method has.
fn due(method: &str) -> Option<&'static str> {
    match method {
        "success" => Some("S"),
        "invalid" => Some("I"),
        "denied" => Some("D"),
        "error" => Some("E"),
        _ => None,
    }
}

/// Whether all of these look like codes, well spelled or not: four words with something between them.
fn are_codes(texts: &Texts) -> bool {
    let is_code = |text: &str| {
        let parts: Vec<_> = text.split(['-', '_']).collect();
        parts.len() == 4
            && parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
            && parts.last().is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    !texts.told.is_empty() && texts.told.iter().all(|told| is_code(&told.text))
}
