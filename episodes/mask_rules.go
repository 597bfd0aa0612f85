package episodes

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// value is what stands behind the name of a secret: quoted (also inside a quoted text, with \"), or up to the next blank.
// Each form is a group of its own.
const value = "(?:" + `\\"([^"\\\n]+)|"((?:[^"\\\n]|\\.)+)|'((?:[^'\\\n]|\\.)+)|` + "`([^`\n]+)" + `|([^\s"'` + "`" + `&;<>]+))`

// is is what stands between the name of a secret and its value.
const is = `\\?` + "[\"'`]?" + `[ \t]{0,4}(:=|=>|==|=|:)[ \t]{0,4}`

// The names of secrets, as the end of a longer name too (DB_PASSWORD, clientSecret).
const (
	passwordNames = `(?:password|passwd|passphrase|passcode|pwd)`
	tokenNames    = `(?:secret|token|(?:api|access|account|secret|private|auth|encryption|signing|shared|sharedaccess|master|license)[_ -]?key|credentials?)`
)

// rules are the shapes of secrets, most of them as their issuers document them. Lengths are at least what is issued, or
// less where examples and tests use less; they have no upper bound, so that no tail of a longer one is left.
var rules = []rule{
	{"private key", []string{"age-secret-key-"}, regexp.MustCompile(`\bAGE-SECRET-KEY-1[A-Z0-9]{20,}`), nil},

	{"api key", []string{"sk-"}, regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`), randomRun},                 // OpenAI, Anthropic, OpenRouter, DeepSeek
	{"api key", []string{"sk_", "rk_"}, regexp.MustCompile(`\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`), nil}, // Stripe
	{"api key", []string{"whsec_"}, regexp.MustCompile(`\bwhsec_[A-Za-z0-9+/=]{16,}`), nil},                // Stripe
	{"api key", []string{"gsk_", "xai-", "pplx-", "r8_", "hf_", "nvapi-"}, regexp.MustCompile(`\b(?:gsk_|xai-|pplx-|r8_|hf_|nvapi-)[A-Za-z0-9_-]{20,}`), randomRun},
	{"api key", []string{"aiza"}, regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`), nil},                                              // Google
	{"api key", []string{"akia", "asia", "abia", "acca"}, regexp.MustCompile(`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}\b`), hasDigit}, // AWS
	{"api key", []string{"sg."}, regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), nil},                           // SendGrid
	{"token", []string{"ya29."}, regexp.MustCompile(`\bya29\.[A-Za-z0-9_-]{20,}`), nil},                                             // Google
	{"token", []string{"gocspx-"}, regexp.MustCompile(`\bGOCSPX-[A-Za-z0-9_-]{20,}`), nil},                                          // Google
	{"token", []string{"gh"}, regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{20,}`), nil},                                              // GitHub
	{"token", []string{"github_pat_"}, regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{20,}`), nil},                                   // GitHub
	{"token", []string{"gl"}, regexp.MustCompile(`\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_.-]{20,}`), nil},                             // GitLab
	{"token", []string{"xox", "xapp-"}, regexp.MustCompile(`\b(?:xox[abcdeoprs]|xapp)-[A-Za-z0-9-]{10,}`), hasDigit},                // Slack
	{"token", []string{"hooks.slack.com"}, regexp.MustCompile(`\bhooks\.slack\.com/services/([A-Za-z0-9/_-]{20,})`), nil},           // Slack
	{"token", []string{"npm_", "dop_v1_", "shpat_", "lin_api_", "ntn_", "pypi-", "hvs."},
		regexp.MustCompile(`\b(?:npm_|dop_v1_|shpat_|lin_api_|ntn_|pypi-|hvs\.)[A-Za-z0-9_-]{24,}`), randomRun},
	{"token", []string{":aa"}, regexp.MustCompile(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}`), nil}, // Telegram
	{"jwt", []string{"eyj"}, regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)+`), nil},

	{"bearer token", []string{"bearer"}, regexp.MustCompile(`(?i)\bbearer[ \t]+([A-Za-z0-9._~+/=-]{12,})`), hasDigit},
	{"bearer token", []string{"authorization"}, regexp.MustCompile(`(?i)\bauthorization["'` + "`" + `]?[ \t]*[:=][ \t]*["'` + "`" + `]?(?:basic|token|bearer|apikey|digest)[ \t]+([^\s"'` + "`" + `]{8,})`), notPlaceholder},
	// The password of scheme://user:password@host, up to the last @ before a slash.
	{"password", []string{"://"}, regexp.MustCompile(`(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]*:([^\s/"'<>]+)@`), notPlaceholder},
	{"password", []string{"pass", "pwd"}, regexp.MustCompile(`(?i)` + passwordNames + is + value), realPassword},
	{"password", []string{"pass"}, regexp.MustCompile(`(?i)\b(?:password|passphrase|passcode)[ \t]+(is)[ \t]*:?[ \t]*` + value), realPassword},
	{"password", []string{"--pass"}, regexp.MustCompile(`(?i)--pass(?:word|phrase|wd)?([ \t]+)` + value), realPassword},
	{"secret", []string{"secret", "token", "key", "credential"}, regexp.MustCompile(`(?i)` + tokenNames + is + value), realToken},
	{"secret", []string{"--"}, regexp.MustCompile(`(?i)--[a-z-]{0,20}(?:token|secret|api-?key)([ \t]+)` + value), realToken},
}

