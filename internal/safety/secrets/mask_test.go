package secrets_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"memory-graph/internal/safety/secrets"
)

// rep returns a value that looks random, so the repository contains no real secret.
func rep(s string, n int) string { return strings.Repeat(s, n)[:n] }

const mixed = "a1B2c3D4e5F6g7H8"

// shapes are texts with their secret between ‹ and ›.
var shapes = map[string]struct{ text, kind string }{
	"openai":            {"use ‹sk-proj-" + rep(mixed, 40) + "› now", "api key"},
	"openai old":        {"‹sk-" + rep(mixed, 48) + "›", "api key"},
	"anthropic":         {"key=‹sk-ant-api03-" + rep(mixed, 30) + "-" + rep(mixed, 40) + "_x›", "api key"},
	"stripe":            {"‹sk_live_" + rep(mixed, 24) + "›", "api key"},
	"google":            {"‹AIza" + rep(mixed, 35) + "›.", "api key"},
	"aws":               {"id ‹AKIA" + rep("IOSF7ODNN", 16) + "›", "api key"},
	"aws secret":        {"aws_secret_access_key = ‹wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY›", "secret"},
	"github":            {"(‹ghp_" + rep(mixed, 36) + "›)", "token"},
	"github fine":       {"‹github_pat_" + rep(mixed, 22) + "_" + rep(mixed, 59) + "›", "token"},
	"gitlab":            {"‹glpat-" + rep(mixed, 20) + "›", "token"},
	"slack":             {"‹xoxb-123456789012-123456789012-" + rep(mixed, 24) + "›", "token"},
	"slack hook":        {"https://hooks.slack.com/services/‹T00000000/B00000000/" + rep(mixed, 24) + "›", "token"},
	"telegram":          {"‹123456789:AA" + rep(mixed, 33) + "›", "token"},
	"hugging face":      {"‹hf_" + rep(mixed, 34) + "›", "api key"},
	"jwt":               {"‹eyJ" + rep(mixed, 30) + ".eyJ" + rep(mixed, 40) + "." + rep(mixed, 43) + "›", "jwt"},
	"bearer":            {"curl -H 'Authorization: Bearer ‹" + rep(mixed, 32) + "›'", "bearer token"},
	"basic":             {"Authorization: Basic ‹dXNlcjpwYXNzd29yZA==›", "bearer token"},
	"url":               {"postgres://app:‹s3cr@t›@db.example.org:5432/x", "password"},
	"url no user":       {"redis://:‹hunter2x›@cache:6379", "password"},
	"password equals":   {"PASSWORD=‹correcthorse›", "password"},
	"password colon":    {"password: ‹hunter2!›", "password"},
	"password in words": {"my password is ‹hunter2!› for now", "password"},
	"password json":     {`{"db_password": "‹two words 9›", "x": 1}`, "password"},
	"password escaped":  {`"{\"password\": \"‹hunter2›\"}"`, "password"},
	"password flag":     {"mysql --password ‹hunter22› -u root", "password"},
	"password digits":   {"pwd=‹123456›", "password"},
	"env":               {"export STRIPE_API_KEY='‹abc123def456ghi789›'", "secret"},
	"camel case":        {`clientSecret: "‹abc123def456ghi789›"`, "secret"},
	"query parameter":   {"https://x.example/cb?access_token=‹abc123def456›&next=1", "secret"},
	"parenthesis":       {"password: ‹Xk9(pQ!2z›", "password"},
	"parenthesis words": {"password: ‹hunter(2x!›", "password"},
	"parenthesis quote": {`password = "‹Xk9(pQ!2z›"`, "password"},
	"ampersand":         {"password: ‹Tr0ub4dor&3›", "password"},
	"my- password":      {"password: ‹my-S3cret-99!›", "password"},
	"my- url":           {"postgres://bob:‹my-s3cr3t›@h/x", "password"},
	"my- key":           {"api_key=‹my-9f8e7d6c5b4a3210›", "secret"},
	"your":              {"password: ‹yourMom1999›", "password"},
	"your token":        {"token: ‹your_real_token_9f8e7d6c›", "secret"},
	"changeme":          {"PASSWORD=‹changeme123›", "password"},
	"url with slash":    {"postgres://bob:‹p%40ss/w0rd›@h/x", "password"},
	"wide colon":        {"password：‹Geheim123›", "password"},
	"password for":      {"The password for the NAS is ‹Tr0ub4dor&3›", "password"},
	"password for, end": {"password to ann@nas.local is: ‹hunter2x› I think", "password"},
	"german":            {"Passwort: ‹Geheim123›", "password"},
	"russian":           {"Пароль: ‹Geheim123›", "password"},
	"chinese":           {"密码：‹Geheim123›，谢谢", "password"},
	"chinese close":     {"密码:‹Geheim123›谢谢", "password"},
	"spanish":           {"CONTRASEÑA: ‹Geheim123›", "password"},
	"french":            {"mot de passe\u00a0: ‹Geheim123›", "password"},
	"japanese":          {"パスワード： ‹Geheim123›", "password"},
	"docker":            {"‹dckr_pat_" + rep(mixed, 9) + "-" + rep(mixed, 9) + "_" + rep(mixed, 7) + "›", "token"},
	"grafana":           {"‹glsa_" + rep(mixed, 32) + "_0a1b2c3d›", "token"},
	"private attribute": {`a ‹<private foo="1" bar=2>x</private>› b`, "private"},
	"private spaced":    {"a ‹< private >x</ private >› b", "private"},
	"private":           {"before ‹<private>my diagnosis</private>› after", "private"},
	"private nested":    {"a ‹<private>b <private>c</private> d</private>› e", "private"},
	"private upper":     {"ſ ‹<PRIVATE>x</Private>›", "private"},
	"private open":      {"a ‹<private>cut off", "private"},
	"pem": {"‹-----BEGIN RSA PRIVATE KEY-----\nMIIE" + rep(mixed, 64) +
		"\n-----END RSA PRIVATE KEY-----›\nok", "private key"},
	"pem cut": {"‹-----BEGIN PRIVATE KEY-----\nMIIE" + rep(mixed, 64) + "\n" + rep(mixed, 20) + "›",
		"private key"},
	"curl":              {"run curl -sS -u admin:‹hunter2› https://x.example/api", "password"},
	"curl long":         {"curl https://x.example/api --user 'admin:‹two words›'", "password"},
	"curl next line":    {"curl https://x.example \\\n  -u admin:‹hunter2› \\\n  -v", "password"},
	"mysql":             {"mysql -u root -p‹hunter2› shop", "password"},
	"mysqldump":         {"mysqldump --all-databases -uroot -p'‹two words›' > all.sql", "password"},
	"mariadb":           {"mariadb-dump -p\"‹hunter2›\" shop", "password"},
	"sshpass":           {"sshpass -p ‹hunter2› ssh -p 2222 root@nas", "password"},
	"sshpass close":     {"sshpass -v -p'‹hunter2›' scp a nas:", "password"},
	"visa":              {"my card is ‹4111 1111 1111 1111›, until 12/28", "card number"},
	"visa hyphens":      {"‹4111-1111-1111-1111›", "card number"},
	"mastercard":        {"card:‹5555555555554444›.", "card number"},
	"mastercard new":    {"12 ‹2223 0031 2200 3222› 12 28", "card number"},
	"amex":              {"amex ‹3782 822463 10005› 1234", "card number"},
	"amex plain":        {"‹378282246310005›", "card number"},
	"discover":          {"(‹6011111111111117›)", "card number"},
	"visa 19":           {"‹4111 1111 1111 1111 110›", "card number"},
	"zero width":        {"key ‹sk-proj-a1B2c3D4\u200be5F6g7H8a1B2c3D4e5F6g7H8›.", "api key"},
	"zero width prefix": {"‹g\u200dhp_" + rep(mixed, 36) + "›", "token"},
	"soft hyphen":       {"‹ghp_" + strings.Repeat(mixed[:6]+"\u00ad", 5) + mixed[:6] + "›", "token"},
	"bidi":              {"‹AKIA\u202eIOSF7ODNN\u202cIOSF7OD›", "api key"},
	"tag characters":    {"‹AKIAIOSF\U000e00617ODNNIOSF7OD›", "api key"},
	"control":           {"‹AKIAIOSF\x017ODNNIOSF7OD›", "api key"},
	"invalid byte":      {"‹AKIAIOSF\xff7ODNNIOSF7OD›", "api key"},
	"invisible name":    {"pass\u200bword: ‹hun\u2060ter2›", "password"},
	"invisible around":  {"\u200b \u200b‹ghp_" + rep(mixed, 36) + "›\u200b x\u200by", "token"},
	"visa dots":         {"card ‹4111.1111.1111.1111›.", "card number"},
	"visa no-break":     {"card\u00a0‹4111\u00a01111\u00a01111\u00a01111›\u00a0until 12/28", "card number"},
	"amex narrow":       {"‹3782\u202f822463\u202f10005›", "card number"},
	"visa plain spaced": {"card\u00a0‹4111111111111111›\u00a0ok", "card number"},
	"visa full-width":   {"カード‹４１１１　１１１１　１１１１　１１１１›　です", "card number"},
	"sshpass variable":  {"SSHPASS=‹hunter2› sshpass -e ssh root@nas", "password"},
	"sshpass export":    {"export SSHPASS='‹two words›'", "password"},
	"colour":            {"‹ghp_a1B2c3D4e5\x1b[31mF6g7H8a1B2\x1b[0mc3D4e5F6g7H8›\x1b[0m ok", "token"},
	"colour of letters": {"\x1b[1m‹s\x1b[38;5;1mk-proj-a1B2c3D4e5\x1b[mF6g7H8a1B2c3D4›.", "api key"},
	"control sequence":  {"‹AKIAIOSF\u009b0K7ODNN\x1b(BIOSF7OD›", "api key"},
	"terminal link": {"‹ghp_a1B2c3D4e5\x1b]8;;https://x.example\x1b\\F6g7H8a1B2c3D4e5F6›\x1b]8;;\a x",
		"token"},
	"full-width":        {"key ‹ｇｈｐ＿ａ１Ｂ２ｃ３Ｄ４ｅ５Ｆ６ｇ７Ｈ８ａ１Ｂ２ｃ３Ｄ４›。", "token"},
	"full-width letter": {"‹AKIAIOSFＯDNNIOSF7ODX›é", "api key"},
	"full-width hidden": {"‹ＡKIA\u200bIOSF7ODNN\u200bIOSF7OＤ›\u200b!", "api key"},
	"pgp": {"‹-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQ\n-----END PGP PRIVATE KEY BLOCK-----›",
		"private key"},
}

