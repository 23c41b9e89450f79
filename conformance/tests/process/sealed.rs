//! What a sealed testee cannot do, each beside the same testee without a seal, which can.

use std::{
    fs,
    net::TcpListener,
    os::unix::{fs::PermissionsExt as _, net::UnixListener},
    path::Path,
};

use assize::testee::{
    Seal,
    process::{Event, Launch, Process},
};
use assize_corpus::{disk::Folder, vector::Entry};
use tempfile::TempDir;

use super::{LONG, launch, line, soon};

use crate::support::{PYTHON, sealed};

const HARNESS: &str = env!("CARGO_BIN_EXE_assize");

/// A seal by the binary of these tests.
fn seal() -> Seal {
    Seal {
        launcher: HARNESS.into(),
        readable: Vec::new(),
        writable: Vec::new(),
        hidden: vec![HARNESS.into()],
        open: false,
    }
}

/// Whether this system seals.
#[track_caller]
fn seals() -> bool {
    let mut any = launch(&["sh"]);
    any.seal = Some(seal());
    let contained = any.containment();
    sealed(contained.level, contained.missing)
}

/// A folder with a folder `work` in it, where the testee is.
struct Place {
    folder: TempDir,
    seal: Seal,
}

impl Place {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder, seal: seal() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).into_os_string().into_string().unwrap()
    }

    fn python(&self, script: &str, sealed: bool) -> Launch {
        let mut python = launch(&[PYTHON.to_str().unwrap(), "-c", script]);
        python.directory = Some(self.folder.path().join("work"));
        python.seal = sealed.then(|| self.seal.clone());
        python
    }

    fn start(&self, script: &str, sealed: bool) -> Process {
        self.python(script, sealed).start(None).unwrap()
    }

    /// What a script prints without a seal, and what it prints with one.
    #[track_caller]
    fn check(&self, script: &str, free: &str, sealed: &str) {
        for (is_sealed, expected) in [(false, free), (true, sealed)] {
            let mut process = self.start(script, is_sealed);
            let printed = match process.next(soon()) {
                Event::Line(line) => String::from_utf8(line).unwrap(),
                other => panic!("{other:?}: {:?}", process.finish(LONG)),
            };
            assert_eq!(printed, expected, "sealed: {is_sealed}");
            assert_eq!(process.finish(LONG).orphans, [""; 0]);
        }
    }
}

/// A script that tries something, and prints the name of the error if it fails.
fn tries(what: &str) -> String {
    let lines: String = what.lines().map(|line| format!("    {line}\n")).collect();
    format!(
        "import os, socket, subprocess, errno\ntry:\n{lines}    print('done', flush=True)\n\
         except OSError as error: print(errno.errorcode.get(error.errno, error), flush=True)\nos.read(0, 1)"
    )
}

#[test]
fn nothing_is_read_outside_of_what_is_its_own() {
    if !seals() {
        return;
    }
    let place = Place::new();
    for name in ["key", "work/own"] {
        fs::write(place.path(name), "x").unwrap();
    }
    place.check(&tries("open('../key').read()"), "done", "ENOENT");
    place.check(&tries("os.listdir('..')"), "done", "EACCES");
    place.check(&tries("open('own').read()"), "done", "done");
    let own = std::env::var("HOME").unwrap_or_default() + "/.profile";
    for path in ["/etc/shadow", &own, "/var/lib/dpkg/status", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")] {
        // Not every user may read each of these, and not every system has them.
        if fs::File::open(path).is_ok() {
            place.check(&tries(&format!("open({path:?}).read()")), "done", "ENOENT");
        }
    }
}

#[test]
fn what_is_configured_is_read_and_not_written() {
    if !seals() {
        return;
    }
    let mut place = Place::new();
    fs::create_dir(place.path("more")).unwrap();
    fs::write(place.path("more/file"), "x").unwrap();
    place.seal.readable.push(place.path("more").into());
    place.check(&tries("open('../more/file').read()"), "done", "done");
    place.check(&tries("open('../more/new', 'w')"), "done", "EROFS");
    assert_eq!(place.python("", true).containment().readable, [place.path("more")]);
    place.seal.readable.push("/".into());
    let contained = place.python("", true).containment();
    assert_eq!((contained.level, contained.missing.as_slice()), ("partly", ["closed-reading"].as_slice()));
}

