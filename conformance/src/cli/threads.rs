//! Threads for what is judged side by side: as many as processors, or fewer where the system gives no more.

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Makes the pool that every verb uses. Where the system refuses threads, the calling thread alone does the work.
pub(crate) fn prepare() {
    // The global pool can be tried once alone, so another one tells first whether the system has the threads.
    let builder = match ThreadPoolBuilder::new().build() {
        Ok(_) => ThreadPoolBuilder::new(),
        Err(_) => ThreadPoolBuilder::new().num_threads(1).use_current_thread(),
    };
    // Nobody has made one before.
    let _ = builder.build_global();
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
