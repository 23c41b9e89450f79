//! `assize laws --force`: with what right the cases of each law bind.

use assize::{
    catalogue::{self, LawEntry},
    exit::Exit,
};
use assize_corpus::{
    agreement::is_registered,
    lint::accepted,
    node::{Node, push},
    operation,
    store::Store,
    vector::{Agreement, Bound, Case, Force},
};
use serde::Serialize;
use serde_json::json;

use super::{CliError, Format, output, unknown};

/// Parts of one sort, by force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
struct Counts {
    spec: usize,
    ruling: usize,
    permitted: usize,
    interface: usize,
}

impl Counts {
    fn add(&mut self, force: &Force) {
        *match force {
            Force::Spec(_) => &mut self.spec,
            Force::Ruling(_) => &mut self.ruling,
            Force::Permitted => &mut self.permitted,
            Force::Interface => &mut self.interface,
        } += 1;
    }

    fn shown(self) -> String {
        format!("{}/{}/{}/{}", self.spec, self.ruling, self.permitted, self.interface)
    }

    fn plus(self, other: Self) -> Self {
        Self {
            spec: self.spec + other.spec,
            ruling: self.ruling + other.ruling,
            permitted: self.permitted + other.permitted,
            interface: self.interface + other.interface,
        }
    }
}

/// One law.
#[derive(Debug, Clone, Default, Serialize)]
struct Row {
    slug: String,
    cases: usize,
    /// One of each case.
    verdicts: Counts,
    /// Every leaf of every expected output.
    outputs: Counts,
    /// One of each case that is rejected.
    codes: Counts,
    /// Cases whose verdict a specification orders and that have a twin.
    spec_with_twin: usize,
}

impl Row {
    fn add(&mut self, case: &Case) {
        let operation = operation::table().find(&case.op);
        let bound = Bound::new(&case.force, operation.map(|operation| &operation.force));
        self.cases += 1;
        self.verdicts.add(&case.force.verdict);
        let ordered = case.force.iter().any(|force| matches!(force, Force::Spec(_)));
        self.spec_with_twin += usize::from(ordered && (case.twin.is_some() || !accepted(case)));
        if case.agreement == Agreement::Verdict {
            return;
        }
        if !case.expect.codes.is_empty() {
            let registered = case.expect.codes.iter().any(|code| is_registered(code));
            self.codes.add(if registered { &case.force.verdict } else { &Force::Interface });
        }
        for (name, expected) in &case.expect.out {
            let mut pointer = "/out".to_owned();
            push(&mut pointer, name);
            self.leaves(bound, &mut pointer, &expected.node);
        }
    }

    fn leaves(&mut self, bound: Bound<'_>, pointer: &mut String, node: &Node) {
        let length = pointer.len();
        match node {
            Node::Object(members) if !members.is_empty() => {
                for (name, member) in members {
                    push(pointer, name);
                    self.leaves(bound, pointer, member);
                    pointer.truncate(length);
                }
            }
            Node::Array(items) if !items.is_empty() => {
                for (index, item) in items.iter().enumerate() {
                    push(pointer, &index.to_string());
                    self.leaves(bound, pointer, item);
                    pointer.truncate(length);
                }
            }
            _ => self.outputs.add(bound.at(pointer)),
        }
    }
}

pub(super) fn run(store: &Store, laws: &[LawEntry], slug: Option<&str>, format: Format) -> Result<Exit, CliError> {
    let corpus = catalogue::corpus(store);
    if let Some(error) = corpus.errors.first() {
        return Err(CliError::unreadable(error, "`assize vectors check` says more"));
    }
    let mut rows: Vec<Row> = Vec::new();
    for law in laws.iter().filter(|law| law.unjudged.is_none() && slug.is_none_or(|slug| law.slug == slug)) {
        let mut row = Row { slug: law.slug.clone(), ..Row::default() };
        law.cases.iter().filter_map(|id| corpus.cases.get(id)).for_each(|case| row.add(case));
        rows.push(row);
    }
    if let (Some(slug), true) = (slug, rows.is_empty()) {
        return Err(unknown(slug, laws.iter().map(|law| law.slug.as_str())));
    }
    match format {
        Format::Json => output::json(&json!({"laws": rows}))?,
        Format::Human => output::say(&human(&rows))?,
    }
    Ok(Exit::Conforms)
}

fn human(rows: &[Row]) -> String {
    let cells = |row: &Row| {
        let counts = [row.verdicts, row.outputs, row.codes].map(Counts::shown);
        let [verdicts, outputs, codes] = counts;
        [row.slug.clone(), row.cases.to_string(), verdicts, outputs, codes, row.spec_with_twin.to_string()]
    };
    let total = rows.iter().fold(Row { slug: "total".to_owned(), ..Row::default() }, |sum, row| Row {
        slug: sum.slug,
        cases: sum.cases + row.cases,
        verdicts: sum.verdicts.plus(row.verdicts),
        outputs: sum.outputs.plus(row.outputs),
        codes: sum.codes.plus(row.codes),
        spec_with_twin: sum.spec_with_twin + row.spec_with_twin,
    });
    let mut text = output::table(
        ["law", "cases", "verdicts", "outputs", "codes", "with twin"],
        rows.iter().chain([&total]).map(cells),
    );
    text.push_str(
        "\nspec/ruling/permitted/interface; `with twin`: cases with a part that a specification orders, and a twin\n",
    );
    text
}