#[test]
fn what_is_hidden_is_not_read_even_in_its_own_folder() {
    if !seals() {
        return;
    }
    let mut place = Place::new();
    fs::create_dir(place.path("work/corpus")).unwrap();
    for name in ["work/key", "work/corpus/case", "work/tool"] {
        fs::write(place.path(name), "#!/bin/sh\n").unwrap();
    }
    fs::set_permissions(place.path("work/tool"), fs::Permissions::from_mode(0o755)).unwrap();
    place.seal.hidden = ["work/key", "work/corpus", "work/tool"].map(|name| place.path(name).into()).into();
    place.check(&tries("print(len(open('key').read()))"), "10", "0");
    place.check(&tries("print(os.listdir('corpus'))"), "['case']", "[]");
    place.check(&tries("subprocess.run(['./tool'])"), "done", "EACCES");
}

#[test]
fn the_harness_is_neither_read_nor_run() {
    if !seals() {
        return;
    }
    let mut place = Place::new();
    let run = tries(&format!("subprocess.run([{HARNESS:?}, '--version'], stdout=subprocess.DEVNULL)"));
    place.check(&run, "done", "ENOENT");
    // Even where its folder is readable.
    place.seal.readable.push(Path::new(HARNESS).parent().unwrap().into());
    place.check(&run, "done", "EACCES");
    let read = tries(&format!("print(len(open({HARNESS:?}, 'rb').read(4)))"));
    place.check(&read, "4", "0");
}

#[test]
fn no_process_but_its_own_can_be_seen() {
    if !seals() {
        return;
    }
    let place = Place::new();
    let count = "print(len([name for name in os.listdir('/proc') if name.isdigit()]) > 3)";
    place.check(&tries(count), "True", "False");
    let parent = |file: &str| tries(&format!("open('/proc/%d/{file}' % os.getppid(), 'rb').read(1)"));
    for file in ["cmdline", "environ", "maps", "auxv", "stat"] {
        place.check(&parent(file), "done", "ENOENT");
    }
    place.check(&tries("os.readlink('/proc/%d/exe' % os.getppid())"), "done", "ENOENT");
    place.check(&tries("os.listdir('/proc/%d/fd' % os.getppid())"), "done", "ENOENT");
    let status = "print([line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapEff', 'CapPrm', 'NoNewPrivs'))])";
    let mut process = place.start(&tries(status), true);
    assert_eq!(line(&mut process), "['0000000000000000', '0000000000000000', '1']");
}

#[test]
fn no_network_can_be_reached() {
    if !seals() {
        return;
    }
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    place.check(&tries(&format!("socket.create_connection(('127.0.0.1', {port}))")), "done", "EACCES");
    // Where landlock has no rule, the namespace has no way.
    let datagram = "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))";
    place.check(&tries(datagram), "done", "ENETUNREACH");
    let _listener = UnixListener::bind(place.path("socket")).unwrap();
    place.check(&tries("socket.socket(socket.AF_UNIX).connect('../socket')"), "done", "EPERM");
    // A folder that it reads shows the socket too.
    let _own = UnixListener::bind(place.path("work/socket")).unwrap();
    place.check(&tries("socket.socket(socket.AF_UNIX).connect('socket')"), "done", "EPERM");
    // What belongs to nobody else is left.
    place.check(&tries("socket.socketpair()"), "done", "done");
}

/// A system in a container may refuse them to everybody, so that nothing is said of a testee without a seal.
#[test]
fn no_key_is_kept_for_another_session() {
    if !seals() {
        return;
    }
    let place = Place::new();
    let call = |on_x86: u32, elsewhere: u32, arguments: &str| {
        tries(&format!(
            "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n\
             number = {on_x86} if os.uname().machine == 'x86_64' else {elsewhere}\n\
             if libc.syscall(number, {arguments}) < 0: raise OSError(ctypes.get_errno(), '')"
        ))
    };
    // To add a key to that of the session, to look for one, and to ask for the keyring itself.
    for script in [
        call(248, 217, "b'user', b'assize', b'x', 1, -3"),
        call(249, 218, "b'user', b'assize', None, 0"),
        call(250, 219, "0, -3, 1"),
    ] {
        assert_eq!(line(&mut place.start(&script, true)), "EPERM", "{script}");
    }
}

