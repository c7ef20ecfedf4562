//! A server, with what the test API can do with it (docs/testing.md of Binnacle).

use crate::process::{text, Pipe};
use crate::Result;
use serde_json::{json, Value};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// A Kubernetes API server. It ends when it is dropped, and what it holds is forgotten.
#[derive(Debug)]
pub struct Server {
    pipe: Arc<Pipe>,
    path: String,
    url: String,
    kubeconfig: String,
}

/// With what a server begins.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The name of a snapshot of the server that starts this one.
    pub snapshot: Option<&'a str>,
    /// Makes uids and generated names the same in each run.
    pub seed: Option<&'a str>,
    /// How many Nodes act as kubelets do, and run nothing; none without it.
    pub simulated_nodes: Option<u32>,
}

impl Server {
    pub(crate) fn new(pipe: Arc<Pipe>, path: String, made: &Value) -> Server {
        Server { pipe, path, url: text(made, "url"), kubeconfig: text(made, "kubeconfig") }
    }

    /// Where clients reach the server.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The text of the administrator's kubeconfig.
    pub fn kubeconfig(&self) -> &str {
        &self.kubeconfig
    }

    /// Sends any request with the administrator's permissions, without a connection. Returns the content of the answer, JSON or a text. A
    /// watch needs `timeoutSeconds`.
    pub fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value> {
        self.request_with(method, path, &[], body)
    }

    /// The same with headers, as the content-type of a patch.
    pub fn request_with(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Result<Value> {
        self.pipe.ask(method, &format!("{}{path}", self.path), headers, body)
    }

    fn test(&self, method: &str, path: &str, body: Option<Value>) -> Result<Value> {
        self.request(method, &format!("/testing/v1/{path}"), body.as_ref())
    }

    /// Starts a server in this one, in some milliseconds.
    pub fn start(&self, options: Options) -> Result<Server> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("t-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let mut wanted = json!({});
        if let Some(snapshot) = options.snapshot {
            wanted["snapshot"] = json!(snapshot);
        }
        if let Some(seed) = options.seed {
            wanted["seed"] = json!(seed);
        }
        if let Some(nodes) = options.simulated_nodes {
            wanted["simulate"] = json!({ "nodes": nodes });
        }
        let made = self.test("PUT", &format!("servers/{name}"), Some(wanted))?;
        Ok(Server::new(Arc::clone(&self.pipe), format!("{}/servers/{name}", self.path), &made))
    }

    /// Returns the kubeconfig of a user, who may do what roles allow.
    pub fn kubeconfig_for(&self, user: &str, groups: &[&str]) -> Result<String> {
        self.made_kubeconfig(json!({ "user": user, "groups": groups }))
    }

    /// Returns the kubeconfig of a ServiceAccount that is there.
    pub fn kubeconfig_for_service_account(&self, namespace: &str, name: &str) -> Result<String> {
        self.made_kubeconfig(json!({ "serviceAccount": format!("{namespace}/{name}") }))
    }

    fn made_kubeconfig(&self, of: Value) -> Result<String> {
        Ok(text(&self.test("POST", "kubeconfigs", Some(of))?, "kubeconfig"))
    }

    /// Keeps the present state under a name.
    pub fn take_snapshot(&self, name: &str) -> Result<()> {
        self.test("PUT", &format!("snapshots/{name}"), None).map(drop)
    }

    /// Goes back to a snapshot. Watches end, and clients list again.
    pub fn restore(&self, name: &str) -> Result<()> {
        self.test("POST", &format!("snapshots/{name}/restore"), None).map(drop)
    }

    /// Returns the server's time, as `2026-12-01T00:00:00.000Z`.
    pub fn now(&self) -> Result<String> {
        Ok(text(&self.test("GET", "clock", None)?, "now"))
    }

    /// Makes the server's time stand still at a time, as `2026-12-01T00:00:00Z`.
    pub fn freeze(&self, at: &str) -> Result<()> {
        self.test("POST", "clock/freeze", Some(json!({ "at": at }))).map(drop)
    }

    /// Moves a frozen clock on. What falls due has happened when it returns.
    pub fn advance(&self, by: Duration) -> Result<()> {
        self.test("POST", "clock/advance", Some(json!({ "by": format!("{}ms", by.as_millis()) }))).map(drop)
    }

    /// Follows the system's time again.
    pub fn release(&self) -> Result<()> {
        self.test("POST", "clock/release", None).map(drop)
    }

    /// Makes requests fail, as `json!({"verb": "create", "resource": "pods", "times": 1, "status": 503})`. docs/testing.md has all fields.
    pub fn add_fault(&self, rule: Value) -> Result<Fault<'_>> {
        let id = text(&self.test("POST", "faults", Some(rule))?, "id");
        Ok(Fault { server: self, path: format!("faults/{id}") })
    }

    /// Removes all rules.
    pub fn clear_faults(&self) -> Result<()> {
        self.test("DELETE", "faults", None).map(drop)
    }

    /// Returns what became of the last requests, and why, as a text.
    pub fn requests(&self) -> Result<String> {
        let found = self.test("GET", "requests?format=text", None)?;
        Ok(found.as_str().unwrap_or_default().to_owned())
    }
}

impl Drop for Server {
    /// The server of a process ends with that. A test that panics shows what was asked, and why it was answered as it was.
    fn drop(&mut self) {
        if self.path.is_empty() {
            return;
        }
        if std::thread::panicking() {
            if let Ok(requests) = self.requests() {
                eprintln!("requests to Binnacle:\n{requests}");
            }
        }
        let (parent, name) = self.path.rsplit_once("/servers/").unwrap_or_default();
        let _ = self.pipe.ask("DELETE", &format!("{parent}/testing/v1/servers/{name}"), &[], None);
    }
}

/// A rule by which requests fail. It stays when this is dropped.
#[derive(Debug)]
pub struct Fault<'a> {
    server: &'a Server,
    path: String,
}

impl Fault<'_> {
    /// How many requests it has concerned.
    pub fn count(&self) -> Result<u64> {
        Ok(self.server.test("GET", &self.path, None)?["count"].as_u64().unwrap_or_default())
    }

    /// Ends the rule.
    pub fn remove(&self) -> Result<()> {
        self.server.test("DELETE", &self.path, None).map(drop)
    }
}
