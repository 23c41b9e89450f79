//! The whole of a probe: a process for each revision, the handshake, the tools, and what makes no sense.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::{
    call::{self, Given},
    draft,
    envelope::Envelopes,
    finding::{Asked, Findings, cut},
    plan::{LeftOut, Plan},
    report::{self, CONTRACT, Conversation, Report, Server, Verdict},
    revision::{HANDSHAKE, NOBODY, REVISIONS, STATELESS},
    rules::{Force, Rule},
    session::Session,
    tools::{self, Listed, Tool},
    trials,
    wire::Start,
};

/// What is wanted of a probe.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is called; without it one call of each tool, drafted from its input schema.
    pub plan: Option<Plan>,
    /// Call tools, too, that are not annotated to change nothing.
    pub yes: bool,
    /// Revisions that are asked for.
    pub revisions: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self { plan: None, yes: false, revisions: REVISIONS.map(str::to_owned).to_vec() }
    }
}

/// What a run has gathered.
#[derive(Default)]
struct Run {
    found: Findings,
    envelopes: Envelopes,
    server: Option<Server>,
    conversations: Vec<Conversation>,
    /// What each revision was answered with.
    agreed: BTreeMap<String, String>,
    /// Revisions that were spoken to the end.
    spoken: BTreeSet<String>,
    not_called: BTreeSet<LeftOut>,
    not_judged: BTreeSet<String>,
    incomplete: bool,
}

/// Probes a server.
pub fn probe(start: &mut dyn Start, options: &Options) -> Report {
    let mut run = Run::default();
    let asked = options.revisions.iter().map(String::as_str);
    // A revision of nobody shows how others are negotiated; where no handshake is, it is asked for in passing.
    let nobody = options.revisions.iter().any(|revision| revision.as_str() < STATELESS).then_some(NOBODY);
    for revision in asked.chain(nobody) {
        if start.stopped() {
            run.incomplete = true;
            run.not_judged.insert(format!("{revision}: interrupted"));
            continue;
        }
        run.converse(start, revision, options);
    }
    run.hold_to_offers();
    run.into_report()
}

/// What the tools of a server could be called with, as a plan to be looked through; asked in the newest revision with a handshake.
///
/// # Errors
/// If there is no server that lists tools; the text says why.
pub fn draft(start: &mut dyn Start) -> Result<Plan, String> {
    let mut found = Findings::default();
    let mut session = Session::new(start, HANDSHAKE, &mut found)?;
    let shaken = trials::initialize(&mut session, HANDSHAKE);
    let Some(revision) = shaken.revision else {
        let why = session.over.clone().unwrap_or_else(|| "it agrees to no revision".to_owned());
        let ended = session.end();
        return Err(format!("{why}; {}\n{}", ended.how, ended.stderr).trim_end().to_owned());
    };
    session.agree(&revision);
    session.notify("notifications/initialized");
    session.initialized = true;
    let listed = tools::list(&mut session, shaken.tools);
    drop(session.end());
    match listed.broken_off {
        Some(why) if listed.tools.is_empty() => Err(why),
        _ => Ok(draft::plan(&listed.tools)),
    }
}

impl Run {
    /// One process, from its start to its end.
    fn converse(&mut self, start: &mut dyn Start, revision: &str, options: &Options) {
        let mut conversation = Conversation { asked: revision.to_owned(), ..Conversation::default() };
        // What shows in a revision that is not spoken after all is not held against the server.
        let before = self.found.clone();
        let mut found = std::mem::take(&mut self.found);
        let judged = if revision == NOBODY { HANDSHAKE } else { revision };
        let mut session = match Session::new(start, judged, &mut found) {
            Ok(session) => session,
            Err(why) => {
                (conversation.ended, self.incomplete) = (why, true);
                self.found = before;
                self.conversations.push(conversation);
                return;
            }
        };
        let shaken = if session.is_stateless() {
            trials::discover(&mut session)
        } else {
            trials::initialize(&mut session, revision)
        };
        conversation.note.clone_from(&shaken.why);
        if let Some((name, version)) = shaken.server {
            self.server.get_or_insert(Server { name: cut(&name), version: cut(&version) });
        }
        let unspoken = shaken.revision.is_none() && session.is_stateless();
        if let Some(spoken) = shaken.revision {
            if revision == NOBODY {
                // Nothing more is asked in it, and its transport was looked at in the others.
                session.revision.clone_from(&spoken);
            } else {
                session.agree(&spoken);
            }
            conversation.spoken = Some(spoken.clone());
            self.agreed.insert(revision.to_owned(), spoken.clone());
            if revision == NOBODY {
                conversation.note = Some("asked for its answer alone".to_owned());
            } else if self.spoken.insert(spoken.clone()) {
                self.look(&mut session, start, shaken.tools, options, &mut conversation);
            } else {
                conversation.note = Some(format!("{spoken} was spoken before"));
            }
        }
        let over = session.over.clone().filter(|_| !unspoken || start.stopped());
        let told = session.over_is_told;
        let ended = session.end();
        self.found = if unspoken { before } else { found };
        if over.is_some() || (conversation.spoken.is_none() && !unspoken) {
            conversation.stderr = ended.stderr;
        }
        if let Some(why) = over {
            self.incomplete |= !told;
            conversation.note = Some(why);
        }
        (conversation.ended, conversation.orphans) = (ended.how, ended.orphans);
        self.conversations.push(conversation);
    }

