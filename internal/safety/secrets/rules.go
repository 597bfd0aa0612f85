package secrets

import (
	"slices"
	"strings"
	"unicode"

	"memory-graph/internal/text"
)

// The value after the name of a secret: quoted (also inside a quoted text, with \"), or bare, up to the next blank.
// Each form is a group of its own.
const (
	quoted = `\\"([^"\\\n]+)|"((?:[^"\\\n]|\\.)+)|'((?:[^'\\\n]|\\.)+)|` + "`([^`\n]+)"
	ends   = `\s"'` + "`" + `;<>，。；、）」』` // a bare value ends before these
	value  = "(?:" + quoted + "|([^&" + ends + "]+))"
	// In prose and lists "&" belongs to the value. After "=" it may begin the next parameter of a URL.
	proseValue = "(?:" + quoted + "|([^=&" + ends + "][^" + ends + "]*))"
	// Scripts without blanks between words also end a value.
	latinValue = "(?:" + quoted + `|([^=\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}` + ends +
		`][^\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}` + ends + "]*))"
)

// The text between the name of a secret and its value. The full-width signs are Chinese and Japanese; French puts a
// non-breaking space before a colon.
const (
	before = `\\?` + "[\"'`]?" + `[ \t\x{a0}\x{202f}]{0,4}`
	behind = `[ \t\x{a0}\x{3000}]{0,4}`
	is     = before + `(:=|=>|==|=|:|：|＝)` + behind
	colon  = before + `(:|：)` + behind
)

// The names of secrets. They also match at the end of a longer name (DB_PASSWORD, clientSecret).
const (
	passwordNames = `(?:password|passwd|passphrase|passcode|pwd)`
	// The label of a password field in other languages.
	labelNames = `(?:passwort|kennwort|wachtwoord|mot de passe|contrase(?:ñ|n\x{303}|n)a|contrasenya|senha|palavra-passe|hasło|heslo|lösenord|` +
		`adgangskode|passord|salasana|jelszó|parolă|parola|şifre|пароль|密码|密碼|口令|パスワード|비밀번호|암호|รหัสผ่าน|mật khẩu|kata sandi|κωδικός|كلمة المرور|كلمة السر|סיסמה|पासवर्ड)`
	tokenNames = `(?:secret|token|(?:api|access|account|secret|private|auth|encryption|signing|shared|sharedaccess|master|license)[_ -]?key|credentials?)`
)

// labelHints are the hints for labelNames.
var labelHints = []string{
	"passwort", "kennwort", "wachtwoord", "mot de passe", "contrase", "senha", "palavra-passe", "hasło", "heslo",
	"lösenord", "adgangskode", "passord",
	"salasana", "jelszó", "parol", "şifre", "пароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호", "รหัสผ่าน", "mật khẩu",
	"kata sandi", "κωδικός",
	"كلمة", "סיסמה", "पासवर्ड",
}