// matched is the secret itself: the last group that took part, or all of the match.
func matched(groups []string) string {
	for _, g := range slices.Backward(groups) {
		if g != "" {
			return g
		}
	}
	return ""
}

func hasDigit(groups []string) bool {
	return strings.ContainsAny(matched(groups), "0123456789") && notPlaceholder(groups)
}

func notPlaceholder(groups []string) bool { return !placeholder(matched(groups)) }

// randomRun wants a stretch of letters and digits that no word has: sk-learn-compatible-estimators is no key.
func randomRun(groups []string) bool {
	for part := range strings.FieldsFuncSeq(matched(groups), func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		digits := strings.ContainsAny(part, "0123456789")
		letters := strings.IndexFunc(part, unicode.IsLetter) >= 0
		if len(part) >= 20 || len(part) >= 12 && digits && letters {
			return true
		}
	}
	return false
}

// realPassword judges what stands behind the name of a password. groups: all, the sign between, then the forms of value.
func realPassword(groups []string) bool {
	v := matched(groups)
	quoted := groups[len(groups)-1] == ""
	if !quoted {
		v = strings.TrimRight(v, ",.)]}")
	}
	if len(v) < 4 || placeholder(v) || code(v) {
		return false
	}
	if quoted {
		return true
	}
	if strings.ContainsAny(v, "0123456789!@#$%^*+~?") {
		return true
	}
	return strings.TrimSpace(groups[1]) == "=" && len(v) >= 6
}

// realToken judges what stands behind the name of a token or key: words alone name something, they are no key.
func realToken(groups []string) bool {
	v := strings.TrimRight(matched(groups), ",.)]}")
	if len(v) < 8 || placeholder(v) || code(v) || strings.ContainsAny(v, " \t") || strings.Contains(v, "://") || strings.HasPrefix(v, "/") {
		return false
	}
	return strings.ContainsAny(v, "0123456789") && strings.IndexFunc(v, unicode.IsLetter) >= 0 || len(v) >= 24 && !strings.ContainsAny(v, "/._-")
}

// words that stand where a secret would, in documentation, schemas and forms.
var standIns = []string{
	"string", "str", "text", "bytes", "none", "null", "nil", "true", "false", "undefined", "empty", "hidden", "secret", "password", "passwd",
	"token", "value", "required", "optional", "redacted", "masked", "default", "unset", "input", "invalid", "incorrect", "wrong", "missing", "expired",
}

// placeholder tells a stand-in from a secret: variables, templates, stars, "your-…", words of standIns, and our own mark.
func placeholder(v string) bool {
	l := strings.ToLower(strings.Trim(v, `"'`+"`"))
	switch {
	case l == "", strings.HasPrefix(l, "[masked:"), strings.Contains(l, "[masked: "):
		return true
	case strings.HasPrefix(l, "$"), strings.HasPrefix(l, "{{"), strings.HasPrefix(l, "${"), strings.HasPrefix(l, "%("), strings.HasPrefix(l, "<"):
		return true
	case strings.HasPrefix(l, "your"), strings.HasPrefix(l, "my-"), strings.Contains(l, "placeholder"), strings.Contains(l, "changeme"),
		strings.HasPrefix(l, "enter "), strings.HasSuffix(l, "password?"):
		return true
	case strings.Trim(l, "*x.•-_…") == "":
		return true
	}
	return slices.Contains(standIns, strings.TrimRight(l, ".,;:!?)]}"))
}

var (
	dotted   = regexp.MustCompile(`^[A-Za-z_][A-Za-z_]*(?:\.[A-Za-z_]+)+$`) // config.password
	constant = regexp.MustCompile(`^[A-Z]+(?:_[A-Z]+)+$`)                   // OPENAI_API_KEY
)

// code tells an expression that fetches a secret from the secret.
func code(v string) bool {
	return strings.Contains(v, "(") || strings.Contains(v, "environ") || strings.Contains(v, "process.env") || dotted.MatchString(v) || constant.MatchString(v)
}
