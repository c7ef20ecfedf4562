//! What a server can do, and how its process starts and ends.

use binnacle_testing::{json, start, Error, Options, Process, Result, Server, Value};
use std::collections::HashSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MAPS: &str = "/api/v1/namespaces/default/configmaps";

fn make(server: &Server) -> Result<Value> {
    server.request("POST", MAPS, Some(&json!({ "metadata": { "name": "a" } })))
}

fn read(server: &Server) -> Result<Value> {
    server.request("GET", &format!("{MAPS}/a"), None)
}

#[test]
fn servers_share_nothing() {
    let (one, two) = (start().unwrap(), start().unwrap());
    make(&one).unwrap();
    make(&two).unwrap();
    assert_ne!(one.url(), two.url());
    assert!(one.kubeconfig().contains(one.url()));
}

#[test]
fn goes_back_to_a_snapshot() {
    let server = start().unwrap();
    server.take_snapshot("before").unwrap();
    make(&server).unwrap();
    server.restore("before").unwrap();
    let error = read(&server).unwrap_err();
    assert_eq!(error.code(), Some(404));
    assert!(error.to_string().contains("configmaps \"a\" not found"), "{error}");
}

#[test]
fn begins_with_a_snapshot() {
    let server = start().unwrap();
    make(&server).unwrap();
    server.take_snapshot("seeded").unwrap();
    read(&server.start(Options { snapshot: Some("seeded"), ..Options::default() }).unwrap()).unwrap();
}

#[test]
fn goes_by_a_clock_of_its_own() {
    let server = start().unwrap();
    server.freeze("2026-12-24T18:00:00Z").unwrap();
    server.advance(Duration::from_secs(90 * 60)).unwrap();
    assert_eq!(server.now().unwrap(), "2026-12-24T19:30:00.000Z");
    assert_eq!(make(&server).unwrap()["metadata"]["creationTimestamp"], "2026-12-24T19:30:00Z");
    server.release().unwrap();
    assert_ne!(server.now().unwrap(), "2026-12-24T19:30:00.000Z");
}

#[test]
fn makes_requests_fail() {
    let server = start().unwrap();
    let fault = server.add_fault(json!({ "verb": "create", "resource": "configmaps", "times": 1, "status": 503 })).unwrap();
    assert_eq!(make(&server).unwrap_err().code(), Some(503));
    make(&server).unwrap();
    assert_eq!(fault.count().unwrap(), 1);
    fault.remove().unwrap();
    server.add_fault(json!({ "verb": "get", "reset": true })).unwrap();
    let error = read(&server).unwrap_err();
    assert!(error.to_string().contains("the connection was reset"), "{error}");
    server.clear_faults().unwrap();
    let patch = json!({ "data": { "colour": "blue" } });
    let headers = [("content-type", "application/merge-patch+json")];
    server.request_with("PATCH", &format!("{MAPS}/a"), &headers, Some(&patch)).unwrap();
    assert_eq!(read(&server).unwrap()["data"]["colour"], "blue");
    let requests = server.requests().unwrap();
    assert!(requests.contains("create configmaps default → 503"), "{requests}");
}

#[test]
fn has_other_users() {
    let server = start().unwrap();
    let alice = server.kubeconfig_for("alice", &["devs"]).unwrap();
    let builder = server.kubeconfig_for_service_account("default", "default").unwrap();
    for text in [alice, builder] {
        assert!(text.contains(server.url()), "{text}");
        assert_ne!(text, server.kubeconfig());
    }
}

#[test]
fn simulates_a_cluster_and_repeats_uids() {
    let host = start().unwrap();
    let mut uids = HashSet::new();
    for _ in 0..2 {
        let server = host.start(Options { seed: Some("golden"), simulated_nodes: Some(2), ..Options::default() }).unwrap();
        let nodes = server.request("GET", "/api/v1/nodes", None).unwrap();
        assert_eq!(nodes["items"].as_array().unwrap().len(), 2);
        uids.insert(nodes["items"][0]["metadata"]["uid"].to_string());
    }
    assert_eq!(uids.len(), 1);
}

#[test]
fn says_what_a_wrong_flag_is() {
    let Err(Error::Server(message)) = Process::launch(&["--nodess=3"]) else { panic!("it serves") };
    assert!(message.contains("unknown flag --nodess; did you mean --nodes"), "{message}");
}

#[cfg(target_os = "linux")]
mod ends {
    use super::*;
    use std::io::{BufRead, BufReader};

    /// Whether a process ends soon. One that has ended and that nobody has waited for has no command.
    fn ends_soon(id: &str) -> bool {
        let until = Instant::now() + Duration::from_secs(20);
        while std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|command| !command.is_empty()) {
            if Instant::now() > until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        true
    }

    #[test]
    fn when_it_is_dropped() {
        let process = Process::launch(&[]).unwrap();
        assert!(process.kubernetes_version().starts_with("v1."));
        let id = process.id();
        let inside = process.start(Options::default()).unwrap();
        drop(process);
        make(&inside).unwrap();
        drop(inside);
        assert!(!std::path::Path::new(&format!("/proc/{id}")).exists());
    }

    /// This binary, as a process that waits.
    #[test]
    fn with_a_test_that_is_killed() {
        if std::env::var_os("BINNACLE_TEST_IS_KILLED").is_some() {
            let process = Process::launch(&[]).unwrap();
            println!("pid {}", process.id());
            loop {
                std::thread::park();
            }
        }
        let mut killed = Command::new(std::env::current_exe().unwrap())
            .args(["ends::with_a_test_that_is_killed", "--exact", "--nocapture"])
            .env("BINNACLE_TEST_IS_KILLED", "1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(killed.stdout.take().unwrap()).lines().map_while(|line| line.ok());
        let id = lines.find_map(|line| line.split_once("pid ").map(|(_, id)| id.to_owned())).unwrap();
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(ends_soon(&id), "{id} is still there");
    }

    #[test]
    fn and_says_why() {
        let process = Process::launch(&[]).unwrap();
        let status = Command::new("kill").args(["-9", &process.id().to_string()]).status().unwrap();
        assert!(status.success());
        let error = loop {
            if let Err(error) = process.server().now() {
                break error;
            }
        };
        assert!(error.to_string().contains("Binnacle has ended: "), "{error}");
    }
}
