//! What a testee sees of the system: a root of its own, in which nothing lies but what it may read and its scratch folder.
//!
//! Contract: `contracts/interface/protocol.md`, Containment. Everything here happens in a mount namespace that ends with the
//! session. Each path keeps its name, and links stay links, so that a program finds its files where it expects them.

use std::{
    collections::{BTreeSet, VecDeque},
    ffi::CString,
    fs, io,
    os::unix::fs::{DirBuilderExt as _, symlink},
    path::{Component, Path, PathBuf},
};

use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive};

use super::wire::Plan;

/// The most that a testee may keep in its scratch folder and the folders of its cases, in bytes.
pub(super) const SCRATCH: u64 = 512 << 20;
/// The most files and folders there.
const ENTRIES: u64 = 1 << 16;
/// Processes and threads that one session may have.
pub(super) const PROCESSES: u64 = 1024;
/// Links that are followed on one path; the system follows no more either.
const LINKS: usize = 40;
/// Devices that every program may expect.
pub(super) const DEVICES: [&str; 3] = ["/dev/null", "/dev/zero", "/dev/urandom"];

/// Where temporary files go, below the scratch folder.
pub(crate) const TEMPORARY: &str = "tmp";
/// Where folders of cases are made, below the scratch folder.
pub(crate) const CASES: &str = "cases";

/// Puts the view together and moves into it; what lay outside is out of reach from then on.
pub(super) fn enter(plan: &Plan) -> io::Result<()> {
    // What is mounted here must not be seen outside, and what is mounted outside later must not be seen here.
    rustix::mount::mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    let scratch = Path::new(&plan.scratch);
    let mut view = View { root: scratch.to_owned(), bound: BTreeSet::new() };
    if plan.open {
        mount_bind_recursive("/", &view.root)?;
        view.bound.insert("/".into());
    } else {
        tmpfs(&view.root, "mode=0755,size=1m")?;
        for path in DEVICES.iter().map(Path::new).chain(plan.readable.iter().map(Path::new)) {
            view.show(path, false)?;
        }
        for (name, to) in [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")] {
            symlink(to, view.at(&Path::new("/dev").join(name)))?;
        }
    }
    let proc = view.folder(Path::new("/proc"))?;
    let plain = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    // Nobody is listed but who may be read: not even process 1.
    mount("proc", &proc, "proc", plain, c"hidepid=4")?;
    let own = view.folder(scratch)?;
    tmpfs(&own, &format!("mode=0700,size={SCRATCH},nr_inodes={ENTRIES}"))?;
    for name in [TEMPORARY, CASES] {
        fs::DirBuilder::new().mode(0o700).create(own.join(name))?;
    }
    for path in &plan.writable {
        view.show(Path::new(path), true)?;
    }
    for path in &plan.hidden {
        view.hide(Path::new(path))?;
    }
    // A count of processes that holds the administrator too; systems that count for the whole machine refuse.
    let _ = fs::write(proc.join("sys/kernel/pid_max"), PROCESSES.to_string());
    let written: Vec<PathBuf> = plan.writable.iter().map(|path| view.at(Path::new(path))).chain([own]).collect();
    view.close(&written)?;
    rustix::process::chdir(&view.root)?;
    // The old root lands on top of the new one, and goes.
    rustix::process::pivot_root(".", ".")?;
    rustix::mount::unmount(".", UnmountFlags::DETACH)?;
    rustix::process::chdir("/").map_err(io::Error::from)
}

fn tmpfs(at: &Path, options: &str) -> io::Result<()> {
    let options = CString::new(options).map_err(io::Error::other)?;
    Ok(mount("tmpfs", at, "tmpfs", MountFlags::NOSUID | MountFlags::NODEV, options.as_c_str())?)
}

struct View {
    /// Where the new root lies before it is one.
    root: PathBuf,
    /// What has been bound, by its real path.
    bound: BTreeSet<PathBuf>,
}

impl View {
    /// The place of a path in the new root.
    fn at(&self, path: &Path) -> PathBuf {
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }

    fn is_bound(&self, path: &Path) -> bool {
        path.ancestors().any(|above| self.bound.contains(above))
    }

    /// A folder of the new root, made where it is not there yet.
    fn folder(&self, path: &Path) -> io::Result<PathBuf> {
        let at = self.at(path);
        fs::create_dir_all(&at)?;
        Ok(at)
    }

