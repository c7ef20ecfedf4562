// Package binnacle gives each test a Kubernetes API server of its own. It starts Binnacle, a Node.js program, once for all tests of a
// package, and ends it with them.
//
//	func TestCourses(t *testing.T) {
//		server := binnacle.Start(t)
//		config, err := clientcmd.RESTConfigFromKubeConfig(server.Kubeconfig)
//		…
//	}
//
// It needs Node.js and the npm package binnacle. The environment may name them: BINNACLE_NODE, BINNACLE_PATH.
package binnacle

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	startTimeout = time.Minute
	stopTimeout  = 10 * time.Second
	// logBytes is how much of what the server has logged is kept for errors.
	logBytes = 4096
)

// Process is a server in a process of its own, in which other servers may be started. It ends with Stop, and with the process that
// started it, even if that is killed.
type Process struct {
	*Server
	// Version and KubernetesVersion are those of Binnacle and of the Kubernetes API: 1.0.0 and v1.37.2.
	Version, KubernetesVersion string
	PID                        int

	command *exec.Cmd
	log     tail
	// ended is closed when there are no more answers, and end says why.
	ended chan struct{}
	end   error

	mutex   sync.Mutex
	stdin   io.WriteCloser
	lastID  int
	waiting map[int]chan answer
}

// answer is a line of the server: the first one, or the answer to a request.
type answer struct {
	URL, Kubeconfig, Binnacle, Kubernetes string
	PID                                   int

	ID     int
	Status int
	Body   json.RawMessage
	Error  string
}

var shared = sync.OnceValues(func() (*Process, error) { return Launch() })

// Start gives a test a server of its own, empty, which ends with the test. All of them are in one process, which starts at the first call
// and ends with the test binary. For other flags, or objects with which all tests begin, see [Launch].
func Start(t testing.TB) *Server {
	t.Helper()
	process, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return process.Start(t, Options{})
}

// Launch starts a process with flags of "binnacle serve", as --simulate or --snapshot=FILE.
func Launch(flags ...string) (*Process, error) {
	node, err := findNode()
	if err != nil {
		return nil, err
	}
	module, err := findMain()
	if err != nil {
		return nil, err
	}
	// Node's flags keep the process small
	args := append([]string{"--v8-pool-size=1", "--max-semi-space-size=8", module,
		"serve", "--stdio", "--test-api", "--storage-backend=memory", "--secure-port=0"}, flags...)
	p := &Process{command: exec.Command(node, args...), ended: make(chan struct{}), waiting: map[int]chan answer{}}
	p.command.Stderr = &p.log
	if p.stdin, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	ready := make(chan answer, 1)
	p.waiting[0] = ready
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	go p.read(stdout)
	select {
	case first := <-ready:
		p.Version, p.KubernetesVersion, p.PID = first.Binnacle, first.Kubernetes, first.PID
		p.Server = &Server{URL: first.URL, Kubeconfig: []byte(first.Kubeconfig), process: p}
		return p, nil
	case <-p.ended:
		return nil, p.end
	case <-time.After(startTimeout):
		_ = p.Stop()
		return nil, fmt.Errorf("Binnacle does not serve after %s: %s", startTimeout, p.log.String())
	}
}

// Stop ends the process, with all servers in it.
func (p *Process) Stop() error {
	p.mutex.Lock()
	err := p.stdin.Close()
	p.mutex.Unlock()
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		err = errors.Join(p.command.Process.Kill(), fmt.Errorf("Binnacle did not stop within %s", stopTimeout))
		<-p.ended
	}
	return err
}

// ask sends a request with the administrator's permissions.
func (p *Process) ask(method, path string, headers map[string]string, body any) (answer, error) {
	found := make(chan answer, 1)
	p.mutex.Lock()
	p.lastID++
	line, err := json.Marshal(struct {
		ID      int               `json:"id"`
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Headers map[string]string `json:"headers,omitempty"`
		Body    any               `json:"body,omitempty"`
	}{p.lastID, method, path, headers, body})
	if err == nil {
		p.waiting[p.lastID] = found
		// where the server has ended, p.ended says so
		_, _ = p.stdin.Write(append(line, '\n'))
	}
	p.mutex.Unlock()
	if err != nil {
		return answer{}, err
	}
	select {
	case a := <-found:
		if a.Error != "" {
			return a, fmt.Errorf("%s %s: %s", method, path, a.Error)
		}
		return a, nil
	case <-p.ended:
		return answer{}, p.end
	}
}

// read brings each line to the goroutine that waits for it, until the server ends.
func (p *Process) read(stdout io.Reader) {
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		a := answer{}
		if json.Unmarshal(line, &a) != nil {
			continue
		}
		p.mutex.Lock()
		waiting := p.waiting[a.ID]
		delete(p.waiting, a.ID)
		p.mutex.Unlock()
		if waiting != nil {
			waiting <- a
		}
	}
	how := "has been stopped"
	if err := p.command.Wait(); err != nil {
		how = fmt.Sprintf("ended with %v: %s", err, p.log.String())
	}
	p.end = errors.New("Binnacle " + how)
	close(p.ended)
}

// tail keeps the last bytes that were written.
type tail struct {
	mutex sync.Mutex
	bytes []byte
}

func (t *tail) Write(more []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.bytes = append(t.bytes, more...)
	if tooMany := len(t.bytes) - logBytes; tooMany > 0 {
		t.bytes = append([]byte{}, t.bytes[tooMany:]...)
	}
	return len(more), nil
}

func (t *tail) String() string {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return strings.TrimSpace(string(t.bytes))
}
