//! What a process takes away from itself before it starts a testee: capabilities, files, network, and more than its limits.
//!
//! Everything here is inherited by what is started afterwards and can be taken back by nobody.

use std::{ffi::OsStr, io, path::Path};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetStatus, Scope, path_beneath_rules,
};
use nix::libc;
use rustix::{
    process::{Resource, Rlimit, getrlimit, setrlimit},
    thread::{CapabilitySet, CapabilitySets, clear_ambient_capability_set, set_capabilities},
};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

use super::{
    view::{DEVICES, PROCESSES},
    wire::Plan,
};
use crate::testee::process::containment::Bounds;

/// The newest rules that are asked for; an older system gives what it has.
const NEWEST: ABI = ABI::V7;

/// The family of sockets of this machine alone.
const AF_UNIX: u64 = 1;

/// The second number of every call on x86-64, for programs with pointers of 32 bits; elsewhere no call has such a number.
const SHORT_POINTERS: i64 = 0x4000_0000;

/// Sets the limits of this process, and so of what it starts.
pub(super) fn limit(plan: &Plan, namespaces: bool) -> io::Result<()> {
    let bounds = Bounds { cpu_s: plan.cpu_s, memory_mb: plan.memory_mb };
    // Without a namespace every process of this user would count, wherever it belongs.
    let processes = namespaces.then_some((Resource::Nproc, PROCESSES, PROCESSES));
    for (resource, soft, hard) in bounds.limits().chain(processes) {
        let own = getrlimit(resource).maximum.unwrap_or(u64::MAX);
        setrlimit(resource, Rlimit { current: Some(soft.min(own)), maximum: Some(hard.min(own)) })?;
    }
    Ok(())
}

/// Gives up every capability: what this process starts has none either.
pub(super) fn disarm() -> io::Result<()> {
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    Ok(set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?)
}

/// Takes away every way to a socket that has a name: neither a read-only file system nor a network of its own keeps a process from
/// one that somebody outside has bound in a folder which can be seen. Keys go too: the system keeps them for the user, beyond every
/// namespace, so that one session would find what another has left. Nothing on a machine whose calls are not known.
fn without_local_sockets() -> io::Result<bool> {
    let Ok(machine) = TargetArch::try_from(std::env::consts::ARCH) else { return Ok(false) };
    let local = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, AF_UNIX);
    let local = local.and_then(|local| SeccompRule::new(vec![local])).map_err(io::Error::other)?;
    // A ring makes sockets by itself.
    let whole = [libc::SYS_io_uring_setup, libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl];
    let refused = whole.map(|call| (call, Vec::new())).into_iter().chain([(libc::SYS_socket, vec![local])]);
    let rules = refused.flat_map(|(call, rules)| [(call, rules.clone()), (call | SHORT_POINTERS, rules)]).collect();
    let refusal = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, machine).map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    seccompiler::apply_filter(&program).map_err(io::Error::other)?;
    Ok(true)
}

/// Whether the count of processes holds: the administrator of the system is held by that of the namespace alone.
pub(super) fn holds_processes(plan: &Plan) -> bool {
    let most = std::fs::read_to_string("/proc/sys/kernel/pid_max").ok().and_then(|text| text.trim().parse().ok());
    !plan.administrator || most == Some(PROCESSES)
}

/// Takes away every file but those of the plan, connections, and new privileges, and names what holds. `scratch` is where it may
/// write.
pub(super) fn restrict(plan: &Plan, scratch: &Path) -> io::Result<Vec<&'static str>> {
    rustix::thread::set_no_new_privs(true)?;
    let (read, all) = (AccessFs::from_read(NEWEST), AccessFs::from_all(NEWEST));
    let open = plan.open.then_some(OsStr::new("/"));
    let readable = plan.readable.iter().map(|path| path.as_os_str()).chain(open);
    let devices = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(|rules| rules.create())
        .and_then(|rules| rules.add_rules(path_beneath_rules(readable, read)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(["/proc"], read)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(DEVICES.iter().skip(1), AccessFs::ReadFile)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(DEVICES.iter().take(1), devices)))
        .and_then(|rules| rules.add_rules(path_beneath_rules([scratch], all)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&plan.writable, all)))
        .and_then(|rules| rules.restrict_self())
        .map_err(io::Error::other)?;
    let mut held = vec!["no-new-privileges"];
    held.extend((status.ruleset != RulesetStatus::NotEnforced).then_some("landlock"));
    held.extend(without_local_sockets()?.then_some("no-local-sockets"));
    Ok(held)
}
