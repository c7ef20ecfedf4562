//! An example: tests of what a school does with a Kubernetes API. Each has a server of its own, with what all tests begin with.

use binnacle_testing::{json, Options, Process, Server, Value};
use std::sync::OnceLock;

const CHESS: &str = "/api/v1/namespaces/default/configmaps/chess";

fn server() -> Server {
    static PROCESS: OnceLock<Process> = OnceLock::new();
    let process = PROCESS.get_or_init(|| {
        let process = Process::launch(&[]).unwrap();
        let course = json!({ "metadata": { "name": "chess" }, "data": { "room": "library" } });
        process.server().request("POST", "/api/v1/namespaces/default/configmaps", Some(&course)).unwrap();
        process.server().take_snapshot("courses").unwrap();
        process
    });
    process.start(Options { snapshot: Some("courses"), ..Options::default() }).unwrap()
}

fn chess(server: &Server) -> Value {
    server.request("GET", CHESS, None).unwrap()
}

#[test]
fn a_course_moves() {
    let server = server();
    let body = json!({ "data": { "room": "gym" } });
    server.request_with("PATCH", CHESS, &[("content-type", "application/merge-patch+json")], Some(&body)).unwrap();
    assert_eq!(chess(&server)["data"]["room"], "gym");
}

#[test]
fn other_tests_do_not_see_it() {
    assert_eq!(chess(&server())["data"]["room"], "library");
}

#[test]
fn a_write_fails_once() {
    let server = server();
    let fault = server.add_fault(json!({ "verb": "delete", "resource": "configmaps", "times": 1, "status": 409 })).unwrap();
    assert_eq!(server.request("DELETE", CHESS, None).unwrap_err().code(), Some(409));
    server.request("DELETE", CHESS, None).unwrap();
    assert_eq!(fault.count().unwrap(), 1);
}

#[test]
fn a_course_begins_at_christmas() {
    let server = server();
    server.freeze("2026-12-24T18:00:00Z").unwrap();
    let carols = json!({ "metadata": { "name": "carols" } });
    let made = server.request("POST", "/api/v1/namespaces/default/configmaps", Some(&carols)).unwrap();
    assert_eq!(made["metadata"]["creationTimestamp"], "2026-12-24T18:00:00Z");
}
