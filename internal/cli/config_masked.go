package cli

import (
	"regexp"

	"memory-graph/internal/safety/secrets"
)

// userinfo finds user and password in a URL.
var userinfo = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://)[^/\s'"@]+@`)

// secretFlag finds the value of an argument whose name says that it is a secret.
var secretFlag = regexp.MustCompile(`(?i)((?:^|\s)-{1,2}[a-z0-9_-]*(?:key|token|secret|password|passwd)[=\s]\s*)` +
	`("[^"]*"|'[^']*'|[^\s-]\S*)`)

// secretVariable finds the value of a variable whose name says that it is a secret, in a command line.
var secretVariable = regexp.MustCompile(`\b([A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD)=)("[^"]*"|'[^']*'|\S+)`)

// maskedSetting hides secrets inside the value of a setting that is not itself a secret: the user of a URL, and keys
// among the arguments of a command.
func maskedSetting(s string) string {
	s = userinfo.ReplaceAllString(s, "${1}(hidden)@")
	s = secretFlag.ReplaceAllString(s, "${1}(hidden)")
	s = secretVariable.ReplaceAllString(s, "${1}(hidden)")
	s, _ = secrets.Mask(s)
	return s
}
