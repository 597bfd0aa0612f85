package main

import (
	"debug/buildinfo"
	"io"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// modules writes the SBOM of a program in CycloneDX's JSON: the Go release and the modules that its build records, with
// the checksums of go.sum.
func (r release) modules(p program) error {
	info, err := buildinfo.ReadFile(p.path)
	if err != nil {
		return err
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{
		Timestamp: r.time.Format("2006-01-02T15:04:05Z"),
		Component: &cdx.Component{Type: cdx.ComponentTypeApplication, Name: "memory-graph", Version: "v" + r.version,
			Licenses: &cdx.Licenses{{License: &cdx.License{ID: "MIT"}}}},
	}
	parts := []cdx.Component{{Type: cdx.ComponentTypeLibrary, Name: "std", Version: info.GoVersion,
		PackageURL: "pkg:golang/std@" + info.GoVersion}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		parts = append(parts, cdx.Component{Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: m.Version,
			PackageURL: "pkg:golang/" + m.Path + "@" + m.Version,
			Properties: &[]cdx.Property{{Name: "go.sum", Value: m.Sum}}})
	}
	bom.Components = &parts
	return create(r.out(p, ".cdx.json"), func(w io.Writer) error {
		return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bom)
	})
}
