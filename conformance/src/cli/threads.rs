//! Threads for what is judged side by side: as many as processors, or fewer where the system gives no more.

use std::{
    env, io,
    sync::mpsc::{Sender, channel},
    thread,
};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

/// Makes the pool that every verb uses. Where the system refuses threads, the calling thread alone does the work.
///
/// The global pool can be tried once alone. So that this cannot fail, its threads are started first, and wait for their part in it.
pub(crate) fn prepare() {
    let mut waiting = waiting(wanted());
    let builder = ThreadPoolBuilder::new();
    // Nobody has made one before.
    let _ = match waiting.len() {
        0 => builder.num_threads(1).use_current_thread().build_global(),
        given => builder.num_threads(given).spawn_handler(|part| handed(&mut waiting, part)).build_global(),
    };
}

/// How many threads a pool is to have: as `rayon` has it, processors or what the variable says.
fn wanted() -> usize {
    let said = env::var("RAYON_NUM_THREADS").ok().and_then(|said| said.parse().ok()).filter(|said| *said > 0);
    said.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).min(rayon::max_num_threads())
}

/// Threads that wait for a part in a pool, at most so many: where the system gives one less, there is no point in asking on. One
/// that gets no part ends.
fn waiting(most: usize) -> Vec<Sender<ThreadBuilder>> {
    let started = (0..most).map_while(|_| {
        let (hand, taken) = channel::<ThreadBuilder>();
        let part = move || taken.recv().map_or((), ThreadBuilder::run);
        thread::Builder::new().spawn(part).ok().map(|_| hand)
    });
    started.collect()
}

/// Gives one of them its part.
fn handed(waiting: &mut Vec<Sender<ThreadBuilder>>, part: ThreadBuilder) -> io::Result<()> {
    let given = waiting.pop().and_then(|hand| hand.send(part).ok());
    given.ok_or_else(|| io::Error::other("no thread waits for it"))
}

/// Does something with at most so many threads; zero is as many as [`prepare`] got, and more than those is not faster.
pub(crate) fn within<T: Send>(most: usize, work: impl FnOnce() -> T + Send) -> T {
    match limited(most) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

fn limited(most: usize) -> Option<ThreadPool> {
    let fewer = (2..rayon::current_num_threads()).contains(&most);
    fewer.then(|| ThreadPoolBuilder::new().num_threads(most).build().ok()).flatten()
}
