package cli_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestImport_OfADamagedFileTakesWhatStandsBefore(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(`{"type":"entity","name":"Ada","entityType":"person","observations":["keeps bees"]}` +
		"\n")); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, "memory.jsonl.gz")
	packed.Bytes()[packed.Len()-6] ^= 0xff // of the checksum
	if err := os.WriteFile(file, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := run(t, home, "import", file)
	if code == 0 || !strings.Contains(stdout, "1 entity") || !strings.Contains(stderr, "invalid checksum") ||
		!strings.Contains(stderr, "Everything before that is imported.") {
		t.Errorf("%d\n%s\n%s", code, stdout, stderr)
	}
	if code, stdout, stderr := run(t, home, "export", "--format", "reference"); code != 0 ||
		!strings.Contains(stdout, "keeps bees") {
		t.Errorf("%d\n%s\n%s", code, stdout, stderr)
	}
}
