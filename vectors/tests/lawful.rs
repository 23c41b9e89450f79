//! What public code does and no text forbids condemns nobody: item by item for what the rulings call lawful (a remark at most) or against
//! the ruling alone (never against a specification), and in all cases for what is a convention of ours.
//!
//! `lawful.json` has one answer a line: that of a case (`case`), changed in the way that the code would change it (`does`). `silent.json`
//! has answers of nobody's code that no sentence forbids, each with the ruling that alone decides it, or that leaves it open.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::{Judgement, Terms, asserted, is_registered, judge},
    errata::resting,
    node::{Node, push},
    store::Store,
    testee::{Answer, Output},
    vector::{
        Agreement, Case, Corpus, Force, Forces, Weight,
        ruling::{Behaviour, Rulings, named},
    },
};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    ruling: String,
    behaviour: Behaviour,
    case: String,
    does: String,
    /// Accepts, whatever the case expects, with nothing but `set`.
    #[serde(default)]
    accept: bool,
    /// Rejects, whatever the case expects, with these codes and nothing but `set`.
    reject: Option<BTreeSet<String>>,
    #[serde(default)]
    set: BTreeMap<String, Value>,
    #[serde(default)]
    drop: Vec<String>,
}

impl Item {
    fn answer(&self, case: &Case) -> Answer {
        let (accepts, codes, mut out) = match (asserted(case, &case.expect), &self.reject) {
            (_, Some(codes)) => (false, codes.clone(), BTreeMap::new()),
            _ if self.accept => (true, BTreeSet::new(), BTreeMap::new()),
            (Answer::Accept { out }, _) => (true, BTreeSet::new(), out),
            (Answer::Reject { codes, out }, _) => (false, codes, out),
            (other, _) => panic!("{}: {other:?}", case.id),
        };
        for pointer in &self.drop {
            change(&mut out, pointer, None);
        }
        for (pointer, value) in &self.set {
            change(&mut out, pointer, Some(value));
        }
        if accepts { Answer::Accept { out } } else { Answer::Reject { codes, out } }
    }

    fn judged(&self, case: &Case) -> Judgement {
        judge(case, &self.answer(case), &Terms::default())
    }

    fn name(&self) -> String {
        format!("{} {}, {}: {}", self.ruling, self.behaviour.name(), self.case, self.does)
    }
}

/// Puts a value at a place of an answer, or takes away what is there.
fn change(out: &mut BTreeMap<String, Output>, pointer: &str, value: Option<&Value>) {
    let rest = pointer.strip_prefix("/out/").expect(pointer);
    let Some((name, _)) = rest.split_once('/') else {
        match value {
            Some(value) => drop(out.insert(rest.to_owned(), Output::Value(value.clone()))),
            None => assert!(out.remove(rest).is_some(), "{pointer}"),
        }
        return;
    };
    let output = out.get_mut(name).expect(pointer);
    let mut whole = match &*output {
        Output::Doc(text) => serde_json::from_str(text).unwrap(),
        Output::Value(value) => value.clone(),
        Output::Bytes(_) => panic!("{pointer}"),
    };
    let (parent, last) = rest[name.len()..].rsplit_once('/').unwrap();
    match (whole.pointer_mut(parent).expect(pointer), value) {
        (Value::Object(members), Some(value)) => drop(members.insert(last.to_owned(), value.clone())),
        (Value::Object(members), None) => assert!(members.remove(last).is_some(), "{pointer}"),
        (Value::Array(items), Some(value)) => items[last.parse::<usize>().unwrap()] = value.clone(),
        (Value::Array(items), None) => drop(items.remove(last.parse().unwrap())),
        (other, _) => panic!("{pointer}: {other}"),
    }
    *output = match output {
        Output::Doc(_) => Output::Doc(whole.to_string()),
        _ => Output::Value(whole),
    };
}

fn items() -> Vec<Item> {
    serde_json::from_str(include_str!("lawful.json")).unwrap()
}

#[test]
fn what_is_lawful_leads_to_a_remark_at_most_and_what_a_ruling_forbids_to_no_violation() {
    let corpus = Corpus::load(&Store::embedded());
    let mut wrong = Vec::new();
    for item in items() {
        let judgement = item.judged(corpus.cases.get(&item.case).expect(&item.case));
        let right = match item.behaviour {
            Behaviour::Lawful => judgement.holds(),
            Behaviour::AgainstRuling => judgement.force == Some(Weight::Ruling),
            _ => false,
        };
        if !right {
            wrong.push(format!("{}\n  {:?} {:?}", item.name(), judgement.force, judgement.mismatches));
        }
    }
    assert!(wrong.is_empty(), "{} items:\n{}", wrong.len(), wrong.join("\n"));
}

