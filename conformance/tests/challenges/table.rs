//! Two testees that know the whole corpus by heart: one looks up what it is asked, one normalises it before.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::LazyLock,
    time::Duration,
};

use assize::{
    exit::Exit,
    laps::Laps,
    protocol::{Introduction, Limits},
    report::{
        FailOn, Form, Paint, Run,
        sum::{Found, sum},
        write,
    },
    runner::{self, Plan},
    selection::{Selection, belongs},
    suite::Suite,
    testee::{Driver, Item, Response, TransportKind, Unusable},
};
use assize_corpus::{
    agreement::{Outcome, Terms, asserted, judge},
    challenge::{Count, challenge_set, is_challenge},
    node::Node,
    operation::{self, Level},
    store::Store,
    testee::{Answer, Output},
    vector::{Case, Corpus, Entry, Weight},
};

static CORPUS: LazyLock<Corpus> = LazyLock::new(|| Corpus::load(&Store::embedded()));

/// A table of the whole corpus, by operation and input.
struct Table {
    normalises: bool,
    /// The answer to each question, with the texts that were numbered in it.
    answers: BTreeMap<String, (Answer, Vec<String>)>,
}

impl Table {
    fn new(normalises: bool) -> Self {
        let mut table = Self { normalises, answers: BTreeMap::new() };
        for case in CORPUS.cases.values() {
            let (key, texts) = table.key(case);
            table.answers.insert(key, (asserted(case, &case.expect), texts));
        }
        table
    }

    /// What of a question is looked up, and the texts for which it holds numbers.
    fn key(&self, case: &Case) -> (String, Vec<String>) {
        let mut texts = Texts::default();
        let mut key = case.op.clone();
        let mut add = |name: &str, octets: &[u8]| {
            let content = if self.normalises { texts.normal(octets) } else { format!("{name} {octets:?}") };
            key += &format!("\n{content}");
        };
        // A run's id among the arguments is an id too.
        for (name, value) in case.args.iter().filter(|(name, _)| !self.normalises || *name != "run_id") {
            add(name, value.to_string().as_bytes());
        }
        for (name, document) in &case.inputs {
            add(name, &document.bytes());
        }
        for (path, entry) in &case.files {
            match entry {
                Entry::File(document) => add(path, &document.bytes()),
                other => add(path, format!("{other:?}").as_bytes()),
            }
        }
        (key, texts.seen)
    }

    fn answer(&self, case: &Case) -> Answer {
        let (key, texts) = self.key(case);
        let Some((answer, known)) = self.answers.get(&key) else { return Answer::accept::<String>([]) };
        // What stood in the place of a text then stands for the text that is there now.
        let texts: BTreeMap<&str, &str> =
            known.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        let mut answer = answer.clone();
        let (Answer::Accept { out } | Answer::Reject { out, .. }) = &mut answer else { return answer };
        for output in out.values_mut() {
            match output {
                Output::Doc(text) => {
                    if let Ok(node) = Node::parse(text) {
                        *text = replaced(&node, &texts).canonical();
                    }
                }
                Output::Value(value) => {
                    let node = replaced(&Node::from(&*value), &texts);
                    *value = serde_json::from_str(&node.canonical()).unwrap();
                }
                Output::Bytes(_) => {}
            }
        }
        answer
    }
}