    /// Shows a file or a folder with all below it, and every link on the way. What is not there is left out. One that can be seen
    /// already is shown once more if it is to be one `apart`.
    fn show(&mut self, path: &Path, apart: bool) -> io::Result<()> {
        let mut left: VecDeque<PathBuf> = parts(path);
        let (mut real, mut links) = (PathBuf::from("/"), 0);
        while let Some(name) = left.pop_front() {
            if name.as_os_str() == ".." {
                real.pop();
                continue;
            }
            let next = real.join(&name);
            let Ok(about) = next.symlink_metadata() else { return Ok(()) };
            let covered = self.is_bound(&next);
            if about.is_symlink() {
                links += 1;
                let to = fs::read_link(&next)?;
                if links > LINKS {
                    return Ok(());
                }
                if !covered && self.at(&next).symlink_metadata().is_err() {
                    self.folder(&real)?;
                    symlink(&to, self.at(&next))?;
                }
                if to.is_absolute() {
                    real = "/".into();
                }
                for part in parts(&to).into_iter().rev() {
                    left.push_front(part);
                }
                continue;
            }
            real = next;
        }
        if self.is_bound(&real) && !apart {
            return Ok(());
        }
        let Ok(about) = real.metadata() else { return Ok(()) };
        if about.is_dir() {
            let at = self.folder(&real)?;
            mount_bind_recursive(&real, &at)?;
        } else {
            self.folder(real.parent().unwrap_or(Path::new("/")))?;
            let at = self.at(&real);
            if at.symlink_metadata().is_err() {
                fs::File::create_new(&at)?;
            }
            mount_bind(&real, &at)?;
        }
        self.bound.insert(real);
        Ok(())
    }

    /// Puts nothing where something must not be seen.
    fn hide(&self, path: &Path) -> io::Result<()> {
        let Some(real) = reachable(path.canonicalize())? else { return Ok(()) };
        let at = self.at(&real);
        let Some(about) = reachable(at.symlink_metadata())? else { return Ok(()) };
        if about.is_dir() { tmpfs(&at, "mode=0555,size=4k") } else { Ok(mount_bind("/dev/null", &at)?) }
    }

    /// Makes everything read-only but these: modes and times are kept by this, which landlock lets through.
    fn close(&self, but: &[PathBuf]) -> io::Result<()> {
        for line in fs::read_to_string("/proc/self/mountinfo")?.lines() {
            let mut fields = line.split(' ');
            let (Some(at), Some(options)) = (fields.nth(4), fields.next()) else { continue };
            let at = unescaped(at);
            if at.starts_with(&self.root) && !but.contains(&at) {
                let flags = options.split(',').fold(MountFlags::RDONLY, |flags, option| flags | flag(option));
                match rustix::mount::mount_remount(&at, MountFlags::BIND | flags, "") {
                    // Another mount lies over it, so that nobody reaches it by its path.
                    Ok(()) | Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOENT) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
        Ok(())
    }
}

/// What a testee, which may do no more than this process, can reach; any other failure might be of this process alone.
fn reachable<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    match found {
        Err(error) if matches!(error.kind(), NotFound | NotADirectory | PermissionDenied) => Ok(None),
        found => found.map(Some),
    }
}

/// The names of a path; links may lead upwards.
fn parts(path: &Path) -> VecDeque<PathBuf> {
    let keep = |part: Component<'_>| match part {
        Component::Normal(name) => Some(name.into()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().filter_map(keep).collect()
}

/// The flag of an option. What an outer namespace has set must be set again.
fn flag(option: &str) -> MountFlags {
    match option {
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        "strictatime" => MountFlags::STRICTATIME,
        _ => MountFlags::empty(),
    }
}

/// A path of the table of mounts, in which blanks and the like are three octal digits.
fn unescaped(text: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let digits: Vec<u8> = rest.by_ref().take(3).collect();
        let number = str::from_utf8(&digits).ok().and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(number.unwrap_or(b'?'));
    }
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_in_the_table_of_mounts_are_digits() {
        assert_eq!(unescaped("/a\\040b\\134"), Path::new("/a b\\"));
    }

    #[test]
    fn names_of_a_path_may_lead_upwards() {
        let names: Vec<_> = parts(Path::new("/a/../b/./c")).into_iter().collect();
        assert_eq!(names, ["a", "..", "b", "c"].map(PathBuf::from));
    }
}