/// Whatever a lawful answer changes would be a violation if the case bound it by a specification.
#[test]
fn the_force_of_the_case_is_what_makes_it_a_remark() {
    let corpus = Corpus::load(&Store::embedded());
    let mut seen = 0;
    for item in items().iter().filter(|item| item.behaviour == Behaviour::Lawful) {
        let mut case = corpus.cases[&item.case].clone();
        let mismatches = item.judged(&case).mismatches;
        // What a specification has no code for binds by nothing.
        let places = mismatches.iter().map(|mismatch| mismatch.pointer.as_str()).filter(|pointer| *pointer != "/codes");
        let mut forces: BTreeMap<&str, &str> = places.map(|place| (place, "spec")).collect();
        if forces.is_empty() {
            continue;
        }
        forces.insert("/is", "spec");
        case.force = serde_json::from_value::<Forces>(serde_json::to_value(forces).unwrap()).unwrap();
        assert_eq!(item.judged(&case).force, Some(Weight::Spec), "{}", item.name());
        seen += 1;
    }
    assert!(seen >= 15, "{seen} items change something");
}

#[test]
fn every_ruling_that_is_called_so_has_an_item_and_every_item_is_of_such_a_ruling() {
    let store = Store::embedded();
    let (corpus, rulings, items) = (Corpus::load(&store), Rulings::load(&store).unwrap(), items());
    let resting = resting(&rulings, &corpus.cases);
    let listed = |id: &str, behaviour| items.iter().any(|item| item.ruling == id && item.behaviour == behaviour);
    let mut wrong = Vec::new();
    for (_, ruling) in rulings.iter().filter(|(_, ruling)| ruling.excluded.is_none()) {
        // What no case asks cannot be answered in any way.
        if resting.get(ruling.id.as_str()).is_none_or(|resting| resting.law.is_empty()) {
            continue;
        }
        let shown = ruling.behaviours().into_keys();
        let shown = shown.filter(|one| matches!(one, Behaviour::Lawful | Behaviour::AgainstRuling));
        let absent = shown.filter(|one| !listed(&ruling.id, *one));
        wrong.extend(absent.map(|one| format!("{}: no item shows what is {}", ruling.id, one.name())));
    }
    for item in &items {
        let Some((_, ruling)) = rulings.find(&item.ruling) else {
            wrong.push(format!("{}: no such ruling", item.name()));
            continue;
        };
        if !ruling.behaviours().contains_key(&item.behaviour) {
            wrong.push(format!("{}: the ruling calls nothing so", item.name()));
        }
        if !corpus.cases.get(&item.case).is_some_and(|case| named(case).contains(ruling.id.as_str())) {
            wrong.push(format!("{}: no case of that name rests on the ruling", item.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn where_a_text_is_silent_a_ruling_condemns_and_no_specification() {
    let corpus = Corpus::load(&Store::embedded());
    let items: Vec<Item> = serde_json::from_str(include_str!("silent.json")).unwrap();
    let mut wrong = Vec::new();
    for item in items {
        let judgement = item.judged(corpus.cases.get(&item.case).expect(&item.case));
        let decides = |force: &Force| matches!(force, Force::Ruling(id) if *id == item.ruling);
        let right = match item.behaviour {
            Behaviour::Lawful => judgement.force == Some(Weight::Interface),
            _ => {
                let mut forces = judgement.mismatches.iter().filter_map(|mismatch| mismatch.force.as_ref());
                judgement.force == Some(Weight::Ruling) && forces.any(decides)
            }
        };
        if !right {
            wrong.push(format!("{}\n  {:?} {:?}", item.name(), judgement.force, judgement.mismatches));
        }
    }
    assert!(wrong.is_empty(), "{} items:\n{}", wrong.len(), wrong.join("\n"));
}

/// Conventions of ours: the start of an operation's name, a place of its answers.
const CONVENTIONS: [(&str, &str); 14] = [
    ("reply.", "/out/advice"),
    ("reply.", "/out/findings/*/law"),
    ("reply.", "/out/findings/*/pointer"),
    ("reply.", "/out/findings/*/severity"),
    ("reply.", "/out/findings/*/blame"),
    ("episode.verify", "/out/findings"),
    ("episode.verify", "/out/replay_result/type"),
    ("episode.verify", "/out/replay_result/schema_version"),
    ("episode.verify", "/out/replay_result/proof_tier"),
    ("episode.verify", "/out/replay_result/timestamp"),
    ("kernel.audit", "/out/findings/*/pointer"),
    ("kernel.audit", "/out/findings/*/severity"),
    ("kernel.event", "/out/findings/*/law"),
    ("authority.dag", "/out/results/*/error"),
];

/// Members of findings that no convention alone orders; no specification orders them either.
const BELOW_SPEC: (&str, &str) = ("reply.", "/out/findings/*/class");

#[test]
fn conventions_lead_to_a_remark_at_most_in_every_case() {
    let corpus = Corpus::load(&Store::embedded());
    let heaviest = |(op, place): (&str, &str)| {
        let mut weights = Vec::new();
        for case in corpus.cases.values().filter(|case| case.op.starts_with(op)) {
            for expect in case.answers() {
                for pointer in pointers(&expect.node(), place) {
                    let mut answer = asserted(case, expect);
                    let (Answer::Accept { out } | Answer::Reject { out, .. }) = &mut answer else {
                        panic!("{}", case.id)
                    };
                    change(out, &pointer, None);
                    weights.push((judge(case, &answer, &Terms::default()).force, case.id.as_str()));
                }
            }
        }
        weights.into_iter().max().unwrap_or_else(|| panic!("no answer of {op} has {place}"))
    };
    for convention in CONVENTIONS {
        let (weight, id) = heaviest(convention);
        assert!(weight <= Some(Weight::Interface), "{convention:?}: {weight:?} in {id}");
    }
    let (weight, id) = heaviest(BELOW_SPEC);
    assert!(weight < Some(Weight::Spec), "{BELOW_SPEC:?} in {id}");
}

#[test]
fn another_spelling_of_a_document_leads_to_a_remark_in_every_case() {
    let corpus = Corpus::load(&Store::embedded());
    let mut seen = 0;
    for case in corpus.cases.values().filter(|case| case.agreement == Agreement::Exact) {
        for expect in case.answers() {
            let mut answer = asserted(case, expect);
            let (Answer::Accept { out } | Answer::Reject { out, .. }) = &mut answer else { panic!("{}", case.id) };
            for output in out.values_mut() {
                let Output::Doc(text) = output else { continue };
                text.push(' ');
                seen += 1;
            }
            let judgement = judge(case, &answer, &Terms::default());
            assert!(judgement.force <= Some(Weight::Interface), "{}: {:?}", case.id, judgement.mismatches);
        }
    }
    assert!(seen > 1_000, "{seen} documents");
}

#[test]
fn codes_that_no_specification_registers_lead_to_a_remark_at_most_in_every_case() {
    let corpus = Corpus::load(&Store::embedded());
    let mut seen = 0;
    for case in corpus.cases.values() {
        for expect in case.answers() {
            let Answer::Reject { codes, out } = asserted(case, expect) else { continue };
            let mut other: BTreeSet<String> = codes.iter().filter(|code| is_registered(code)).cloned().collect();
            if other.len() == codes.len() {
                continue;
            }
            other.insert("another/name".to_owned());
            let judgement = judge(case, &Answer::Reject { codes: other, out }, &Terms::default());
            assert!(judgement.holds(), "{}: {:?}", case.id, judgement.mismatches);
            seen += 1;
        }
    }
    assert!(seen > 1_000, "{seen} rejections");
}

/// The places of a node that a pattern leads to.
fn pointers(node: &Node, pattern: &str) -> Vec<String> {
    let mut found = vec![(String::new(), node)];
    for step in pattern.split('/').skip(1) {
        found = found.into_iter().flat_map(|(pointer, node)| below(&pointer, node, step)).collect();
    }
    found.into_iter().map(|(pointer, _)| pointer).collect()
}

fn below<'n>(pointer: &str, node: &'n Node, step: &str) -> Vec<(String, &'n Node)> {
    let named: Vec<(String, &Node)> = match node {
        Node::Object(members) => members.iter().map(|(name, node)| (name.clone(), node)).collect(),
        Node::Array(items) => items.iter().enumerate().map(|(index, node)| (index.to_string(), node)).collect(),
        _ => Vec::new(),
    };
    let wanted = named.into_iter().filter(|(name, _)| step == "*" || step == name);
    let child = |name: &str| {
        let mut pointer = pointer.to_owned();
        push(&mut pointer, name);
        pointer
    };
    wanted.map(|(name, node)| (child(&name), node)).collect()
}