/// Texts that look like ids, in the order in which they are seen.
#[derive(Default)]
struct Texts {
    seen: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Texts {
    /// A document without order of members, escapes and white space, and with a number for each id.
    fn normal(&mut self, octets: &[u8]) -> String {
        match std::str::from_utf8(octets).ok().and_then(|text| Node::parse(text).ok()) {
            Some(node) => self.numbered(&node).canonical(),
            None => format!("{octets:?}"),
        }
    }

    fn numbered(&mut self, node: &Node) -> Node {
        match node {
            // Short words of a specification are kept, or every table would take all documents of one shape for one.
            Node::Text(text) if text.bytes().any(|octet| octet == b'-' || octet.is_ascii_digit()) => {
                let next = self.seen.len();
                let place = *self.places.entry(text.clone()).or_insert(next);
                if place == next {
                    self.seen.push(text.clone());
                }
                Node::Text(format!("#{place}"))
            }
            Node::Array(items) => Node::Array(items.iter().map(|item| self.numbered(item)).collect()),
            Node::Object(members) => {
                Node::Object(members.iter().map(|(name, node)| (name.clone(), self.numbered(node))).collect())
            }
            other => other.clone(),
        }
    }
}

fn replaced(node: &Node, texts: &BTreeMap<&str, &str>) -> Node {
    match node {
        Node::Text(text) => Node::Text(texts.get(text.as_str()).map_or_else(|| text.clone(), |now| (*now).to_owned())),
        Node::Array(items) => Node::Array(items.iter().map(|item| replaced(item, texts)).collect()),
        Node::Object(members) => {
            Node::Object(members.iter().map(|(name, node)| (name.clone(), replaced(node, texts))).collect())
        }
        other => other.clone(),
    }
}

/// Operations with so few questions that a table can know them all: what they decide is a finite function.
const FINITE: [&str; 1] = ["sovereign.deny_code"];

/// Either table passes the corpus, and fails by specifications on every seed; no level is held, and whichever
/// operation is asked alone, some of its challenges are answered wrongly. Without being asked for more, a set is the beginning of the one that a run of the same seed adds, and levels are left out.
#[test]
fn a_table_of_the_corpus_fails_on_every_seed() {
    let asked: Option<usize> = std::env::var("ASSIZE_CHALLENGE_SEEDS").ok().map(|count| count.parse().unwrap());
    let (seeds, count, sample) = asked.map_or((5, Count::Each(2), 23), |seeds| (seeds, Count::Fifth, 1));
    let tables = [("as asked", Table::new(false)), ("normalised", Table::new(true))];
    for (name, table) in &tables {
        let some: Vec<&Case> = CORPUS.cases.values().step_by(sample).collect();
        let passes = |case: &&&Case| judge(case, &table.answer(case), &Terms::default()).holds();
        let known = some.iter().filter(passes).count();
        println!("{name}: passes {known} of {} cases of the corpus", some.len());
        assert!(known * 100 > some.len() * 85, "{name}: the table passes {known} of {}", some.len());
    }
    let mut least = [usize::MAX; 2];
    let mut counted = BTreeMap::<String, [usize; 3]>::new();
    for seed in 0..seeds {
        let set = challenge_set(&CORPUS, &seed.to_string(), count);
        for challenge in &set {
            counted.entry(challenge.case.op.clone()).or_default()[2] += 1;
        }
        for (number, ((name, table), least)) in tables.iter().zip(&mut least).enumerate() {
            let judged = set.iter().map(|challenge| &challenge.case);
            let judged = judged.map(|case| (case, judge(case, &table.answer(case), &Terms::default())));
            let wrong: Vec<_> = judged.filter(|(_, judgement)| judgement.outcome != Outcome::Pass).collect();
            for (case, _) in &wrong {
                counted.entry(case.op.clone()).or_default()[number] += 1;
            }
            let held = |level: &&Level| !wrong.iter().any(|(case, _)| belongs(level, case));
            let held: Vec<&str> =
                operation::table().levels.iter().filter(held).map(|level| level.name.as_str()).collect();
            assert!(held.is_empty() || asked.is_none(), "{name}, seed {seed}: holds {held:?}");
            let failed = wrong.iter().filter(|(_, judgement)| judgement.force == Some(Weight::Spec)).count();
            *least = failed.min(*least);
            assert!(failed * 10 > set.len(), "{name}, seed {seed}: {failed} of {} fail by a specification", set.len());
        }
    }
    // Of what few challenges were made of, chance may have chosen those alone that only spell a case otherwise.
    let known = |(_, [as_asked, normalised, all]): &(&String, &[usize; 3])| {
        (*as_asked == 0 || *normalised == 0) && (asked.is_some() || *all >= 10)
    };
    let known: Vec<_> = counted.iter().filter(|(op, _)| !FINITE.contains(&op.as_str())).filter(known).collect();
    assert!(known.is_empty(), "known by heart (wrong as asked, wrong normalised, of): {known:?}");
    println!("{seeds} seeds: at least {} as asked and {} normalised fail by a specification", least[0], least[1]);
}

impl Driver for Table {
    fn kind(&self) -> TransportKind {
        TransportKind::InProcess
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        Ok(Introduction::built_in())
    }

    fn run(&self, batch: &[Item<'_>], _: &'static str, respond: &mut dyn FnMut(usize, Response, Duration)) {
        for (place, item) in batch.iter().enumerate() {
            respond(place, Response::Answer(self.answer(item.case)), Duration::ZERO);
        }
    }

    fn tapped(&self, _: bool) -> io::Result<Box<dyn Driver + '_>> {
        Err(io::Error::other("no controls are made here"))
    }
}

/// A run of a table does not conform. Every report names the challenges that fail, each with the command that asks it again: with its
/// seed and, in the name, its relation.
#[test]
fn a_failing_challenge_is_named_in_every_report() {
    let mut suite = Suite::load(&Store::embedded()).unwrap();
    let selection = Selection { levels: vec!["canonical-form-rfc8785".to_owned()], ..Selection::default() };
    suite.challenge("77", Some(3), &selection);
    let plan = Plan { seed: 77, jobs: 1, certifying: false, terms: Terms::default() };
    let table = Table::new(false);
    let who = table.introduce().unwrap();
    let ran = runner::run(&suite, &selection, &table, &who, &plan, &|_| {}, &Laps::default());
    let report = sum(Found {
        suite: &suite,
        selection: selection.stated(),
        introduction: Some(who),
        seed: plan.seed,
        limits: Limits::default(),
        certifying: false,
        interrupted: false,
        unusable: None,
        short: None,
        silent: Vec::new(),
        results: ran.results,
        expectations: None,
        tally: ran.tally,
        probes: ran.probes,
        fail_on: FailOn::Spec,
        without: BTreeSet::new(),
        unstable: ran.unstable,
        run: Run::default(),
    });
    assert_eq!(report.exit, Exit::Violates);
    let failed: Vec<&str> = report.result.failures.iter().map(|failure| failure.id.as_str()).collect();
    assert!(failed.len() > 3 && failed.iter().all(|id| is_challenge(id)), "{failed:?}");
    let challenges = report.result.challenges.as_ref().unwrap();
    assert_eq!((challenges.seed.as_str(), challenges.each), ("77", Some(3)));
    for form in [Form::Text, Form::Json, Form::Junit, Form::Tap, Form::Markdown, Form::Html] {
        let text = String::from_utf8(write(&report, &suite, form, Paint::Plain).unwrap()).unwrap();
        let text = text.replace("&#x2f;", "/");
        for id in &failed {
            assert!(text.contains(id), "{form:?}: {id}");
        }
        assert!(form == Form::Json || text.contains("--seed 77"), "{form:?}");
    }
}
