package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"memory-graph/internal/memory"
	"memory-graph/tools"
)

// callHeader names the call that made a change, for undo.
const callHeader = "Memory-Graph-Call"

// handleActs adds the paths that change the memory, and describes them.
func handleActs(mux *http.ServeMux, mem tools.Memory, o Options, around func() (done func()), doc *openAPI) error {
	for _, name := range restActs {
		path := "/act/" + name
		tool, err := tools.Named(mem, o.Tools, name)
		if err != nil {
			return fmt.Errorf("serve %s%s: %w", restBase, path, err)
		}
		if err := doc.addAct(path, tool); err != nil {
			return fmt.Errorf("describe %s%s: %w", restBase, path, err)
		}
		mux.HandleFunc(restBase+path, func(w http.ResponseWriter, r *http.Request) {
			restHeaders(w.Header())
			defer around()()
			if r.Method != http.MethodPost {
				w.Header().Set("Allow", "POST")
				writeREST(w, http.StatusMethodNotAllowed, restError(memory.Errorf(memory.InvalidArgument,
					"%s is not possible: %s changes the memory.", r.Method, r.URL.Path).WithHint("Use POST.")))
				return
			}
			body, err := act(w, r, tool, o.HTTP.MaxBodyBytes)
			if err != nil {
				e := memory.AsError(err)
				writeREST(w, restStatus[e.Code], restError(e))
				return
			}
			writeREST(w, http.StatusOK, body)
		})
	}
	return nil
}

// act calls a tool for the person at the page.
func act(w http.ResponseWriter, r *http.Request, tool tools.Tool, most int64) (json.RawMessage, error) {
	if err := fromThePage(r); err != nil {
		return nil, err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, memory.Errorf(memory.InvalidArgument, "the Content-Type is %q.", r.Header.Get("Content-Type")).
			WithHint("Send the arguments as application/json.")
	}
	arguments, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, memory.Errorf(memory.TooLarge, "the body has more than the %d bytes allowed.", large.Limit).
			WithHint("Send less.")
	}
	if err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "the body could not be read: %w.", err).WithHint("Send it again.")
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("make a call id: %w", err)
	}
	ctx := tools.WithClient(r.Context(), name+" explore") // the browser's name is not useful
	answer, err := tool.Ask(tools.ByPerson(ctx, id.String()), arguments)
	if err == nil {
		w.Header().Set(callHeader, id.String())
	}
	return answer, err
}

// fromThePage returns an error unless the page itself sent a request, for the person who opened it.
func fromThePage(r *http.Request) error {
	if !mayWrite(r.Context()) {
		return memory.Errorf(memory.ReadOnly, "this page only reads.").
			WithHint("Open the link that memory-graph explore prints to correct the memory.")
	}
	own := r.Header.Get("Sec-Fetch-Site") == "same-origin" || strings.EqualFold(r.Header.Get("Origin"), "http://"+r.Host)
	if !own || r.Header.Get(pageHeader) == "" {
		return memory.Errorf(memory.ReadOnly, "only the page of memory-graph explore changes the memory.").
			WithHint("Send the header %s, and an Origin of this server.", pageHeader)
	}
	return nil
}