#[test]
fn nothing_is_written_but_scratch_and_cases() {
    if !seals() {
        return;
    }
    let place = Place::new();
    fs::write(place.path("work/own"), "x").unwrap();
    fs::write(place.path("outside"), "x").unwrap();
    place.check(&tries("open('new', 'w')"), "done", "EROFS");
    place.check(&tries("os.chmod('own', 0o700)"), "done", "EROFS");
    place.check(&tries("os.utime('own')"), "done", "EROFS");
    place.check(&tries("open('../outside', 'a')"), "done", "EROFS");
    let shared = tempfile::NamedTempFile::new().unwrap();
    let path = shared.path().to_str().unwrap();
    place.check(&tries(&format!("open({path:?}, 'a')")), "done", "EROFS");
    for free in ["open(os.path.join(os.environ['TMPDIR'], 'x'), 'w').write('x')", "open('/dev/null', 'w').write('x')"] {
        place.check(&tries(free), "done", "done");
    }
    assert!(fs::read_dir(place.path("work")).unwrap().count() == 2, "the free one has written there");
}

#[test]
fn a_folder_of_a_case_is_shared_with_the_harness() {
    if !seals() {
        return;
    }
    let place = Place::new();
    let script = "import sys\nfor line in sys.stdin:\n  path = line.strip()\n  print(open(path + '/a').read(), flush=True)\n  open(path + '/b', 'w').write('y')\n  print('', flush=True)";
    let mut process = place.start(script, true);
    let below = process.below().unwrap().clone();
    let text = Entry::File(assize_corpus::vector::Document::Text("x".to_owned()));
    let folder = Folder::create_below(&[("a".to_owned(), text)].into(), &below).unwrap();
    process.send(folder.path().to_str().unwrap().into());
    assert_eq!([line(&mut process), line(&mut process)], ["x", ""]);
    let name = folder.path().file_name().unwrap();
    assert_eq!(fs::read(below.here.join(name).join("b")).unwrap(), b"y");
    // It cannot be seen where the testee sees it.
    assert!(!folder.path().exists());
    folder.remove().unwrap();
    assert_eq!(process.finish(LONG).described, "exit code 0");
}

#[test]
fn scratch_has_a_size() {
    if !seals() {
        return;
    }
    let place = Place::new();
    let fill = "with open(os.path.join(os.environ['TMPDIR'], 'x'), 'wb') as file: os.posix_fallocate(file.fileno(), 0, 600 << 20)";
    place.check(&tries(fill), "done", "ENOSPC");
}

#[test]
fn processes_have_a_number() {
    if !seals() {
        return;
    }
    let place = Place::new();
    let bomb = "import signal\nn = 0\ntry:\n    while n < 1100:\n        if os.fork() == 0: signal.pause()\n        n += 1\nexcept OSError: pass\nprint(n < 1100, flush=True)";
    for (sealed, expected) in [(false, "False"), (true, "True")] {
        let mut process = place.start(&tries(bomb), sealed);
        assert_eq!(line(&mut process), expected);
        let _ = process.kill();
    }
}

#[test]
fn nothing_outlives_it() {
    if !seals() {
        return;
    }
    let place = Place::new();
    // Everything that a process is known by is gone before the first look.
    let script = "import os, sys, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        os.execve('/bin/sleep', ['sleep', '125000'], {})\n    os._exit(0)\nos.wait()\nprint('left', flush=True)\nsys.stdin.read()";
    let python = place.python(script, true);
    let mut process = python.start(None).unwrap();
    assert_eq!(line(&mut process), "left");
    let sleeps = || {
        let all = fs::read_dir("/proc").unwrap().flatten();
        let line = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).ok();
        all.filter_map(line).filter(|line| line == b"sleep\x00125000\x00").count()
    };
    while sleeps() == 0 {
        std::thread::yield_now();
    }
    let ended = process.finish(LONG);
    assert_eq!(
        (ended.orphans, ended.described.as_str(), sleeps()),
        (vec!["sleep 125000".to_owned()], "exit code 0", 0)
    );
    let mut process = python.start(None).unwrap();
    assert_eq!(line(&mut process), "left");
    drop(process);
    assert_eq!(sleeps(), 0);
}

