//! What is walked for itself: a function, the block of a choice, a class.

use super::{Walker, call, raw};
use crate::{
    Family,
    flow::{Next, State, Use},
    roles::{Role, decorated},
    syntax::{Class, Function},
    world::{Bound, Scope, bind},
};

const OUTSIDE: &str = "the safe wrapper stands outside of the registration, which takes the tool without it";

impl<'a> Walker<'_, 'a> {
    pub(crate) fn function(&mut self, function: &'a Function, outer: &State<'a>) {
        let mut scope = Scope::new();
        for parameter in &function.parameters {
            scope.insert(parameter.name.as_str(), vec![Bound::Parameter(parameter)]);
        }
        bind(&function.body, &mut scope);
        let given = {
            let lookup = self.lookup(outer);
            let of_builder = || function.parameters.iter().filter(|one| lookup.is_builder_type(&one.types));
            let answers = of_builder().next().is_some() || lookup.is_reply_type(&function.returns);
            // One that may be missing may be made.
            let given = of_builder().any(|one| !one.optional && !one.types.iter().any(|name| name == "Optional"));
            (given, answers)
        };
        let role = self.roles.of(self.module, function.span);
        let role = Role { wrapper: role.wrapper || self.role.wrapper, ..role };
        let helps = self.helps || self.is_helper(function);
        let outside = (
            std::mem::replace(&mut self.role, role),
            std::mem::replace(&mut self.yields, function.yields),
            std::mem::replace(&mut self.answers, role.tool || given.1),
            std::mem::replace(&mut self.helps, helps),
            std::mem::replace(&mut self.plain, raw::is_plain(self.world.family, &function.returns)),
            std::mem::take(&mut self.ends),
            std::mem::take(&mut self.breaks),
            std::mem::take(&mut self.labels),
            std::mem::replace(&mut self.gives, Use::Returned),
        );
        let mut state = State { made: given.0, ..State::default() };
        for parameter in &function.parameters {
            state.values.insert(&parameter.name, vec![Bound::Parameter(parameter)]);
        }
        let decorated = decorated(function, self.class, self.world, self.module);
        if let Some(at) = decorated.registered.filter(|_| !decorated.around)
            && decorated.wrapped.is_none_or(|wrapped| wrapped < at && self.world.family != Family::Java)
        {
            let message = if decorated.wrapped.is_some() { OUTSIDE } else { call::UNSAFE };
            self.find("reply/crash-is-error", function.span, &function.name, message);
        }
        self.inner.push(scope);
        self.functions.push(function);
        self.block(&function.body, &mut state, Next::Other);
        self.falls_off(function, &state);
        self.functions.pop();
        self.inner.pop();
        (
            self.role,
            self.yields,
            self.answers,
            self.helps,
            self.plain,
            self.ends,
            self.breaks,
            self.labels,
            self.gives,
        ) = outside;
    }

    /// Walks the block of a choice, which gives its value to what the choice stands in.
    pub(super) fn arm(&mut self, block: &'a Function, state: &mut State<'a>, becomes: Use) {
        let mut scope = Scope::new();
        bind(&block.body, &mut scope);
        let around = (self.role, std::mem::replace(&mut self.gives, becomes));
        // What has another type is found as a whole.
        self.role.tool &= !self.plain;
        self.inner.push(scope);
        self.block(&block.body, &mut state.fork(), Next::Other);
        self.inner.pop();
        (self.role, self.gives) = around;
    }

    /// Whether this is a result of a function around, which gives it when it ends.
    pub(super) fn is_result(&self, name: &str) -> bool {
        let around = self.functions.split_last().map(|(_, around)| around).unwrap_or_default();
        around.iter().any(|function| function.results.iter().any(|one| one == name))
    }

    /// Whether it is a function of the package of builders that no other package can call.
    fn is_helper(&self, function: &Function) -> bool {
        self.world.family == Family::Go
            && self.class.is_none()
            && function.name.starts_with(char::is_lowercase)
            && self.world.package_of(self.module).is_some_and(|package| self.world.is_home(package))
    }

    pub(crate) fn class(&mut self, class: &'a Class, outer: &State<'a>) {
        let around = self.class.replace(class);
        let role = self.role;
        self.role.wrapper |= self.world.names.is_wrapper(&class.name);
        let mut state = State { values: outer.values.clone(), ..State::default() };
        // In Java, methods call members by their names alone.
        let members = self.world.family == Family::Java;
        if members {
            let mut scope = Scope::new();
            bind(&class.body, &mut scope);
            self.inner.push(scope);
        }
        self.block(&class.body, &mut state, Next::Other);
        if members {
            self.inner.pop();
        }
        self.class = around;
        self.role = role;
    }
}
