//! The process of a server, and the lines of JSON by which it is asked.

use crate::{locate, Error, Options, Result, Server};
use serde_json::{json, Value};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Node's flags keep the process small; the others make a server in memory, on a free port, with the test API.
const NODE_FLAGS: [&str; 2] = ["--v8-pool-size=1", "--max-semi-space-size=8"];
const FLAGS: [&str; 5] = ["serve", "--stdio", "--test-api", "--storage-backend=memory", "--secure-port=0"];
const START: Duration = Duration::from_secs(60);
const ANSWER: Duration = Duration::from_secs(120);
const STOP: Duration = Duration::from_secs(10);
/// How many bytes of what the server has logged are kept for errors.
const LOG: usize = 4096;

/// A process with a server, in which other servers may be started. It ends when it and all its servers are dropped, and with the process
/// that started it, even if that is killed.
#[derive(Debug)]
pub struct Process {
    server: Server,
    version: String,
    kubernetes_version: String,
    id: u32,
}

impl Process {
    /// Starts a process with flags of `binnacle serve`, as `--simulate` or `--snapshot=FILE`.
    pub fn launch(flags: &[&str]) -> Result<Process> {
        let node = locate::node();
        let mut child = Command::new(&node)
            .args(NODE_FLAGS)
            .arg(locate::main_module()?)
            .args(FLAGS)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| locate::no_node(&node, error))?;
        let id = child.id();
        let log = Arc::new(Mutex::new(Vec::new()));
        let answers = Arc::new(Mutex::new(Answers::default()));
        let ready = answers.lock().unwrap().wait_for(0);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let logger = thread::spawn({
            let log = Arc::clone(&log);
            move || keep_end(stderr, &log)
        });
        thread::spawn({
            let answers = Arc::clone(&answers);
            move || {
                read_answers(stdout, &answers);
                let _ = logger.join();
                let text = String::from_utf8_lossy(&log.lock().unwrap()).trim().to_owned();
                answers.lock().unwrap().end(format!("Binnacle has ended: {text}"));
            }
        });
        let pipe = Arc::new(Pipe { child: Mutex::new(child), stdin: Mutex::new(stdin), answers });
        let hello = pipe.receive(&ready, START, "it serves")?;
        let version = text(&hello, "binnacle");
        let kubernetes_version = text(&hello, "kubernetes");
        Ok(Process { server: Server::new(pipe, String::new(), &hello), version, kubernetes_version, id })
    }

    /// The server that has all others in it.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Starts a server in this process.
    pub fn start(&self, options: Options) -> Result<Server> {
        self.server.start(options)
    }

    /// The version of Binnacle.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The version of the Kubernetes API, as v1.37.2.
    pub fn kubernetes_version(&self) -> &str {
        &self.kubernetes_version
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.id
    }
}

/// The pipes to a server, shared by all that ask it. The server ends when they are dropped.
#[derive(Debug)]
pub(crate) struct Pipe {
    child: Mutex<Child>,
    stdin: Mutex<Option<ChildStdin>>,
    answers: Arc<Mutex<Answers>>,
}

impl Pipe {
    /// Sends a request with the administrator's permissions, and returns the content of the answer.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> Result<Value> {
        let request = format!("{method} {path}");
        let (id, found) = {
            let mut answers = self.answers.lock().unwrap();
            answers.last_id += 1;
            let id = answers.last_id;
            (id, answers.wait_for(id))
        };
        let mut line = json!({"id": id, "method": method, "path": path});
        if let Some(body) = body {
            line["body"] = body.clone();
        }
        if !headers.is_empty() {
            line["headers"] = headers.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        }
        if let Some(stdin) = self.stdin.lock().unwrap().as_mut() {
            // where the server has ended, the reader says so
            let _ = stdin.write_all(format!("{line}\n").as_bytes());
        }
        let answer = self.receive(&found, ANSWER, &format!("it answers {request}"))?;
        if let Some(error) = answer.get("error") {
            return Err(Error::Server(format!("{request}: {}", error.as_str().unwrap_or_default())));
        }
        let code = answer["status"].as_u64().unwrap_or_default() as u16;
        let body = answer.get("body").cloned().unwrap_or_default();
        if code >= 400 {
            Err(Error::Answer { request, code, body })
        } else {
            Ok(body)
        }
    }

    fn receive(&self, from: &Receiver<Value>, within: Duration, what: &str) -> Result<Value> {
        from.recv_timeout(within).map_err(|error| {
            Error::Server(match error {
                RecvTimeoutError::Timeout => format!("Binnacle takes longer than {} seconds until {what}", within.as_secs()),
                RecvTimeoutError::Disconnected => self.answers.lock().unwrap().end.clone().unwrap_or_default(),
            })
        })
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        drop(self.stdin.lock().unwrap().take());
        let mut child = self.child.lock().unwrap();
        let until = Instant::now() + STOP;
        while matches!(child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Those who wait for an answer, by the id of their request; 0 is the first line.
#[derive(Debug, Default)]
struct Answers {
    last_id: u64,
    waiting: HashMap<u64, Sender<Value>>,
    /// Why there are no more.
    end: Option<String>,
}

impl Answers {
    fn wait_for(&mut self, id: u64) -> Receiver<Value> {
        let (sender, receiver) = channel();
        // a sender that is dropped at once says that nothing will come
        if self.end.is_none() {
            self.waiting.insert(id, sender);
        }
        receiver
    }

    fn end(&mut self, why: String) {
        self.end = Some(why);
        self.waiting.clear();
    }
}

/// Brings each line to the thread that waits for it, until the server ends.
fn read_answers(stdout: ChildStdout, answers: &Mutex<Answers>) {
    for line in BufReader::new(stdout).lines() {
        let Ok(answer) = line.map_err(drop).and_then(|line| serde_json::from_str::<Value>(&line).map_err(drop)) else {
            break;
        };
        let id = answer.get("id").map_or(Some(0), Value::as_u64);
        let waiting = id.and_then(|id| answers.lock().unwrap().waiting.remove(&id));
        if let Some(sender) = waiting {
            let _ = sender.send(answer);
        }
    }
}

fn keep_end(mut stderr: ChildStderr, log: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 1024];
    while let Ok(n @ 1..) = stderr.read(&mut chunk) {
        let mut log = log.lock().unwrap();
        log.extend_from_slice(&chunk[..n]);
        let surplus = log.len().saturating_sub(LOG);
        log.drain(..surplus);
    }
}

pub(crate) fn text(object: &Value, field: &str) -> String {
    object[field].as_str().unwrap_or_default().to_owned()
}
