package cli

import (
	"fmt"
	"strings"

	"memory-graph/internal/config"
	"memory-graph/internal/hooks"
)

// routing decides in which namespace the turns of a repository belong. The routes come only from the user's own
// config.toml. A namespace that a flag or a variable names counts for everything.
type routing struct {
	usual  string // the namespace without a route
	named  string // the flag or variable that names the namespace; "" if none does
	routes config.Routes
	file   string // that has the routes
}

// newRouting returns the routing of loaded settings.
func newRouting(cfg *config.Config, sources config.Sources) routing {
	r := routing{usual: cfg.Namespace, routes: cfg.Routes, file: cfg.File}
	if from := sources["namespace"]; strings.HasPrefix(from, "flag ") || strings.HasPrefix(from, "environment ") {
		r.named = from
	}
	return r
}

// routed is where turns go, and why.
type routed struct {
	Project     string `json:"project,omitempty"`
	ProjectFrom string `json:"project_from,omitempty"` // a setting, or hooks.NameSource
	Namespace   string `json:"namespace"`
	Pattern     string `json:"pattern,omitempty"` // the route; "" for none
	Reason      string `json:"reason"`
}

// of returns where the turns of a directory go. A configured project replaces that of the directory; it decides about
// the route if it is owner/name.
func (r routing) of(configured, dir, home string) routed {
	out := routed{Project: configured, ProjectFrom: "setting project"}
	owned := configured // the project that decides the route
	if !config.HasOwner(configured) {
		found, from := "", hooks.NoName
		if configured == "" || r.named == "" && len(r.routes) > 0 { // reading directories takes time
			found, from = hooks.FindProject(dir, home)
		}
		if owned = found; configured == "" {
			out.Project, out.ProjectFrom = found, string(from)
		}
	}
	out.Namespace, out.Pattern, out.Reason = r.namespace(owned)
	return out
}

// namespace returns the namespace of a project with the pattern that led there, and the reason as a sentence.
func (r routing) namespace(project string) (namespace, pattern, reason string) {
	switch {
	case r.named != "":
		return r.usual, "", fmt.Sprintf("The %s names the namespace, so routes are not used.", r.named)
	case len(r.routes) == 0:
		return r.usual, "", "There are no routes in your config.toml."
	case project == "":
		return r.usual, "", "The directory belongs to no project, so no route applies."
	case !config.HasOwner(project):
		return r.usual, "", fmt.Sprintf("The project %q is not named owner/name, so no route applies.", project)
	}
	if pattern, namespace, ok := r.routes.Match(project); ok {
		return namespace, pattern, fmt.Sprintf("The route %q in %s matches %q.", pattern, r.file, project)
	}
	return r.usual, "", fmt.Sprintf("No route in %s matches %q.", r.file, project)
}

// forProject returns the namespace of a project that a call names, and false if its name has no owner.
func (r routing) forProject(project string) (string, bool) {
	if len(r.routes) == 0 || r.named != "" || !config.HasOwner(project) {
		return "", false
	}
	namespace, _, _ := r.namespace(project)
	return namespace, true
}

// route puts the namespace of a directory into the settings.
func (a *app) route(cfg *config.Config, sources config.Sources, dir string) routing {
	r := newRouting(cfg, sources)
	if len(r.routes) == 0 || r.named != "" {
		return r
	}
	if at := r.of(cfg.Project, dir, config.Home(a.env)); at.Pattern != "" {
		cfg.Namespace = at.Namespace
		sources["namespace"] = fmt.Sprintf("route %q of %s", at.Pattern, r.file)
	}
	return r
}