    /// Everything that is asked in one revision.
    fn look(
        &mut self,
        session: &mut Session<'_>,
        start: &dyn Start,
        declared: bool,
        options: &Options,
        told: &mut Conversation,
    ) {
        if !session.is_stateless() {
            trials::ping(session, "ping before notifications/initialized");
            session.notify("notifications/initialized");
        }
        session.initialized = true;
        let listed = tools::list(session, declared);
        told.tools = listed.tools.len();
        self.not_judged.extend(listed.unjudged.iter().cloned());
        if let Some(why) = &listed.broken_off {
            self.incomplete = true;
            self.not_judged.insert(format!("tools/list at {}: {why}", session.revision));
        }
        if !listed.tools.is_empty() || declared {
            self.call_all(session, start, &listed, options, told);
            call::unknown(session, &mut self.envelopes);
            call::malformed(session);
        }
        trials::unknown_method(session);
        trials::notification(session);
        trials::batch(session);
        if session.is_stateless() {
            trials::unspoken(session);
        }
        // Last, since who ends over it could not be asked anything else.
        trials::nonsense(session);
        if start.stopped() {
            self.incomplete = true;
        }
    }

    /// The calls of the plan, and one of each of their tools with arguments that do not pass.
    fn call_all(
        &mut self,
        session: &mut Session<'_>,
        start: &dyn Start,
        listed: &Listed,
        options: &Options,
        told: &mut Conversation,
    ) {
        let drafted;
        let plan = match &options.plan {
            Some(plan) => plan,
            None => {
                drafted = draft::plan(&listed.tools);
                self.not_called.extend(drafted.left_out.iter().cloned());
                &drafted
            }
        };
        let mut named: Vec<(&Tool, &serde_json::Map<String, Value>)> = Vec::new();
        for planned in &plan.calls {
            if start.stopped() {
                return;
            }
            let left_out = |why: &str| LeftOut { tool: cut(&planned.tool), why: why.to_owned() };
            let Some(tool) = listed.tools.iter().find(|tool| tool.name == planned.tool) else {
                self.not_called.insert(left_out(&format!("not listed at {}", session.revision)));
                continue;
            };
            if !tool.read_only && !options.yes {
                self.not_called.insert(left_out("not annotated read-only: --yes calls it"));
                continue;
            }
            let arguments = Value::Object(planned.arguments.clone());
            let passes = tool
                .input
                .as_deref()
                .map_or(Err("it has no usable input schema"), |schema| draft::is_valid(schema, &arguments));
            if let Err(why) = passes {
                self.not_judged.insert(format!("{}: its arguments by its input schema: {why}", cut(&tool.name)));
            }
            let spoiled = (passes == Ok(false)).then_some("as planned, with arguments that do not pass");
            self.call(session, tool, &Given { arguments: &arguments, spoiled }, told);
            if passes == Ok(true) && !named.iter().any(|(known, _)| known.name == tool.name) {
                named.push((tool, &planned.arguments));
            }
        }
        for (tool, sound) in named {
            if let Some((arguments, wrong)) = draft::spoiled(tool, Some(sound)) {
                self.call(session, tool, &Given { arguments: &arguments, spoiled: Some(&wrong) }, told);
            }
        }
    }

    fn call(&mut self, session: &mut Session<'_>, tool: &Tool, given: &Given<'_>, told: &mut Conversation) {
        if let Some(unjudged) = call::call(session, tool, given, &mut self.envelopes) {
            told.calls = told.calls.saturating_add(1);
            self.not_judged.extend(unjudged);
        }
    }

    /// Objects where a revision that is offered in place of another is not spoken when it is asked for.
    fn hold_to_offers(&mut self) {
        for (asked, offered) in &self.agreed {
            if let Some(answer) = self.agreed.get(offered).filter(|answer| *answer != offered) {
                let message = format!(
                    "it is offered where {asked} is asked for, and {answer} in its place where it is asked for itself"
                );
                let asked = Asked::of(&format!("initialize at {offered}"));
                self.found.breach(Rule::VersionNegotiated, offered, &asked, "/result/protocolVersion", &message);
            }
        }
    }

    fn into_report(mut self) -> Report {
        let (answered, carried) = self.envelopes.counts();
        self.not_judged.extend(std::mem::take(&mut self.envelopes.unjudged));
        let unanswered = self.found.has(Rule::Answered);
        let laws = self.envelopes.into_found();
        let omitted = self.found.omitted.saturating_add(laws.omitted);
        let findings: Vec<_> = self.found.into_kept().into_iter().chain(laws.into_kept()).collect();
        // Silence is no opinion of a server; what it did answer is, however the run ended.
        let broken = findings
            .iter()
            .any(|finding| matches!(finding.force, Force::Must | Force::Law) && finding.rule != Rule::Answered.id());
        let verdict = match () {
            () if self.conversations.iter().all(|conversation| conversation.spoken.is_none()) => Verdict::Unusable,
            () if broken => Verdict::Violates,
            () if self.incomplete || unanswered || omitted > 0 => Verdict::Incomplete,
            () => Verdict::Conforms,
        };
        Report {
            contract: CONTRACT,
            server: self.server,
            conversations: self.conversations,
            findings,
            omitted,
            envelopes: report::Envelopes { answered, carried },
            not_called: self.not_called.into_iter().collect(),
            not_judged: self.not_judged.into_iter().collect(),
            verdict,
        }
    }
}
