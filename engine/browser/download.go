package browser

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mxschmitt/playwright-go"
	"github.com/nth-dev/nth/engine"
)

// KeepDownloads says where files that pages hand over are kept, under their own names. Without it they are noted, and
// deleted when the session is closed. It is called before the first action.
func (s *Session) KeepDownloads(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepDir = dir
}

// download is called by Playwright when a download begins.
func (s *Session) download(d playwright.Download) {
	s.mu.Lock()
	dir := s.keepDir
	if s.closing {
		s.mu.Unlock()
		return
	}
	s.coming.Add(1)
	s.mu.Unlock()
	go func() {
		defer s.coming.Done()
		got := keep(d, dir)
		s.mu.Lock()
		s.downloads = append(s.downloads, got)
		s.mu.Unlock()
		s.event()
	}()
}

// keep waits for a download, and moves it to dir.
func keep(d playwright.Download, dir string) engine.Download {
	out := engine.Download{Name: fileName(d.SuggestedFilename())}
	path, err := d.Path()
	if err != nil {
		out.Error = headline(err)
		return out
	}
	if out.Size, out.SHA256, err = digest(path); err == nil && dir != "" {
		out.Path, err = saveAs(d, dir, out.Name)
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

// saveAs saves a file under its name, with a number when that is taken.
func saveAs(d playwright.Download, dir, name string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	ext := filepath.Ext(name)
	stem := strings.TrimSuffix(name, ext)
	for i := 1; ; i++ {
		path := filepath.Join(dir, name)
		if i > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s-%d%s", stem, i, ext))
		}
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		_ = f.Close()
		if err := d.SaveAs(path); err != nil {
			_ = os.Remove(path)
			return "", fmt.Errorf("%s", headline(err))
		}
		return path, nil
	}
}

// fileName is what of a site's name for a file is safe to use here.
func fileName(name string) string {
	name = filepath.Base(filepath.Clean("/" + strings.ReplaceAll(name, "\\", "/")))
	if name == "/" || name == "." {
		return "download"
	}
	return name
}

func digest(path string) (size int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return size, hex.EncodeToString(h.Sum(nil)), err
}
