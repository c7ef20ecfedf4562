package binnacle

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const maps = "/api/v1/namespaces/default/configmaps"

type object struct {
	Metadata struct {
		Name, UID         string
		CreationTimestamp time.Time
	} `json:"metadata"`
}

func named(name string) any { return map[string]any{"metadata": map[string]string{"name": name}} }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func code(err error) int {
	failed := &StatusError{}
	if errors.As(err, &failed) {
		return failed.Code
	}
	return 0
}

func TestServersShareNothing(t *testing.T) {
	for _, name := range []string{"one", "two"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			must(t, Start(t).Request("POST", maps, named("a"), nil))
		})
	}
}

func TestIsReachedByItsKubeconfig(t *testing.T) {
	server := Start(t)
	must(t, server.Request("POST", maps, named("a"), nil))
	data := map[string][]byte{}
	for _, found := range regexp.MustCompile(`(\S+)-data: (\S+)`).FindAllStringSubmatch(string(server.Kubeconfig), -1) {
		decoded, err := base64.StdEncoding.DecodeString(found[2])
		must(t, err)
		data[found[1]] = decoded
	}
	pair, err := tls.X509KeyPair(data["client-certificate"], data["client-key"])
	must(t, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(data["certificate-authority"])
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get(server.URL + maps + "/a")
	must(t, err)
	defer response.Body.Close()
	if response.StatusCode != 200 {
		t.Fatal(response.Status)
	}
}

func TestGoesBackToASnapshot(t *testing.T) {
	server := Start(t)
	must(t, server.TakeSnapshot("before"))
	must(t, server.Request("POST", maps, named("a"), nil))
	must(t, server.Restore("before"))
	if err := server.Request("GET", maps+"/a", nil, nil); code(err) != 404 || !strings.Contains(err.Error(), `configmaps "a" not found`) {
		t.Fatal(err)
	}
}

func TestBeginsWithASnapshot(t *testing.T) {
	server := Start(t)
	must(t, server.Request("POST", maps, named("a"), nil))
	must(t, server.TakeSnapshot("seeded"))
	must(t, server.Start(t, Options{Snapshot: "seeded"}).Request("GET", maps+"/a", nil, nil))
}

func TestGoesByAClockOfItsOwn(t *testing.T) {
	server := Start(t)
	at := time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
	must(t, server.Freeze(at))
	must(t, server.Advance(90*time.Minute))
	made := object{}
	must(t, server.Request("POST", maps, named("a"), &made))
	if !made.Metadata.CreationTimestamp.Equal(at.Add(90 * time.Minute)) {
		t.Fatal(made)
	}
	must(t, server.Release())
	if now, err := server.Now(); err != nil || now.Equal(at.Add(90*time.Minute)) {
		t.Fatal(now, err)
	}
}

func TestMakesRequestsFail(t *testing.T) {
	server := Start(t)
	fault, err := server.AddFault(Rule{"verb": "create", "resource": "configmaps", "times": 1, "status": 503})
	must(t, err)
	if err := server.Request("POST", maps, named("a"), nil); code(err) != 503 {
		t.Fatal(err)
	}
	must(t, server.Request("POST", maps, named("a"), nil))
	if count, err := fault.Count(); count != 1 || err != nil {
		t.Fatal(count, err)
	}
	must(t, fault.Remove())
	_, err = server.AddFault(Rule{"verb": "get", "reset": true})
	must(t, err)
	if err := server.Request("GET", maps+"/a", nil, nil); err == nil || !strings.Contains(err.Error(), "the connection was reset") {
		t.Fatal(err)
	}
	must(t, server.ClearFaults())
	must(t, server.Request("GET", maps+"/a", nil, nil))
}

func TestHasOtherUsers(t *testing.T) {
	server := Start(t)
	alice, err := server.KubeconfigFor("alice", "devs")
	must(t, err)
	builder, err := server.KubeconfigForServiceAccount("default", "default")
	must(t, err)
	for _, text := range []string{string(alice), string(builder)} {
		if !strings.Contains(text, server.URL) || text == string(server.Kubeconfig) {
			t.Error(text)
		}
	}
}

func TestSimulatesAClusterAndRepeatsUIDs(t *testing.T) {
	uids := map[string]bool{}
	for range 2 {
		server := Start(t).Start(t, Options{Seed: "golden", Simulate: &Simulation{Nodes: 2}})
		nodes := struct{ Items []object }{}
		must(t, server.Request("GET", "/api/v1/nodes", nil, &nodes))
		if len(nodes.Items) != 2 {
			t.Fatal(nodes)
		}
		uids[nodes.Items[0].Metadata.UID] = true
	}
	if len(uids) != 1 {
		t.Fatal(uids)
	}
}

func TestShowsRequests(t *testing.T) {
	server := Start(t)
	must(t, server.Request("POST", maps, named("a"), nil))
	if text, err := server.Requests(); err != nil || !strings.Contains(text, "create configmaps default/a → 201") {
		t.Fatal(text, err)
	}
}

func TestProcessStops(t *testing.T) {
	process, err := Launch()
	must(t, err)
	if !strings.HasPrefix(process.KubernetesVersion, "v1.") {
		t.Error(process.KubernetesVersion)
	}
	must(t, process.Stop())
	if state := process.command.ProcessState; state.ExitCode() != 0 {
		t.Error(state)
	}
	if _, err := process.Now(); err == nil || err.Error() != "Binnacle has been stopped" {
		t.Error(err)
	}
}

func TestSaysWhatAWrongFlagIs(t *testing.T) {
	if _, err := Launch("--nodess=3"); err == nil || !strings.Contains(err.Error(), "unknown flag --nodess; did you mean --nodes") {
		t.Fatal(err)
	}
}

// A test that is killed: this binary, as a process that waits.
func TestEndsWithATestThatIsKilled(t *testing.T) {
	if os.Getenv("BINNACLE_TEST_IS_KILLED") != "" {
		process, err := Launch()
		must(t, err)
		_, _ = os.Stdout.WriteString("pid " + strconv.Itoa(process.PID) + "\n")
		select {}
	}
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("looks for the process in /proc")
	}
	killed := exec.Command(os.Args[0], "-test.run=^TestEndsWithATestThatIsKilled$")
	killed.Env = append(os.Environ(), "BINNACLE_TEST_IS_KILLED=1")
	output, err := killed.StdoutPipe()
	must(t, err)
	must(t, killed.Start())
	text := ""
	for buffer := make([]byte, 256); !strings.HasSuffix(text, "\n"); {
		n, err := output.Read(buffer)
		must(t, err)
		text += string(buffer[:n])
	}
	must(t, killed.Process.Kill())
	_ = killed.Wait()
	command := filepath.Join("/proc", strings.TrimSpace(strings.TrimPrefix(text, "pid ")), "cmdline")
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		// what has ended and nobody has waited for has no command
		if found, _ := os.ReadFile(command); len(found) == 0 {
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%s is still there", command)
		}
	}
}