// rules are the shapes of secrets, most of them as documented by their issuers. A minimal length is the shortest that
// is issued, or less if examples and tests use less. There is no maximal length, so no part of a longer secret remains.
var rules = []rule{
	{"private key", []string{"age-secret-key-"}, text.Pattern(`\bAGE-SECRET-KEY-1[A-Z0-9]{20,}`), nil},

	// OpenAI, Anthropic, OpenRouter, DeepSeek
	{"api key", []string{"sk-"}, text.Pattern(`\bsk-[A-Za-z0-9_-]{16,}`), randomRun},
	{"api key", []string{"sk_", "rk_"}, text.Pattern(`\b[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`), nil}, // Stripe
	{"api key", []string{"whsec_"}, text.Pattern(`\bwhsec_[A-Za-z0-9+/=]{16,}`), nil},                // Stripe
	{"api key", []string{"gsk_", "xai-", "pplx-", "r8_", "hf_", "nvapi-"},
		text.Pattern(`\b(?:gsk_|xai-|pplx-|r8_|hf_|nvapi-)[A-Za-z0-9_-]{20,}`), randomRun},
	// Google
	{"api key", []string{"aiza"}, text.Pattern(`\bAIza[A-Za-z0-9_-]{30,}`), nil},
	// AWS
	{"api key", []string{"akia", "asia", "abia", "acca"}, text.Pattern(`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}\b`),
		hasDigit},
	// SendGrid
	{"api key", []string{"sg."}, text.Pattern(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), nil},
	// Google
	{"token", []string{"ya29."}, text.Pattern(`\bya29\.[A-Za-z0-9_-]{20,}`), nil},
	// Google
	{"token", []string{"gocspx-"}, text.Pattern(`\bGOCSPX-[A-Za-z0-9_-]{20,}`), nil},
	// GitHub
	{"token", []string{"gh"}, text.Pattern(`\bgh[pousr]_[A-Za-z0-9]{20,}`), nil},
	// GitHub
	{"token", []string{"github_pat_"}, text.Pattern(`\bgithub_pat_[A-Za-z0-9_]{20,}`), nil},
	// GitLab
	{"token", []string{"gl"}, text.Pattern(`\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_.-]{20,}`), nil},
	// Slack
	{"token", []string{"xox", "xapp-"}, text.Pattern(`\b(?:xox[abcdeoprs]|xapp)-[A-Za-z0-9-]{10,}`), hasDigit},
	// Slack
	{"token", []string{"hooks.slack.com"}, text.Pattern(`\bhooks\.slack\.com/services/([A-Za-z0-9/_-]{20,})`), nil},
	{"token", []string{"npm_", "dop_v1_", "shpat_", "lin_api_", "ntn_", "pypi-", "hvs."},
		text.Pattern(`\b(?:npm_|dop_v1_|shpat_|lin_api_|ntn_|pypi-|hvs\.)[A-Za-z0-9_-]{24,}`), randomRun},
	{"token", []string{"dckr_"}, text.Pattern(`\bdckr_[po]at_[A-Za-z0-9_-]{16,}`), hasDigit}, // Docker
	{"token", []string{"glsa_"}, text.Pattern(`\bglsa_[A-Za-z0-9_]{20,}`), randomRun},        // Grafana
	{"token", []string{":aa"}, text.Pattern(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}`), nil},      // Telegram
	{"jwt", []string{"eyj"}, text.Pattern(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)+`), nil},

	{"bearer token", []string{"bearer"}, text.Pattern(`(?i)\bbearer[ \t]+([A-Za-z0-9._~+/=-]{12,})`), hasDigit},
	{"bearer token", []string{"authorization"},
		text.Pattern(`(?i)\bauthorization["'` + "`" + `]?[ \t]*[:=][ \t]*["'` + "`" +
			`]?(?:basic|token|bearer|apikey|digest)[ \t]+([^\s"'` + "`" + `]{8,})`), notPlaceholder},
	// The password in scheme://user:password@host, up to the last @ before a slash.
	{"password", []string{"://"}, text.Pattern(`(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@"'<>]*:([^\s/"'<>]+)@`),
		notPlaceholder},
	// The same with a slash in the password, which is invalid in a URL but common.
	{"password", []string{"://"},
		text.Pattern(`(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@."'<>]*:([^\s/@"'<>]+/[^\s@"'<>]*)@`), notPath},
	{"password", []string{"pass", "pwd"}, text.Pattern(`(?i)` + passwordNames + is + value), realPassword},
	{"password", []string{"pass", "pwd"}, text.Pattern(`(?i)` + passwordNames + colon + proseValue), realPassword},
	{"password", labelHints, text.Pattern(`(?i)` + labelNames + is + latinValue), labelled},
	{"password", []string{"pass"}, text.Pattern(`(?i)\b(?:password|passphrase|passcode)[ \t]+(is)[ \t]*:?[ \t]*` +
		proseValue), realPassword},
	{"password", []string{"pass"},
		text.Pattern(
			`(?i)\b(?:password|passphrase|passcode)[ \t]+(?:for|to|of|on|at)(?:[ \t]+[\pL\pN'._@-]{1,40}){1,6}?[ \t]+(is)[ \t]*:?[ \t]*` + proseValue), told},
	{"password", []string{"--pass"}, text.Pattern(`(?i)--pass(?:word|phrase|wd)?([ \t]+)` + value), realPassword},
	{"password", []string{"sshpass"},
		text.Pattern(
			`\bsshpass(?:[ \t]+-(?:[vh]+|P[ \t]*[^\s-]+))*[ \t]+-p[ \t]*(?:"((?:[^"\\\n]|\\.)+)"|'([^'\n]+)'|([^\s"']+))`),
		notPlaceholder},
	// The variable. Unlike other names, it is written without a blank after "=".
	{"password", []string{"sshpass"}, text.Pattern(`(?i)\bsshpass["']?(=|[ \t]*:[ \t]*)` + value), realPassword},
	{"secret", []string{"secret", "token", "key", "credential"}, text.Pattern(`(?i)` + tokenNames + is + value),
		realToken},
	{"secret", []string{"--"}, text.Pattern(`(?i)--[a-z-]{0,20}(?:token|secret|api-?key)([ \t]+)` + value),
		realToken},
}

