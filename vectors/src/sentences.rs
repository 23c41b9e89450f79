//! The register of sentences: what the specifications ask, sentence by sentence, with the laws and cases that hold it.
//!
//! Contract: `contracts/interface/specs.schema.json`. What a sentence asks and which laws hold it is declared by its place in
//! `contracts/specs`; how many cases that are follows from the corpus. Whether the register is whole is [`Register::faults`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::vector::{
    Agreement, Case, Corpus, DeclaredLaw, Verdict,
    ruling::{Beyond, Document, Documents, Place, Sentence},
};

#[cfg(test)]
mod tests;

/// As many cases that can fail hold a sentence at least; a register that holds it by fewer says why.
pub const ENOUGH: usize = 3;

/// Cases, and those among them that somebody can fail.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub cases: usize,
    /// Those that are to be rejected, or whose outputs are compared.
    pub can_fail: usize,
}

impl Counts {
    fn add(&mut self, case: &Case) {
        self.cases += 1;
        self.can_fail += usize::from(can_fail(case));
    }
}

/// Whether more is asked than to accept.
fn can_fail(case: &Case) -> bool {
    let compared = case.agreement != Agreement::Verdict && !case.expect.out.is_empty();
    case.expect.is == Verdict::Reject || compared
}

/// A law that holds a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// Its slug.
    pub law: String,
    /// Of its cases those that judge the sentence.
    #[serde(flatten)]
    pub counts: Counts,
}

/// One sentence with what holds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The system whose specification has it.
    pub system: String,
    /// Title of the document.
    pub document: String,
    /// Its place.
    pub section: String,
    /// Its number within the place.
    pub n: usize,
    /// What it asks.
    pub says: String,
    /// The laws that hold it.
    pub laws: Vec<Holder>,
    /// The cases of all these laws.
    #[serde(flatten)]
    pub counts: Counts,
    /// Why nothing can judge it: its own reason, or those of its laws where none of them is judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unjudged: Option<String>,
    /// Why so few cases hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thin: Option<String>,
}

impl Row {
    fn new(system: &str, document: &str, section: &str, sentence: &Sentence, corpus: &Corpus) -> Self {
        let laws: Vec<Holder> = sentence.laws.iter().map(|slug| holder(slug, sentence, corpus)).collect();
        let mut counts = Counts::default();
        for holder in &laws {
            counts.cases += holder.counts.cases;
            counts.can_fail += holder.counts.can_fail;
        }
        let reasons: Option<Vec<&str>> =
            sentence.laws.iter().map(|slug| corpus.laws.get(slug)?.unjudged.as_deref()).collect();
        let reasons = reasons.filter(|reasons| !reasons.is_empty()).map(|reasons| reasons.join(" "));
        Self {
            system: system.to_owned(),
            document: document.to_owned(),
            section: section.to_owned(),
            n: sentence.n,
            says: sentence.says.clone(),
            laws,
            counts,
            unjudged: sentence.unjudged.clone().or(reasons),
            thin: sentence.thin.clone(),
        }
    }

    /// Whether some case can judge it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.unjudged.is_none()
    }

    /// Where it stands, for people.
    fn place(&self) -> String {
        format!("{}, {}, sentence {}", self.document, self.section, self.n)
    }
}

fn holder(slug: &str, sentence: &Sentence, corpus: &Corpus) -> Holder {
    let mut counts = Counts::default();
    cases_of(slug, corpus).filter(|case| judges(case, sentence)).for_each(|case| counts.add(case));
    Holder { law: slug.to_owned(), counts }
}

/// The cases of a law.
fn cases_of<'c>(slug: &'c str, corpus: &'c Corpus) -> impl Iterator<Item = &'c Case> {
    let after = corpus.cases.range(format!("{slug}/")..).map(|(_, case)| case);
    after.take_while(move |case| case.law() == slug)
}

/// Whether a case of one of a sentence's laws judges that sentence.
fn judges(case: &Case, sentence: &Sentence) -> bool {
    sentence.cases.is_empty() || sentence.cases.iter().any(|part| fits(case, part))
}

/// Whether a part is one of a case's name; with a slash, of its whole id.
fn fits(case: &Case, part: &str) -> bool {
    let name = case.id.get(case.law().len()..).unwrap_or_default();
    if part.contains('/') { case.id.contains(part) } else { name.contains(part) }
}