func TestMask_HidesSecretsAndNothingElse(t *testing.T) {
	t.Parallel()
	for name, tc := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before, rest, _ := strings.Cut(tc.text, "‹")
			secret, after, _ := strings.Cut(rest, "›")
			got, kinds := secrets.Mask(before + secret + after)
			if want := before + "[masked: " + tc.kind + "]" + after; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
			if !cmp.Equal(kinds, []string{tc.kind}) {
				t.Errorf("kinds %v, want %s", kinds, tc.kind)
			}
		})
	}
}

func TestMask_LeavesWhatOnlyLooksRandom(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		"commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad, id 550e8400-e29b-41d4-a716-446655440000",
		"/home/ann/projects/task-runner/src/shapes/index.ts:42",
		"data:image/png;base64," + rep("iVBORw0KGgoAAAANSUhEUgAAAAUA/+", 400),
		"we use sk-learn-compatible-estimators-everywhere and sk-1",
		"max_tokens: 4096, budget_tokens=500, tokenizer: bert-base-uncased-v2",
		"type Login struct { Password string; Token string } // password: string, token: string",
		`{"password": "string", "token": "<your token>", "api_key": "OPENAI_API_KEY"}`,
		"password = os.environ['DB_PASSWORD']; token = getToken(); secret = config.secret",
		"PASSWORD=$DB_PASSWORD API_KEY=${API_KEY} TOKEN={{ token }} PWD=**** ",
		"the password is required; my password is wrong; Forgot password?",
		"the bearer of good-news-and-bad; Bearer authentication-scheme",
		"see https://example.org:8080/@user and http://localhost:5173/@vite/client or mailto:ann@example.org",
		"ssh://git@github.com:22/x.git, git@github.com:ann/repo.git, user:pass without a host",
		"use the key to the secret garden; token by token; private key cryptography",
		"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
		"AKIAAAAAAAAAAAAAAAAA is not one, nor is AKIAlower",
		"日本語のパスワード、пароль, ключ",
		"arn:aws:iam::123456789012:role/token-service at 12:30:45",
		"password: your-password, PASSWORD=changeme, pwd=CHANGEME! password=xxxxxx password: <password>",
		"secret: your-256-bit-secret; api_key=my-api-key-v2; postgres://user:my-password@h/x; token: your_s3_token_123",
		`"password": "Your password (at least 8 characters)", password: "8 to 64 signs (a-z)"`,
		"password = getpass.getpass('Password 2: '); token = sign(user1, x); secret: sha256(base64(salt1)), password: " +
			"[]byte(x1)",
		"password: z.string().min(8), rules: Password::min(8), token: await, secret=b64decode(raw1)[0].value; " +
			"token=fn(a1)=>a+1",
		`token := strings.Trim(sp[0], " "), key: privateKey = ed25519.PrivateKey(fromHex("3a88")), token = f(g(x1), "y")`,
		"private_key = ed25519.Ed25519PrivateKey.from_private_bytes(secret), passphrase: &#x3C;string>",
		"password: VARCHAR(255) token: [docs](/docs/token1.md) password: (see 1Password)",
		"http://localhost:PORT/@vite/c1 http://localhost:${PORT1}/@x oci://registry.local:v1/app@sha256:1 " +
			"http://h:8080/a/b1@c",
		"The password for the NAS is in 1Password. The password for ann is required; the password of v2 is base64-encoded1",
		"the password for the wifi is sha256-hashed, the password to it is 12-character, password of the site is " +
			"https://x.example/1",
		"password reset for build 12 is done2day; passwords for 2FA is at /etc/x1",
		"Passwort: erforderlich, пароль: обязательно, 密码：至少8位, 密码：8-16位, パスワード：半角英数字8文字以上, contraseña: obligatoria, mot de " +
			"passe : requis",
		"ssh -i <private key> and <private token> or </private> and std::vector<private_t> a<private",
		"dckr_pat_your-access-token-here, glsa_service_account_name_of",
		"curl -u admin https://x.example, curl -u $USER:$PASS h, curl --user user:<password>, curl -Uri " +
			"https://x.example/a:b",
		"Use curl with -u: it asks. docker run -u 1000:1000 img; git push -u origin main:main",
		"mysql -p shop; mysql -u root -p; mysql -h db -P3306 -uroot; docker run --name mysql -p3306:3306 mysql:8, mysql " +
			"-p$PASS",
		"sshpass -p $PASS ssh h; sshpass -f file ssh -p 2222 h; ssh -p 2222 h",
		"call +49 170 1234567 or (415) 555-2671 or 0041 44 668 18 00, fax 4111-1111",
		"order 4111111111111112, invoice 2026-000411111, tracking 1Z999AA10123456784, ISBN 978-3-16-148410-0",
		"at 1763840351123 ms, 1763840351123456789 ns, 20261122194500, tweet 1234567890123456789",
		"id 550e8400-e29b-41d4-a716-446655440000, 00000000-0000-4000-8000-000000000000, 41111111-1111-4111-8111-111111111111",
		"hex 4111111111111111a, a4111111111111111, 0x4111111111111111, 0.4111111111111111, 4111111111111111.5, " +
			"54111111111111111",
		"/orders/4111111111111111, order-4111111111111111, 4111111111111111-eu, x_4111111111111111",
		"years 4000 4001 4002 4003 4004 4005, 4111 1111 1111 1111 1111 and 4111 1111-1111 1111, 4111  1111  1111  1111",
		"v4.11.1111.1, 4111.1111.1111, 4.4.4.4, 10.0.22621.2428, 120.0.6099.109, 2026.11.22.0001, 4111.1111.1111.1111.1",
		"192.168.100.200, 255.255.255.255:8080, 4111.1111.1111.1112, $4,111.11, 1.234.567,89, 2001:db8::4111:1111:1111:1111",
		"+49.170.1234567, 415.555.2671, +33\u00a01\u00a042\u00a068\u00a053\u00a000, 0041\u202f44\u202f668\u202f18\u202f00",
		"1\u00a0234\u00a0567, 4111\u00a01111 1111\u00a01111, 4111.1111-1111.1111, café4111111111111111",
		"SSHPASS=$PASS, SSHPASS= sshpass -e, SSHPASS: required, set SSHPASS and run sshpass -e",
		"\x1b[31merror\x1b[0m: build 12 of \x1b[1mshop\x1b[0m failed, \x1b]0;title\atext, ESC [ 31 m",
		"ＨＴＴＰ／１．１ の ＡＢＣ１２３ は ２０２６年１１月２２日, パスワード：半角英数字８文字以上, the password is correct！",
		"a fam\u200dily \U0001F468\u200d\U0001F469\u200d\U0001F467 of soft\u00adhyphens and \u202bright to left\u202c",
		"[masked: password] password=[masked: password] token: \"[masked: token]\"",
	} {
		if got, kinds := secrets.Mask(text); got != text {
			t.Errorf("masked %v:\ngot  %q\nfrom %q", kinds, got, text)
		}
	}
}

