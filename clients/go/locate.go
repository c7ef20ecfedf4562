package binnacle

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var mainModule = filepath.Join("dist", "cli", "main.js")

// findNode returns the program Node.js: BINNACLE_NODE, or node in PATH.
func findNode() (string, error) {
	if named := os.Getenv("BINNACLE_NODE"); named != "" {
		found, err := exec.LookPath(named)
		if err != nil {
			return "", fmt.Errorf("BINNACLE_NODE is %s, which is not a program", named)
		}
		return found, nil
	}
	found, err := exec.LookPath("node")
	if err != nil {
		return "", errors.New("there is no node in PATH: install Node.js 20.19 or newer, or set BINNACLE_NODE to the program")
	}
	return found, nil
}

// findMain returns the module to run: of BINNACLE_PATH, of node_modules here or in a folder above, or of npm's global packages.
func findMain() (string, error) {
	if named := os.Getenv("BINNACLE_PATH"); named != "" {
		path := filepath.Join(named, mainModule)
		if !isFile(path) {
			return "", fmt.Errorf("BINNACLE_PATH is %s, where there is no %s: it must be the folder of the package binnacle", named, mainModule)
		}
		return path, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for folder := here; ; folder = filepath.Dir(folder) {
		if path := filepath.Join(folder, "node_modules", "binnacle", mainModule); isFile(path) {
			return path, nil
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	if root, err := exec.Command("npm", "root", "--global").Output(); err == nil {
		if path := filepath.Join(strings.TrimSpace(string(root)), "binnacle", mainModule); isFile(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("binnacle is not installed in node_modules of %s or of a folder above it, nor globally: "+
		"run 'npm install binnacle', or set BINNACLE_PATH to the folder of the package", here)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
