// Reads the Go source of a Kubernetes release and prints JSON.
//
//	go run . types NAME=FOLDER...       the exported structs of types*.go: their fields, Go types and +markers
//	go run . functions NAME=FOLDER...   a digest of every function, without its comments, by "NAME/file.go Function"
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: types|functions NAME=FOLDER"))
	}
	found := map[string]any{}
	each := map[string]func(string, string, *ast.File, map[string]any){"types": addTypes, "functions": addFunctions}[os.Args[1]]
	if each == nil {
		fail(fmt.Errorf("unknown mode %s", os.Args[1]))
	}
	for _, argument := range os.Args[2:] {
		name, folder, _ := strings.Cut(argument, "=")
		fail(filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isSource(entry.Name()) {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			if err != nil {
				return err
			}
			within, err := filepath.Rel(folder, path)
			each(name, filepath.ToSlash(within), file, found)
			return err
		}))
	}
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	fail(out.Encode(found))
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "zz_generated")
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type field struct {
	Name          string   `json:"name,omitempty"`
	Type          string   `json:"type"`
	AlwaysPresent bool     `json:"alwaysPresent,omitempty"`
	OmitZero      bool     `json:"omitZero,omitempty"`
	Markers       []string `json:"markers,omitempty"`
}

func addTypes(name, path string, file *ast.File, found map[string]any) {
	if !strings.HasPrefix(filepath.Base(path), "types") {
		return
	}
	pkg := strings.TrimSuffix(name+"/"+filepath.ToSlash(filepath.Dir(path)), "/.")
	for _, declaration := range file.Decls {
		group, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			named, ok := spec.(*ast.TypeSpec)
			if !ok || !named.Name.IsExported() {
				continue
			}
			structure, ok := named.Type.(*ast.StructType)
			if !ok {
				continue
			}
			fields := map[string]field{}
			tagged := len(structure.Fields.List) == 0
			for _, each := range structure.Fields.List {
				tagged = tagged || each.Tag != nil
				if key, one, ok := fieldOf(each); ok {
					fields[key] = one
				}
			}
			// a struct without a single tag is no part of the API
			if !tagged {
				continue
			}
			doc := named.Doc
			if doc == nil {
				doc = group.Doc
			}
			entry := map[string]any{"fields": fields}
			if markers := markersOf(doc); markers != nil {
				entry["markers"] = markers
			}
			found[pkg+"."+named.Name.Name] = entry
		}
	}
}

// fieldOf returns the field by its key in JSON; an embedded struct has none.
func fieldOf(source *ast.Field) (string, field, bool) {
	if source.Tag == nil {
		return "", field{}, false
	}
	tag, ok := reflect.StructTag(strings.Trim(source.Tag.Value, "`")).Lookup("json")
	if !ok || len(source.Names) > 0 && !source.Names[0].IsExported() {
		return "", field{}, false
	}
	words := strings.Split(tag, ",")
	is := map[string]bool{}
	for _, word := range words[1:] {
		is[word] = true
	}
	one := field{Type: text(source.Type), Markers: markersOf(source.Doc), OmitZero: is["omitzero"]}
	key := words[0]
	if len(source.Names) > 0 {
		one.Name = source.Names[0].Name
		if key == "" {
			key = one.Name
		}
	} else if key == "" {
		return "(inline) " + one.Type, one, true
	}
	one.AlwaysPresent = !is["omitempty"] && !is["omitzero"] && !is["inline"]
	return key, one, true
}

func markersOf(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var markers []string
	for _, comment := range doc.List {
		line := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
		if len(line) > 1 && line[0] == '+' && line[1] != ' ' {
			markers = append(markers, line)
		}
	}
	return markers
}

func addFunctions(name, path string, file *ast.File, found map[string]any) {
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		receiver := ""
		if function.Recv != nil {
			receiver = strings.TrimPrefix(text(function.Recv.List[0].Type), "*") + "."
		}
		digest := sha256.Sum256([]byte(text(function.Type) + text(function.Body)))
		found[name+"/"+path+" "+receiver+function.Name.Name] = hex.EncodeToString(digest[:8])
	}
}

// text prints a node on its own, and so without comments and without the lines it stood on.
func text(node ast.Node) string {
	var out bytes.Buffer
	fail(printer.Fprint(&out, token.NewFileSet(), node))
	return out.String()
}