func TestMask_SaysEveryKindOnce(t *testing.T) {
	t.Parallel()
	_, kinds := secrets.Mask("pwd=hunter22 pwd=hunter23 <private>x</private> ghp_" + rep(mixed, 36))
	if diff := cmp.Diff([]string{"password", "private", "token"}, kinds); diff != "" {
		t.Error(diff)
	}
}

func TestMask_HidesOverlappingSecretsWhole(t *testing.T) {
	t.Parallel()
	token := "ghp_" + rep(mixed, 36)
	got, _ := secrets.Mask("password: \"x " + token + " y\" <private>" + token + "</private>" + token)
	if strings.Contains(got, "g7H8") || strings.Contains(got, " y\"") {
		t.Errorf("part of the secret is left: %q", got)
	}
}

func TestIdentifier_KeepsSecretsApartAndTheSameTheSame(t *testing.T) {
	t.Parallel()
	one, two := "ghp_"+rep(mixed, 36), "ghp_"+rep(mixed, 38)
	if got := secrets.Identifier(one); got != secrets.Identifier(one) || got == secrets.Identifier(two) ||
		strings.Contains(got, "ghp_") {
		t.Errorf("%q, %q", got, secrets.Identifier(two))
	}
	for _, s := range []string{"", "turn-17", "550e8400-e29b-41d4-a716-446655440000", secrets.Identifier(one)} {
		if got := secrets.Identifier(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, tc := range shapes {
		before, rest, _ := strings.Cut(tc.text, "‹")
		secret, after, _ := strings.Cut(rest, "›")
		f.Add(before, secret, after)
	}
	for _, s := range []string{"call +49 170 1234567", "3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
		"order 4111111111111112", "4111 1111 1111 1111"} {
		f.Add("", s, "\u200b")
	}
	f.Add("<private>", "password=[masked: x", "]\"'`</private>")
	f.Fuzz(func(t *testing.T, before, secret, after string) {
		s := before + secret + after
		once, kinds := secrets.Mask(s)
		if (once != s) != (len(kinds) > 0) {
			t.Errorf("changed: %v, kinds: %v", once != s, kinds)
		}
		if twice, more := secrets.Mask(once); twice != once {
			t.Errorf("masking twice masks %v:\nonce  %q\ntwice %q", more, once, twice)
		}
		if most := 6*len(s) + 32; len(once) > most {
			t.Errorf("%d bytes became %d", len(s), len(once))
		}
		// A key that is recognised by its issuer's shape is masked completely.
		key := "ghp_" + rep(mixed, 36)
		if got, _ := secrets.Mask(before + " " + key + " " + after); strings.Contains(got, "F6g7H8") &&
			!strings.Contains(s, "F6g7H8") {
			t.Errorf("a key is left in %q", got)
		}
	})
}