func TestFindsThePackage(t *testing.T) {
	folder, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	below := filepath.Join(folder, "src", "deep")
	must(t, os.MkdirAll(below, 0o755))
	here, err := os.Getwd()
	must(t, err)
	must(t, os.Chdir(below))
	defer func() { must(t, os.Chdir(here)) }()
	t.Setenv("PATH", "")
	t.Setenv("BINNACLE_PATH", "")
	if _, err := findMain(); err == nil || !strings.Contains(err.Error(), "run 'npm install binnacle'") {
		t.Fatal(err)
	}
	if _, err := findNode(); err == nil && os.Getenv("BINNACLE_NODE") == "" {
		t.Fatal("found a node in no PATH")
	}
	module := filepath.Join(folder, "node_modules", "binnacle", mainModule)
	must(t, os.MkdirAll(filepath.Dir(module), 0o755))
	must(t, os.WriteFile(module, nil, 0o644))
	if found, err := findMain(); found != module {
		t.Fatal(found, err)
	}
	t.Setenv("BINNACLE_PATH", below)
	if _, err := findMain(); err == nil || !strings.Contains(err.Error(), "must be the folder of the package binnacle") {
		t.Fatal(err)
	}
	t.Setenv("BINNACLE_NODE", "nosuch")
	if _, err := findNode(); err == nil || !strings.Contains(err.Error(), "BINNACLE_NODE is nosuch") {
		t.Fatal(err)
	}
}