// matched returns the secret itself: the last group that matched, or the whole match.
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

// randomRun requires a run of letters and digits unlike any word: sk-learn-compatible-estimators is not a key.
func randomRun(groups []string) bool {
	for part := range strings.FieldsFuncSeq(matched(groups),
		func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		digits := strings.ContainsAny(part, "0123456789")
		letters := strings.IndexFunc(part, unicode.IsLetter) >= 0
		if len(part) >= 20 || len(part) >= 12 && digits && letters {
			return true
		}
	}
	return false
}

// realPassword judges the value after the name of a password. groups are the match, the separator, and the forms of the
// value.
func realPassword(groups []string) bool {
	v := matched(groups)
	inQuotes := groups[len(groups)-1] == ""
	if !inQuotes {
		v = strings.TrimRight(v, ",.)]}")
	}
	if len(v) < 4 || placeholder(v) || code(v) || code(matched(groups)) {
		return false
	}
	if inQuotes {
		return true
	}
	if strings.ContainsAny(v, "0123456789!@#$%^*+~?") {
		return true
	}
	return (groups[1] == "=" || groups[1] == "＝") && len(v) >= 6
}

// lengths matches the length that a form requires of a password: 8-16.
var lengths = text.Pattern(`^[0-9]{1,2}[-–~][0-9]{1,3}$`)

// labelled judges the value after the label of a password in another language.
func labelled(groups []string) bool {
	return !lengths().MatchString(matched(groups)) && realPassword(groups)
}

// described matches words that describe a password: sha256, base64-encoded, 12-character, v2.1.
var described = text.Pattern(
	`(?i)^(?:(?:sha|md|argon|bcrypt|scrypt|pbkdf|base|aes|utf|rot)-?[0-9].*|v?[0-9]+[.:/][0-9].*|.*-(?:[a-z]+ed|char(?:acter)?s?|digits?|bits?|bytes?|days?|letters?|long|only))[.,!?]*$`)

// told judges a sentence like "the password for … is …". The value can be far from the name here, so the rule is
// stricter: a bare value must have letters and digits and must not be a description.
func told(groups []string) bool {
	v := matched(groups)
	if groups[len(groups)-1] != "" {
		if len(v) < 6 || !strings.ContainsAny(v, "0123456789") || strings.IndexFunc(v, unicode.IsLetter) < 0 {
			return false
		}
		if strings.Contains(v, "://") || strings.HasPrefix(v, "/") || described().MatchString(v) {
			return false
		}
	}
	return realPassword(groups)
}

// notPath requires a password with a slash to differ from a port and path: the part before the slash is not a number or
// a variable, and there is a digit or a sign that words do not have.
func notPath(groups []string) bool {
	v := matched(groups)
	first, _, _ := strings.Cut(v, "/")
	if strings.Trim(first, "0123456789") == "" || strings.EqualFold(first, "port") ||
		strings.ContainsAny(first, "{}[]()$") {
		return false
	}
	return strings.ContainsAny(v, "0123456789!#$%^&*+~=") && !placeholder(v)
}