/// Every registered sentence of some systems.
#[derive(Debug, Clone, Default)]
pub struct Register {
    /// In the order of the texts.
    pub rows: Vec<Row>,
    /// By system, what no sentence asks for. Every registered system is there.
    pub beyond: BTreeMap<String, Vec<Beyond>>,
    /// By law, all of its cases.
    pub cases: BTreeMap<String, Counts>,
    /// What is wrong with it.
    faults: Vec<String>,
}

impl Register {
    /// Reads the sentences of those systems that have some, and looks for their cases.
    #[must_use]
    pub fn new(files: &[Documents], corpus: &Corpus) -> Self {
        let mut register = Self::default();
        for case in corpus.cases.values() {
            register.cases.entry(case.law().to_owned()).or_default().add(case);
        }
        for file in files {
            let registered = file.documents.iter().filter(|document| document.places.iter().any(is_registered));
            let documents: Vec<&Document> = registered.collect();
            if !documents.is_empty() {
                register.add(&file.system, &documents, &file.beyond, corpus);
            } else if !file.beyond.is_empty() {
                register.faults.push(format!("{}: laws beyond sentences that are not registered", file.system));
            }
        }
        register
    }

    fn add(&mut self, system: &str, documents: &[&Document], beyond: &[Beyond], corpus: &Corpus) {
        let mut named = BTreeSet::new();
        for document in documents {
            for place in &document.places {
                let Some(sentences) = &place.sentences else {
                    self.faults.push(format!("{}, {}: no sentences are registered", document.title, place.section));
                    continue;
                };
                for (at, sentence) in sentences.iter().enumerate() {
                    named.extend(sentence.laws.iter().map(String::as_str));
                    let row = Row::new(system, &document.title, &place.section, sentence, corpus);
                    self.judge(&row, sentence, at + 1, corpus);
                    self.rows.push(row);
                }
            }
        }
        for law in corpus.laws.values().filter(|law| is_due(law, system, documents)) {
            match (named.contains(law.slug.as_str()), beyond.iter().any(|beyond| beyond.law == law.slug)) {
                (false, false) => self.faults.push(format!("{}: no sentence names it", law.slug)),
                (true, true) => self.faults.push(format!("{}: a sentence names it, and it is beyond all", law.slug)),
                _ => {}
            }
        }
        let unknown = beyond.iter().filter(|beyond| !corpus.laws.contains_key(&beyond.law));
        self.faults.extend(unknown.map(|beyond| format!("{system}: no law is called {}", beyond.law)));
        self.beyond.insert(system.to_owned(), beyond.to_vec());
    }

    /// One sentence.
    fn judge(&mut self, row: &Row, sentence: &Sentence, due: usize, corpus: &Corpus) {
        let place = row.place();
        let mut fault = |what: String| self.faults.push(format!("{place}: {what}"));
        if sentence.n != due {
            fault(format!("number {due} is due"));
        }
        match (sentence.laws.is_empty(), &sentence.unjudged) {
            (true, None) => fault("no law holds it, and no reason says why".to_owned()),
            (false, Some(_)) => fault("laws hold it, and a reason says why none does".to_owned()),
            _ => {}
        }
        for holder in &row.laws {
            match corpus.laws.get(&holder.law) {
                None => fault(format!("no law is called {}", holder.law)),
                Some(law) if law.is_judged() && holder.counts.cases == 0 => {
                    fault(format!("no case of {} judges it", holder.law));
                }
                Some(_) => {}
            }
        }
        for part in &sentence.cases {
            let mut cases = sentence.laws.iter().flat_map(|slug| cases_of(slug, corpus));
            if !cases.any(|case| fits(case, part)) {
                fault(format!("no case has {part} in its name"));
            }
        }
        let few = row.is_held() && !row.laws.is_empty() && row.counts.can_fail < ENOUGH;
        match (few, &row.thin) {
            (true, None) => fault(format!("{} cases that can fail hold it, and {ENOUGH} are due", row.counts.can_fail)),
            (false, Some(_)) => fault("it is not thin".to_owned()),
            _ => {}
        }
    }

    /// What is wrong: a law that no sentence names, a sentence without law and without reason, an unknown law, a sentence that
    /// too few cases hold, and what is said of one that is not so.
    #[must_use]
    pub fn faults(&self) -> &[String] {
        &self.faults
    }
}

/// Whether some sentence of these documents owes a law its name: it is one of their system, or cites one of their places.
fn is_due(law: &DeclaredLaw, system: &str, documents: &[&Document]) -> bool {
    let cites = |document: &&Document| {
        document.title == law.spec.document && document.places.iter().any(|place| place.section == law.spec.section)
    };
    law.system() == system || documents.iter().any(cites)
}

fn is_registered(place: &Place) -> bool {
    place.sentences.is_some()
}
