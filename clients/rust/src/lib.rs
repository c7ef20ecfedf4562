//! Kubernetes API servers for tests. Starts Binnacle, a Node.js program, once for all tests of a binary, and ends it with them.
//!
//! ```no_run
//! # fn main() -> binnacle_testing::Result<()> {
//! let server = binnacle_testing::start()?;
//! println!("{}", server.kubeconfig()); // kube::config::Kubeconfig::from_yaml takes it
//! # Ok(())
//! # }
//! ```
//!
//! It needs Node.js and the npm package `binnacle`. The environment may name them: `BINNACLE_NODE`, `BINNACLE_PATH`.

mod error;
mod locate;
mod process;
mod server;

pub use error::{Error, Result};
pub use process::Process;
pub use serde_json::{json, Value};
pub use server::{Fault, Options, Server};

use std::sync::OnceLock;

/// Gives a test a server of its own, empty, which ends when it is dropped. All of them are in one process, which starts at the first call
/// and ends with the tests. For other flags, or objects with which all tests begin, see [`Process`].
pub fn start() -> Result<Server> {
    static SHARED: OnceLock<Result<Process>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| Process::launch(&[]));
    shared.as_ref().map_err(Clone::clone)?.start(Options::default())
}