// realToken judges the value after the name of a token or key. Words alone are a name, not a key.
func realToken(groups []string) bool {
	v := strings.TrimRight(matched(groups), ",.)]}")
	if len(v) < 8 || placeholder(v) || code(v) || code(matched(groups)) || strings.ContainsAny(v, " \t") ||
		strings.Contains(v, "://") || strings.HasPrefix(v, "/") {
		return false
	}
	return strings.ContainsAny(v, "0123456789") && strings.IndexFunc(v, unicode.IsLetter) >= 0 ||
		len(v) >= 24 && !strings.ContainsAny(v, "/._-")
}

// standIns are words used in place of a secret in documentation, schemas and forms.
var standIns = []string{
	"string", "str", "text", "bytes", "none", "null", "nil", "true", "false", "undefined", "empty", "hidden", "secret",
	"password", "passwd",
	"token", "value", "required", "optional", "redacted", "masked", "default", "unset", "input", "invalid", "incorrect",
	"wrong", "missing", "expired",
}

// placeholder tells a placeholder from a secret: variables, templates, stars, "your-…", standIns, and our own mark.
func placeholder(v string) bool {
	l := strings.ToLower(strings.Trim(v, `"'`+"`"))
	switch {
	case l == "", strings.HasPrefix(l, "[masked:"), strings.Contains(l, "[masked: "):
		return true
	case strings.HasPrefix(l, "$"), strings.HasPrefix(l, "{{"), strings.HasPrefix(l, "${"), strings.HasPrefix(l, "%("),
		strings.HasPrefix(l, "<"):
		return true
	case strings.HasPrefix(l, "your") && onlyWords(l), strings.HasPrefix(l, "my-") && onlyWords(l),
		strings.Contains(l, "placeholder"),
		strings.Contains(l, "changeme") && !strings.ContainsAny(l, "0123456789"),
		strings.HasPrefix(l, "enter "), strings.HasSuffix(l, "password?"):
		return true
	case strings.Trim(l, "*x.•-_…") == "":
		return true
	}
	return slices.Contains(standIns, strings.TrimRight(l, ".,;:!?)]}"))
}

// onlyWords reports whether a text has only words and small numbers: your-256-bit-secret, but not my-9f8e7d.
func onlyWords(l string) bool {
	for part := range strings.FieldsFuncSeq(l, func(r rune) bool {
		return strings.ContainsRune(" -_.,:;?/'\"()[]{}<>…", r)
	}) {
		word := strings.IndexFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
		number := len(part) <= 3 && strings.Trim(part, "0123456789") == ""
		name := len(part) == 2 && unicode.IsLetter(rune(part[0])) // s3, v2
		if !word && !number && !name {
			return false
		}
	}
	return true
}

var (
	dotted   = text.Pattern(`^[A-Za-z_][A-Za-z_]*(?:\.[A-Za-z_]+)+$`) // config.password
	constant = text.Pattern(`^[A-Z]+(?:_[A-Z]+)+$`)                   // OPENAI_API_KEY
	call     = text.Pattern(`^[:*&!>\[\]{@$#%]*` + callee + `(?:(?:\.|::|->|\?\.|[\[,])[A-Za-z_$]\w*)*[\]>]*\(` +
		`(?:` + closed + `|` + open + `)$`)
)

const (
	// A function's name: letters with at most one number (sha256, b64decode).
	callee = `(?:[A-Za-z_$]+|[a-z_]+[0-9]{1,5}[a-z_]*|[A-Za-z_]{4,}[0-9]{1,3}[A-Za-z_]*)`
	closed = `[\w.,:;$\[\]{}=<>+/*()&|-]*\)(?:[^\w!@#%^~].*)?`
	open   = `(?:[A-Za-z_$.]*|[\w$.,:{}()\[\]=>&*+/|-]*[,({\[:=])` // cut off at a blank or a quote
)

// code tells an expression that fetches a secret from the secret itself. A parenthesis alone proves nothing, since
// passwords contain them too. It must belong to a call, come first, or be in a value with blanks.
func code(v string) bool {
	if strings.Contains(v, "(") && (v[0] == '(' || strings.ContainsAny(v, " \t") || call().MatchString(v)) {
		return true
	}
	return strings.Contains(v, "environ") || strings.Contains(v, "process.env") || dotted().MatchString(v) ||
		constant().MatchString(v)
}
