package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
)

// wheelTags are the platform tags of wheels. The programs need no C library, so one wheel serves glibc and musl.
var wheelTags = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// wheel writes a Python wheel whose only content is the program, as a script (PyPA's binary distribution format).
func (r release) wheel(p program) error {
	name := r.owner.PyPI
	if name == "" {
		name = "memory-graph"
	}
	tag, ok := wheelTags[p.os+"/"+p.arch]
	if !ok {
		return fmt.Errorf("no wheel tag for %s/%s", p.os, p.arch)
	}
	stem := strings.ReplaceAll(name, "-", "_") + "-" + pythonVersion(r.version)
	info := stem + ".dist-info/"
	var tags strings.Builder
	for one := range strings.SplitSeq(tag, ".") {
		fmt.Fprintf(&tags, "Tag: py3-none-%s\n", one)
	}
	home := ""
	if r.owner.Homepage != "" {
		home = "Project-URL: Homepage, " + r.owner.Homepage + "\n"
	}
	files := []file{
		{name: stem + ".data/scripts/" + p.name(), mode: 0o755, from: p.path},
		{name: info + "METADATA", mode: 0o644, data: fmt.Appendf(nil,
			"Metadata-Version: 2.4\nName: %s\nVersion: %s\nSummary: %s\nLicense-Expression: MIT\n"+
				"License-File: LICENSE\nLicense-File: NOTICE\nRequires-Python: >=3.8\n%s",
			name, pythonVersion(r.version), description, home)},
		{name: info + "WHEEL", mode: 0o644, data: fmt.Appendf(nil,
			"Wheel-Version: 1.0\nGenerator: memory-graph\nRoot-Is-Purelib: false\n%s", tags.String())},
	}
	files = append(files, licenses(info+"licenses/")...)
	var record strings.Builder
	for _, f := range files {
		data, err := f.read()
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files = append(files, file{name: info + "RECORD", mode: 0o644, data: []byte(record.String())})
	return writeZip(filepath.Join(r.dir, stem+"-py3-none-"+tag+".whl"), r.time, files)
}

// pythonVersion writes a version as PEP 440 does: 1.2.3-rc.1 is 1.2.3rc1. Other prereleases become local versions.
func pythonVersion(version string) string {
	number, pre, ok := strings.Cut(version, "-")
	if !ok {
		return version
	}
	compact := strings.ReplaceAll(pre, ".", "")
	for long, short := range map[string]string{"alpha": "a", "beta": "b", "rc": "rc"} {
		if rest, ok := strings.CutPrefix(compact, long); ok && strings.Trim(rest, "0123456789") == "" && rest != "" {
			return number + short + rest
		}
	}
	return number + "+" + strings.ToLower(strings.ReplaceAll(pre, "-", "."))
}
