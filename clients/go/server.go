package binnacle

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// Server is a Kubernetes API server, with what the test API can do with it (docs/testing.md of Binnacle).
type Server struct {
	// URL is where clients reach the server, and Kubeconfig that of its administrator, for clientcmd.RESTConfigFromKubeConfig.
	URL        string
	Kubeconfig []byte

	process *Process
	path    string
}

// Options say with what a server begins.
type Options struct {
	// Snapshot is the name of a snapshot of the server that starts this one.
	Snapshot string `json:"snapshot,omitempty"`
	// Seed makes uids and generated names the same in each run.
	Seed string `json:"seed,omitempty"`
	// Simulate gives the server Nodes that act as kubelets do, and run nothing.
	Simulate *Simulation `json:"simulate,omitempty"`
}

// Simulation is what a simulated cluster has.
type Simulation struct {
	Nodes int `json:"nodes"`
}

// StatusError is an answer that is an error.
type StatusError struct {
	Method, Path string
	// Code is that of the answer, as 404, and Body usually a Status.
	Code int
	Body json.RawMessage
}

func (e *StatusError) Error() string {
	status := struct{ Message string }{}
	if json.Unmarshal(e.Body, &status) != nil || status.Message == "" {
		status.Message = string(e.Body)
	}
	return fmt.Sprintf("%s %s: %d: %s", e.Method, e.Path, e.Code, status.Message)
}

// Start gives a test a server of its own in this one, which ends with the test. If the test fails, it shows what was
// asked and why it was answered as it was.
func (s *Server) Start(t testing.TB, options Options) *Server {
	t.Helper()
	random := make([]byte, 6)
	_, _ = rand.Read(random)
	name := "t-" + hex.EncodeToString(random)
	made := struct{ URL, Kubeconfig string }{}
	if err := s.test("PUT", "servers/"+name, options, &made); err != nil {
		t.Fatal(err)
	}
	server := &Server{URL: made.URL, Kubeconfig: []byte(made.Kubeconfig), process: s.process, path: s.path + "/servers/" + name}
	t.Cleanup(func() {
		if t.Failed() {
			if requests, err := server.Requests(); err == nil {
				t.Logf("requests to Binnacle:\n%s", requests)
			}
		}
		if err := s.test("DELETE", "servers/"+name, nil, nil); err != nil {
			t.Error(err)
		}
	})
	return server
}

// Request sends any request with the administrator's permissions, without a connection, and decodes the answer, which is JSON, into `into`.
// Both body and into may be nil. A watch needs timeoutSeconds. The error is a *StatusError where the server answered with one.
func (s *Server) Request(method, path string, body, into any) error {
	a, err := s.process.ask(method, s.path+path, nil, body)
	if err != nil {
		return err
	}
	if a.Status >= 400 {
		return &StatusError{Method: method, Path: path, Code: a.Status, Body: a.Body}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.Body, into)
}

func (s *Server) test(method, path string, body, into any) error {
	return s.Request(method, "/testing/v1/"+path, body, into)
}

// KubeconfigFor returns the kubeconfig of a user, who may do what roles allow.
func (s *Server) KubeconfigFor(user string, groups ...string) ([]byte, error) {
	return s.kubeconfig(map[string]any{"user": user, "groups": append([]string{}, groups...)})
}

// KubeconfigForServiceAccount returns the kubeconfig of a ServiceAccount that is there.
func (s *Server) KubeconfigForServiceAccount(namespace, name string) ([]byte, error) {
	return s.kubeconfig(map[string]any{"serviceAccount": namespace + "/" + name})
}

func (s *Server) kubeconfig(of map[string]any) ([]byte, error) {
	made := struct{ Kubeconfig string }{}
	err := s.test("POST", "kubeconfigs", of, &made)
	return []byte(made.Kubeconfig), err
}

// TakeSnapshot keeps the present state under a name.
func (s *Server) TakeSnapshot(name string) error { return s.test("PUT", "snapshots/"+name, nil, nil) }

// Restore goes back to a snapshot. Watches end, and informers list again.
func (s *Server) Restore(name string) error {
	return s.test("POST", "snapshots/"+name+"/restore", nil, nil)
}

// Now returns the server's time.
func (s *Server) Now() (time.Time, error) {
	clock := struct{ Now time.Time }{}
	err := s.test("GET", "clock", nil, &clock)
	return clock.Now, err
}

// Freeze makes the server's time stand still at a time.
func (s *Server) Freeze(at time.Time) error {
	return s.test("POST", "clock/freeze", map[string]string{"at": at.UTC().Format(time.RFC3339Nano)}, nil)
}

// Advance moves a frozen clock on. What falls due has happened when it returns.
func (s *Server) Advance(by time.Duration) error {
	return s.test("POST", "clock/advance", map[string]string{"by": by.String()}, nil)
}

// Release follows the system's time again.
func (s *Server) Release() error { return s.test("POST", "clock/release", nil, nil) }

// Rule says which requests fail, and how: Rule{"verb": "create", "resource": "pods", "times": 1, "status": 503}. docs/testing.md has all
// fields.
type Rule map[string]any

// Fault is a rule at work.
type Fault struct {
	server *Server
	path   string
}

// AddFault makes requests fail.
func (s *Server) AddFault(rule Rule) (*Fault, error) {
	made := struct{ ID string }{}
	if err := s.test("POST", "faults", rule, &made); err != nil {
		return nil, err
	}
	return &Fault{s, "faults/" + made.ID}, nil
}

// Count returns how many requests the rule has concerned.
func (f *Fault) Count() (int, error) {
	fault := struct{ Count int }{}
	err := f.server.test("GET", f.path, nil, &fault)
	return fault.Count, err
}

// Remove ends the rule.
func (f *Fault) Remove() error { return f.server.test("DELETE", f.path, nil, nil) }

// ClearFaults removes all rules.
func (s *Server) ClearFaults() error { return s.test("DELETE", "faults", nil, nil) }

// Requests returns what became of the last requests, and why, as a text.
func (s *Server) Requests() (string, error) {
	text := ""
	err := s.test("GET", "requests?format=text", nil, &text)
	return text, err
}
