package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"memory-graph/internal/config"
)

// tokenPatience is how long `token show` waits for the server of the settings.
const tokenPatience = 2 * time.Second

// tokenAccepted says which server accepts a token. It asks only a server on this machine.
func tokenAccepted(ctx context.Context, cfg *config.Config, token string) string {
	if cfg.HTTP == "" {
		return "HTTP is off in these settings, so their servers take no token; a server that was started with --http may"
	}
	host, port, err := net.SplitHostPort(cfg.HTTP)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Sprintf("not tried at %s, which is not only this machine", cfg.HTTP)
	}
	addr := net.JoinHostPort(host, port)
	ctx, cancel := context.WithTimeout(ctx, tokenPatience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, "http://"+addr+"/api/v1/openapi.json", nil)
	if err != nil {
		return fmt.Sprintf("not tried at %s", addr)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	direct := &http.Transport{} // no proxy gets the token
	defer direct.CloseIdleConnections()
	answer, err := (&http.Client{Transport: direct}).Do(req)
	if err != nil {
		return fmt.Sprintf("no server answers at %s now", addr)
	}
	_ = answer.Body.Close() // HEAD has no body
	switch answer.StatusCode {
	case http.StatusOK:
		return fmt.Sprintf("the server at %s accepts it", addr)
	case http.StatusUnauthorized:
		return fmt.Sprintf("the server at %s refuses it: it was started with another token", addr)
	}
	return fmt.Sprintf("at %s another program answers", addr)
}
