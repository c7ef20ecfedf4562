package main

import (
	"os"

	"github.com/go-logr/logr/funcr"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	log := funcr.New(func(prefix, args string) { os.Stderr.WriteString(prefix + " " + args + "\n") }, funcr.Options{})
	ctrl.SetLogger(log)
	if err := run(); err != nil {
		log.Error(err, "the operator has ended")
		os.Exit(1)
	}
}

func run() error {
	if err := addToScheme(scheme.Scheme); err != nil {
		return err
	}
	config, err := ctrl.GetConfig()
	if err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:                       metrics.Options{BindAddress: "0"},
		LeaderElection:                true,
		LeaderElectionID:              "courses",
		LeaderElectionNamespace:       "default",
		LeaderElectionReleaseOnCancel: true,
	})
	if err != nil {
		return err
	}
	if err := setUp(manager, 4); err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
