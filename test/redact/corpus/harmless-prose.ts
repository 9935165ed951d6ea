import { lines, type Template } from './generate.ts';

/** Prose, docs, logs and tables that mention secrets. */
export const HARMLESS_PROSE: readonly Template[] = lines(
  'prose',
  String.raw`
The password is hashed with bcrypt before it is stored.
The password is required.
The password is too short; use at least 12 characters.
Your password is incorrect. Please try again.
The token is refreshed every 15 minutes.
The token is invalid or expired.
The secret is stored in the keychain.
The API key is read from the environment.
The API key is missing
Password must contain a number and a symbol.
Password reset email sent.
Password changed successfully.
Password updated for user bob
password authentication failed for user "postgres"
fatal: password authentication failed for user "app"
FATAL:  password authentication failed for user "root"
Access denied for user 'root'@'localhost' (using password: YES)
Access denied for user 'root'@'localhost' (using password: NO)
Permission denied (publickey,password).
bob@10.0.0.5's password:
[sudo] password for bob:
[sudo] password for bob: \nSorry, try again.
Enter passphrase for key '/home/user/.ssh/id_rsa':
Enter password:
Password:
Password: \nRetype password:
sudo: a password is required
sudo: no password was provided
su: Authentication failure
Enter a password for the new user
Please enter your API key to continue
No API key provided. You can set your API key using 'openai.api_key = <API-KEY>'
Error: Invalid API key
Error: Missing required environment variable API_KEY
Error: secret not found
Error: token expired at 2024-05-01T12:00:00Z
Error: unexpected token < in JSON at position 0
SyntaxError: Unexpected token '}' in JSON at position 42
SyntaxError: Unexpected token 'export'
error TS1005: ';' expected.
Parse error: unexpected token "function"
JsonWebTokenError: jwt malformed
TokenExpiredError: jwt expired
401 Unauthorized: Bad credentials
remote: Invalid username or password.
remote: HTTP Basic: Access denied
npm ERR! code E401\nnpm ERR! Unable to authenticate, your authentication token seems to be invalid.
You must set GITHUB_TOKEN before running this script.
export GITHUB_TOKEN first, then run npm publish
set the DB_PASSWORD variable in .env
Add your key to .env: OPENAI_API_KEY=your-key
Please rotate the secret after the release.
Do not commit passwords, tokens or API keys.
Tokens are masked before anything is written.
We store the password hash, never the password.
How do I reset my password?
why does the login fail with password authentication?
Can you add a password field to the login form?
Please rename the password column to password_hash.
rename apiKey to api_key everywhere
write a test for the token parser
the secret to good tests is small functions
The key is to keep functions short.
The key to the problem is the cache key.
A key insight: the index is a cache.
secret sauce: caching
Passing the token as an argument is deprecated.
pass the token to the client
pass: 12, fail: 0
Tests: 12 passed, 0 failed
pass rate: 98.5%
12 passing (34ms)
PASS test/auth/token.test.ts
FAIL test/auth/password.test.ts > rejects a short password
✓ masks the password of a URL
✗ rejects an expired token
--- FAIL: TestTokenRefresh (0.01s)
ok  	example.com/app/token	0.012s
test auth::token::tests::expired ... ok
token usage: 1234 in, 567 out
Tokens used: 45,320
Total tokens: 128000
context: 12% of 200k tokens
Token count exceeds the limit: 8193 > 8192
password strength: weak
Password policy: minimum length 12, expires after 90 days
Password manager: 1Password
Password Manager Pro 2024
Secrets Manager costs 0.40 USD per secret per month
Key Vault, Secrets Manager and Parameter Store are compared below.
Access keys, secret keys and session tokens
Bearer authentication (also called token authentication)
Bearer token authentication is enabled
Basic authentication is not supported
Basic auth over HTTP is insecure
Authorization: required
Authorization header is missing
Authentication: OAuth 2.0
Authentication type: password
Auth method: token
Credentials: include
credentials: 'same-origin'
credentials: "include",
login: admin
User: admin\nRole: editor
Username: bob
Secret: stored in Vault
Password: see 1Password
Password: ask your administrator
Password: required, at least 8 characters
Password: not set
Password: unchanged
Password: yes
Password: none
Token: valid until 2024-06-01
Token: expired
Token type: Bearer
API key: required
API key: optional
Key: Value
Keys: 12
key: id
key = value
key: primary
Key      Type     Default
| Parameter | Type | Description |\n|---|---|---|\n| password | string | The user's password |
| token | string | yes | Access token of the user |
| API key | required |
| Option | Default |\n|---|---|\n| --password | none |
| password | varchar(255) | NO | | NULL | |
| user | password |\n|------|----------|\n| bob  | ******** |
--password <password>   Password of the user
--token TOKEN           GitHub token (default: $GITHUB_TOKEN)
-p, --password string   Password
  -P, --password PASS   specify password
Options:\n  --api-key KEY   API key to use
Usage: login [--user NAME] [--password PASSWORD]
usage: mysql [OPTIONS] --password[=name]
## Passwords
### Token refresh
# Secrets
- [ ] Rotate tokens
- Password: at least 12 characters
- **Token**: the access token that the server returns
- ${'`'}password${'`'}: the password of the user
* ${'`'}API_KEY${'`'} — your API key
1. Generate a token at https://github.com/settings/tokens
2. Copy the token and paste it below
See docs/token-refresh.md for the token flow.
See [tokens](docs/tokens.md) and [secrets](docs/secrets.md).
docs(auth): describe the password policy
feat(token): refresh before expiry
fix: password reset link
chore: bump jsonwebtoken from 9.0.1 to 9.0.2
+ jsonwebtoken@9.0.2
added 12 packages, removed 3 packages
id,username,email\n1,bob,bob@example.com
id,name,password_changed_at\n1,bob,2024-05-01
name,token_count\nbob,1200
NAME                  TYPE                DATA   AGE\ndefault-token-⟪lower:5⟫   kubernetes.io/service-account-token   3   12d
NAME           TYPE     DATA   AGE\ndb-password    Opaque   1      12d
NAME       UPDATED\nNPM_TOKEN  about 1 month ago
NPM_TOKEN  Updated 2024-05-01
KEY          VALUE\nregion       eu-west-1
Name:         db-password\nNamespace:    prod\nType:  Opaque
Data\n====\npassword:  12 bytes
password:  12 bytes
Das Passwort ist zu kurz.
Das Passwort muss mindestens acht Zeichen haben.
Passwort vergessen?
Bitte Passwort eingeben
Passwort: erforderlich
Mot de passe oublié ?
Le mot de passe est obligatoire.
Contraseña incorrecta
La contraseña es obligatoria.
¿Olvidaste tu contraseña?
Esqueceu a senha?
A senha é obrigatória
Wachtwoord vergeten?
Пароль не может быть пустым
Введите пароль
Неверный пароль
密码不能为空
请输入密码
密码错误
パスワードを入力してください
パスワードが正しくありません
비밀번호를 입력하세요
Clave primaria de la tabla
Parola chiave: caching
der Schlüssel der Tabelle ist id
la clé primaire est id
The clave rhythm
heslo je povinné
password1 and password2 must match
pwd\n/home/user/project
PWD=/home/user/project
OLDPWD=/tmp
cd "$(pwd)"
pwd: /srv/app
echo pass
pass the salt
bypass: true
compass: north
passthrough: enabled
passive: true
passport: google
passport.use(new LocalStrategy())
surpass = 3
monkey = "see"
turkey: roasted
hotkey: ctrl+k
keyword: async
keywords = ["auth", "token"]
tokenized: true
authors: Bob Example
author = "Bob Example <bob@example.com>"
authority: https://login.example.com
secretary: Alice
secretion rate: 12
credential_process = /usr/local/bin/aws-creds
credentials_file: ~/.aws/credentials
credential.helper=osxkeychain
session: default
session_name = nightly-run
sessionId: test-session-1
Session: 3 messages, 2 tool calls
cookie: accepted
cookies: 3
Cookie policy
Set-Cookie: theme=dark; Path=/
Cookie: lang=en; theme=dark
signature: (a: number) => void
signature = inspect.signature(fn)
salt: to taste
hash: true
hash = {}
pin: 13
pinned: true
PIN_COUNT=4
seed: 42
seed = 12345
random_seed=1337
license: MIT
"license": "Apache-2.0"
license_key: MIT
certificate: /etc/ssl/cert.pem
private: true
private_key_path: /etc/ssl/private/server.key
privateKey: fs.readFileSync('key.pem')
key_file = "server.key"
encryption: AES-256-GCM
encryption_key_id: alias/aws/rds
kms_key_id = "arn:aws:kms:eu-west-1:⟪digits:12⟫:key/⟪uuid⟫"
access: public
access_level: private
accessKeyMode: none
auth: true
auth: none
auth: required
auth = HTTPBasicAuth(user, password)
auth_type: basic
authToken: getAuthToken(),
authMethod = "password"
passwordField = By.id("password")
$ ls secrets/\ndb.yaml\napi.yaml
$ cat README.md\n# Tokens
$ git log --oneline -1\n⟪hex:7⟫ Add secrets
$ kubectl get secret\nNAME   TYPE   DATA
$ pass ls\nPassword Store\n├── mail
$ op item list\nID   TITLE   VAULT
$ vault status\nSealed   false
$ printenv PATH\n/usr/bin:/bin
$ echo $HOME\n/root
$ gh auth status\nLogged in to github.com as bob
$ terraform output -raw region\neu-west-1
$ openssl version\nOpenSSL 3.0.2
$ cat package.json\n{ "name": "token-parser" }
$ security find-identity\n0 valid identities found
level=info msg="token refreshed" duration=12ms
INFO auth: user bob logged in with password
WARN  password will expire in 5 days
DEBUG token cache hit ratio 0.93
time=12ms status=200 token=present
auth=ok user=bob
secrets: 3 found, 0 leaked
Found 0 secrets in 42 files
[redacted:password] was masked
password: [redacted:password]
Using keyring: gnome-keyring
Keyring is locked
ssh-add -l\n256 SHA256:⟪base64:43⟫ bob@host (ED25519)
The authenticity of host 'x' can't be established.
Hi bob! You've successfully authenticated, but GitHub does not provide shell access.
class="password-field error"
.password-input { width: 100% }
#password { color: red; }
input[type="password"] {
$token-color: #ff0000;
--token-color: #3366ff;
--color-key: var(--gray-500);
.token.keyword { color: #07a; }
.hljs-keyword, .token-string { font-weight: bold }
@media (prefers-color-scheme: dark) {
GET /api/v1/token 200 12ms
POST /password/reset 302
DELETE /api/keys/42
GET /oauth/authorize?response_type=code&client_id=app
/users/:id/password
/settings/tokens
src/auth/token.ts:12:5 - error TS2345
src/redact/secret-value.ts
test/fixtures/passwords.txt
secrets/prod.enc.yaml
tokens.json
password_reset_token_expires_in
PASSWORD_RESET_TIMEOUT=3600
TOKEN_TTL=900
TOKEN_EXPIRY: 15m
SESSION_TIMEOUT=30m
SECRET_ROTATION_DAYS=90
API_KEY_HEADER=X-API-Key
AUTH_PROVIDER=github
AUTH_TOKEN_URL=https://auth.example.com/token
KEY_NAME=deploy
SECRET_NAME=db-credentials
SECRET_ID=prod/db
PASSWORD_MIN_LENGTH=12
PASSWORD_FIELD=password
USE_TOKEN=true
ENABLE_PASSWORD_LOGIN=false
REQUIRE_API_KEY=1
`,
);
