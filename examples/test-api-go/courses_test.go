// Package courses has tests with Binnacle's test API: one server for all tests, of which each gets a copy.
//
//	BINNACLE="npx binnacle" go test ./...
package courses

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// The administrator of the server that hosts those of the tests.
var host *rest.Config

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	folder, err := os.MkdirTemp("", "binnacle-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	kubeconfig := filepath.Join(folder, "kubeconfig")
	program := os.Getenv("BINNACLE")
	if program == "" {
		program = "npx binnacle"
	}
	command := exec.Command("sh", "-c", "exec "+program+` "$@"`, "binnacle",
		"serve", "--test-api", "--storage-backend=memory", "--secure-port=0", "--kubeconfig-out="+kubeconfig)
	output, err := command.StdoutPipe()
	if err != nil {
		return 1, err
	}
	if err := command.Start(); err != nil {
		return 1, err
	}
	defer func() {
		// npx passes this on to the server, and an interrupt not
		command.Process.Signal(syscall.SIGTERM)
		command.Wait()
	}()
	lines := bufio.NewScanner(output)
	for ready := false; !ready; ready = strings.Contains(lines.Text(), "https://") {
		if !lines.Scan() {
			return 1, fmt.Errorf("the server ended before it was ready")
		}
	}
	if host, err = clientcmd.BuildConfigFromFlags("", kubeconfig); err != nil {
		return 1, err
	}
	// what all tests begin with
	course := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "course"}, Data: map[string]string{"room": "library"}}
	seeding := kubernetes.NewForConfigOrDie(host)
	if _, err := seeding.CoreV1().ConfigMaps("default").Create(context.Background(), course, metav1.CreateOptions{}); err != nil {
		return 1, err
	}
	if err := testKit(host, "PUT", "snapshots/seeded", nil, nil); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// testKit sends a request to the test API of a server.
func testKit(server *rest.Config, method, path string, body, answer any) error {
	client, err := rest.HTTPClientFor(server)
	if err != nil {
		return err
	}
	content := []byte{}
	if body != nil {
		if content, err = json.Marshal(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequest(method, server.Host+"/testing/v1/"+path, bytes.NewReader(content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		status := metav1.Status{}
		_ = json.NewDecoder(response.Body).Decode(&status)
		return fmt.Errorf("%s %s: %s: %s", method, path, response.Status, status.Message)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

var unfit = regexp.MustCompile("[^a-z0-9]+")

// start gives a test a server of its own, which begins with the snapshot.
func start(t *testing.T) (*rest.Config, kubernetes.Interface) {
	t.Helper()
	name := unfit.ReplaceAllString(strings.ToLower(t.Name()), "-")
	made := struct{ Kubeconfig string }{}
	if err := testKit(host, "PUT", "servers/"+name, map[string]string{"snapshot": "seeded"}, &made); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := testKit(host, "DELETE", "servers/"+name, nil, nil); err != nil {
			t.Error(err)
		}
	})
	config, err := clientcmd.RESTConfigFromKubeConfig([]byte(made.Kubeconfig))
	if err != nil {
		t.Fatal(err)
	}
	return config, kubernetes.NewForConfigOrDie(config)
}

func TestBeginsWithTheSnapshot(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	course, err := client.CoreV1().ConfigMaps("default").Get(t.Context(), "course", metav1.GetOptions{})
	if err != nil || course.Data["room"] != "library" {
		t.Fatalf("%v %v", course, err)
	}
}

func TestMayChangeEverything(t *testing.T) {
	t.Parallel()
	_, client := start(t)
	maps := client.CoreV1().ConfigMaps("default")
	if err := maps.Delete(t.Context(), "course", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := maps.Get(t.Context(), "course", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatalf("unexpected answer: %v", err)
	}
}

func TestGoesByAClockOfItsOwn(t *testing.T) {
	t.Parallel()
	config, client := start(t)
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Second)
	if err := testKit(config, "POST", "clock/freeze", map[string]string{"at": at.Format(time.RFC3339)}, nil); err != nil {
		t.Fatal(err)
	}
	if err := testKit(config, "POST", "clock/advance", map[string]string{"by": "1h30m"}, nil); err != nil {
		t.Fatal(err)
	}
	late := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "late"}}
	made, err := client.CoreV1().ConfigMaps("default").Create(t.Context(), late, metav1.CreateOptions{})
	if err != nil || !made.CreationTimestamp.Time.Equal(at.Add(90*time.Minute)) {
		t.Fatalf("%v %v", made, err)
	}
}
