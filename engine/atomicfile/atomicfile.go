// Package atomicfile replaces files as a whole: who reads one, also after a crash of the program, has the old content or
// the new one, and never a part.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts data into the file name, with that mode. durable waits until it is on the disk, so that a loss of power
// does not leave an empty file; what can be made again does without. On an error the file is as it was.
func Write(name string, data []byte, mode fs.FileMode, durable bool) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // fails when it has been renamed
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil && durable {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
