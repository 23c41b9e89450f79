//! What is declared, held against what can be.

use crate::operations::OPERATIONS;

/// A required argument with a closed list of values, and those values of it that are supported.
pub type Choice = (&'static str, &'static [&'static str]);

/// An operation with its choices.
pub type Declared = (&'static str, &'static [Choice]);

/// Names operations; for each of them it lists the values that are supported of every required argument with a closed list
/// of values:
///
/// ```text
/// &[("canon.bytes", &[("profile", &["rfc8785"])]), ("sovereign.deny_code", &[])]
/// ```
pub type Declaration = &'static [Declared];

/// What can be declared of an operation.
pub(crate) type Operation = Declared;

/// Says what of a declaration stands for nothing, so that a slip of the pen does not look like an implementation that has
/// nothing to be asked.
///
/// # Errors
/// What is wrong, one line for each.
pub fn check(declared: Declaration) -> Result<(), String> {
    check_against(declared, OPERATIONS)
}

fn check_against(declared: Declaration, table: &[Operation]) -> Result<(), String> {
    if declared.is_empty() {
        return Err("nothing declared: name an operation in DECLARES, in src/lib.rs".to_owned());
    }
    let mut wrong = Vec::new();
    for (index, (name, choices)) in declared.iter().enumerate() {
        if declared.iter().take(index).any(|(before, _)| before == name) {
            wrong.push(format!("declared: {name} is named twice"));
        }
        match table.iter().find(|(known, _)| known == name) {
            None => {
                let known = table.iter().map(|(known, _)| *known);
                wrong.push(format!("declared: there is no operation {name:?}, only {}", list(known)));
            }
            Some((_, known)) => check_choices(name, choices, known, &mut wrong),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Holds the arguments that are declared of one operation against those that it has.
fn check_choices(operation: &str, declared: &[Choice], choices: &[Choice], wrong: &mut Vec<String>) {
    for (argument, listed) in declared {
        let Some((_, values)) = choices.iter().find(|(known, _)| known == argument) else {
            let known = list(choices.iter().map(|(known, _)| *known));
            wrong.push(format!(
                "declared: {operation} lists values of {argument:?}, which is not among its closed arguments: {known}"
            ));
            continue;
        };
        for value in listed.iter().filter(|value| !values.contains(value)) {
            let known = list(values.iter().copied());
            wrong.push(format!("declared: {operation} has no {argument} {value:?}, only {known}"));
        }
    }
    for (argument, values) in choices {
        if !declared.iter().any(|(name, listed)| name == argument && !listed.is_empty()) {
            let known = list(values.iter().copied());
            wrong.push(format!("declared: {operation} lists no value of {argument:?}, which takes {known}"));
        }
    }
}

fn list<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Operation] =
        &[("canon.bytes", &[("profile", &["episode", "sovereign"])]), ("sovereign.deny_code", &[])];

    #[test]
    fn what_stands_for_nothing_is_said() {
        let right: Declaration = &[("canon.bytes", &[("profile", &["episode"])]), ("sovereign.deny_code", &[])];
        assert_eq!(check_against(right, TABLE), Ok(()));
        let wrong: [(Declaration, &str); 9] = [
            (&[], "nothing declared"),
            (&[("canon.byte", &[("profile", &["episode"])])], "no operation \"canon.byte\", only canon.bytes, sov"),
            (&[("canon.bytes", &[("profile", &["episode"]), ("profil", &["episode"])])], "\"profil\", which is not"),
            (&[("sovereign.deny_code", &[("mode", &["law"])])], "closed arguments: none"),
            (&[("canon.bytes", &[("profile", &["episode", "episdoe"])])], "no profile \"episdoe\", only episode, sov"),
            (&[("canon.bytes", &[("profile", &[])])], "no value of \"profile\", which takes episode, sovereign"),
            (&[("canon.bytes", &[])], "no value of \"profile\""),
            (&[("sovereign.deny_code", &[]), ("sovereign.deny", &[])], "\"sovereign.deny\""),
            (&[("sovereign.deny_code", &[]), ("sovereign.deny_code", &[])], "named twice"),
        ];
        for (declared, said) in wrong {
            let found = check_against(declared, TABLE).unwrap_err();
            assert!(found.contains(said), "{found}, want {said}");
        }
    }

    #[test]
    fn every_operation_can_be_declared() {
        assert_eq!(check(OPERATIONS), Ok(()));
    }
}