#[test]
fn the_end_is_told_as_without_a_seal() {
    if !seals() {
        return;
    }
    for (script, described) in [
        ("exit 0", "exit code 0"),
        ("exit 3", "exit code 3"),
        ("kill -SEGV $$", "signal 11 (SIGSEGV)"),
        ("kill -KILL $$", "signal 9 (SIGKILL)"),
        ("trap '' TERM; kill -TERM 0; kill -KILL 0", "signal 9 (SIGKILL)"),
        ("kill -KILL -1; exit 5", "exit code 5"),
    ] {
        let mut shell = launch(&["sh", "-c", script]);
        shell.seal = Some(seal());
        let ended = shell.start(None).unwrap().finish(LONG);
        assert_eq!((ended.described.as_str(), ended.orphans.len()), (described, 0), "{script}");
    }
    let mut shell = launch(&["sh", "-c", "exec >&-; echo closed >&2; read x"]);
    shell.seal = Some(seal());
    let mut process = shell.start(None).unwrap();
    assert_eq!(process.next(soon()), Event::Eof, "the output ends with the testee's, whoever else lives");
    let ended = process.finish(LONG);
    assert_eq!((ended.described.as_str(), ended.stderr.as_str()), ("exit code 1", "closed\n"));
    let mut shell = launch(&["sh", "-c", "echo $$; while :; do sleep 1; done"]);
    shell.seal = Some(seal());
    let mut process = shell.start(None).unwrap();
    line(&mut process);
    let ended = process.kill();
    assert_eq!((ended.described.as_str(), ended.status, ended.orphans.len()), ("killed by the harness", None, 0));
}

#[test]
fn limits_hold_from_the_first_instruction() {
    if !seals() {
        return;
    }
    let mut busy = launch(&["sh", "-c", "ulimit -f; ulimit -c; while :; do :; done"]);
    (busy.seal, busy.cpu_s) = (Some(seal()), Some(1));
    let mut process = busy.start(None).unwrap();
    assert_eq!([line(&mut process), line(&mut process)], ["2097152", "0"]);
    assert_eq!(process.next(soon()), Event::Eof);
    assert_eq!(process.finish(LONG).described, "signal 24 (SIGXCPU: the limit on CPU time)");
}

#[test]
fn what_cannot_start_says_why_as_without_a_seal() {
    if !seals() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let tool = folder.path().join("tool");
    fs::write(&tool, "#!/no/such/interpreter\n").unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    let mut sealed = launch(&[tool.to_str().unwrap()]);
    let free = sealed.start(None).unwrap_err().to_string();
    sealed.seal = Some(seal());
    assert_eq!(sealed.start(None).unwrap_err().to_string(), free);
}

#[test]
fn sealed_sessions_leave_no_process_and_no_folder() {
    if !seals() {
        return;
    }
    let begun = std::time::Instant::now();
    for _ in 0..20 {
        let mut cat = launch(&["cat"]);
        cat.seal = Some(seal());
        let mut process = cat.start(None).unwrap();
        process.send(b"x".to_vec());
        assert_eq!(line(&mut process), "x");
        let scratch = process.scratch().to_owned();
        assert!(!scratch.exists(), "it lies in a file system of the testee's own");
        assert_eq!(process.finish(LONG).described, "exit code 0");
        assert!(!scratch.parent().unwrap().exists());
    }
    println!("{:.1} ms for a sealed start and an end", begun.elapsed().as_secs_f64() * 50.0);
    // Those of other tests that run at the same time go away. A testee whose harness another test has killed comes to this process
    // for ever, since it takes orphans; it runs Python, and here nobody does.
    let own = std::process::id().to_string();
    let left = |entry: &fs::DirEntry| {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let (name, fields) = stat.rsplit_once(") ").unwrap_or_default();
        !name.contains("(python") && fields.split(' ').take(2).eq(["Z", own.as_str()])
    };
    let dead: Vec<_> = fs::read_dir("/proc").unwrap().flatten().filter(left).collect();
    // Minutes: how long another test holds what has ended says nothing.
    for _ in 0..600_000 {
        if !dead.iter().any(left) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let dead = dead.iter().filter(|entry| left(entry)).map(|entry| fs::read_to_string(entry.path().join("stat")));
    panic!("{:?} were not reaped", dead.collect::<Vec<_>>());
}
