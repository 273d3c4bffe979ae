package lsp

import (
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/nth-dev/nth/engine/compile"
	"github.com/nth-dev/nth/engine/editor"
	"github.com/nth-dev/nth/engine/pack"
	"github.com/nth-dev/nth/schema"
)

// document is a file that is open in the editor. Its text counts, whatever the disk says.
type document struct {
	uri     string
	name    string // what findings call it
	version int
	text    *text
	foreign bool // it is none of nth's files
}

// files are the texts that lie over the disk, by name. It is not changed: a change makes a new one.
type files map[string]*text

func (f files) with(name string, t *text) files {
	out := maps.Clone(f)
	if out == nil {
		out = files{}
	}
	if t == nil {
		delete(out, name)
	} else {
		out[name] = t
	}
	return out
}

// loader reads through the open texts.
func (f files) loader(cache *pack.Cache, eval bool) *pack.Loader {
	return &pack.Loader{Cache: cache, AllowEval: eval, Read: f.read, Parsed: f.parsed}
}

func (f files) parsed(name string) (compile.File, bool) {
	t, ok := f[path.Clean(filepath.ToSlash(name))]
	if !ok {
		return compile.File{}, false
	}
	return t.file(name), true
}

func (f files) read(name string) ([]byte, error) {
	if t, ok := f[path.Clean(filepath.ToSlash(name))]; ok {
		return t.file(name).Data, nil
	}
	return (&pack.Loader{}).ReadFile(name)
}

// project is the project file of a folder, from the folder or from above it; without a good one, the zero Project.
func (f files) project(dir string) (p *schema.Project, folder string) {
	for range 64 {
		name := path.Join(dir, "nth.yaml")
		if data, err := f.read(name); err == nil {
			node, ds := schema.Parse(name, data)
			if node == nil || ds.HasErrors() {
				return &schema.Project{}, dir
			}
			p, ds := schema.DecodeProject(node)
			if p == nil || ds.HasErrors() {
				return &schema.Project{}, dir
			}
			return p, dir
		}
		parent := path.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return &schema.Project{}, dir
}

// nameOf is the file name of a URI: absolute, with slashes. Texts that are no files keep their URI as a name.
func nameOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	name := u.Path
	if len(name) > 2 && name[0] == '/' && name[2] == ':' { // a drive of Windows
		name = name[1:]
	}
	return path.Clean(name)
}

func uriOf(name string) string {
	if strings.Contains(strings.SplitN(name, "/", 2)[0], ":") && !filepath.IsAbs(name) {
		return name // it was none of a file
	}
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	return (&url.URL{Scheme: "file", Path: name}).String()
}

// view is what is known of a file: its tree, and, for a flow, its packs.
type view struct {
	name    string
	text    *text
	root    *schema.Node
	kind    string
	flow    *schema.Flow
	catalog *editor.Catalog // of a flow
	pack    *editor.Pack    // of a pack, or the one that a skills file belongs to
	calls   map[string]*compile.Input
	uses    []use // what names gives, once it was asked
}

// view reads a file; nil when it is not YAML.
func (s *Server) view(name string, t *text) *view {
	file := t.file(name)
	root, _ := file.Parse()
	if root == nil {
		return nil
	}
	v := &view{name: name, text: t, root: root, kind: schema.Kind(root), catalog: &editor.Catalog{}}
	l := s.files.loader(s.cache, false)
	switch v.kind {
	case "pack/v1":
		v.pack = readPack(l, file)
	case "skills/v1":
		v.pack = s.packOf(l, name)
	case "project/v1":
	default:
		in := l.LoadFile(file)
		v.flow, _ = file.Flow()
		v.catalog, v.calls = editor.Read(in), in.Calls
	}
	return v
}

// readPack reads the pack of a main file, with what can be read of its further files.
func readPack(l *pack.Loader, main compile.File) *editor.Pack {
	files := compile.PackFiles{Pack: main}
	node, _ := main.Parse()
	if node == nil {
		return nil
	}
	if p, _ := schema.DecodePack(node); p != nil {
		for _, more := range p.Files {
			sub := path.Join(path.Dir(main.Name), more.Value)
			if data, err := l.ReadFile(sub); err == nil && filepath.IsLocal(more.Value) {
				files.Skills = append(files.Skills, compile.NewFile(sub, data))
			}
		}
	}
	return editor.ReadPack(files)
}

// packOf finds the pack that a skills file belongs to: the one in its folder, or above it, that lists the file.
func (s *Server) packOf(l *pack.Loader, name string) *editor.Pack {
	dir := path.Dir(name)
	for range 8 {
		main := path.Join(dir, pack.FileName)
		if data, err := l.ReadFile(main); err == nil {
			p := readPack(l, compile.NewFile(main, data))
			if p == nil {
				return nil
			}
			for _, f := range p.Files {
				if path.Join(dir, f.Value) == name {
					return p
				}
			}
			return nil
		}
		if path.Dir(dir) == dir {
			break
		}
		dir = path.Dir(dir)
	}
	return nil
}
