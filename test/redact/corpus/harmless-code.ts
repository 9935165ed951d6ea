import { lines, type Template } from './generate.ts';

/** Code that speaks of secrets without containing one. */
export const HARMLESS_CODE: readonly Template[] = lines(
  'code',
  String.raw`
password: string
password: string;
password?: string | undefined;
readonly apiKey: string
apiKey: string | null
token: z.string().min(1)
password: z.string().min(8).max(64),
secret: Buffer;
token: Promise<string>
passwords: Map<string, string>
def login(user: str, password: str) -> bool:
async def get_token(self, api_key: Optional[str] = None) -> Token:
api_key: SecretStr = Field(default=None)
func Login(user string, password string) error {
Password string ${'`'}json:"password"${'`'}
type Credentials struct {\n\tToken string\n\tSecret []byte\n}
private String password;
public void setPassword(String password) {
this.password = password;
self.api_key = api_key
self._token = None
$this->password = $password;
@password = password
let password = process.env.DB_PASSWORD
const apiKey = process.env.API_KEY ?? ''
const token = process.env['GITHUB_TOKEN'];
password: process.env.DB_PASSWORD
const { password, ...rest } = user;
const password = await prompt('Password: ')
const secret = crypto.randomBytes(32).toString('hex')
const token = jwt.sign(payload, secret)
const token = await getToken();
token = request.headers.get("Authorization")
token = os.environ["GITHUB_TOKEN"]
api_key = os.getenv("OPENAI_API_KEY")
password = getpass.getpass("Password: ")
password = config.get('db', 'password')
PASSWORD = env('DB_PASSWORD')
secret = settings.SECRET_KEY
password := os.Getenv("DB_PASSWORD")
token, err := client.GetToken(ctx)
let token = env::var("API_TOKEN")?;
let api_key = std::env::var("API_KEY").expect("API_KEY not set");
String password = System.getenv("DB_PASSWORD");
var secret = Configuration["Auth:Secret"];
password = params[:password]
password = ENV['DB_PASSWORD']
api_key = Rails.application.credentials.api_key
$password = $_POST['password'];
$token = getenv('API_TOKEN');
if (!password) throw new Error('password is required')
if (password.length < 8) {
if password != confirm_password:
if (token === null || token === undefined) return;
expect(token).toBeDefined();
expect(password).not.toContain('x')
assert.equal(secret.length, 32)
return password.trim().length > 0
passwordInput.value = ''
password: ''
password = ""
"password": null
"password": ""
token: undefined
secret=None
password: true
password: false
requirePassword: true
showPassword = !showPassword
passwordMinLength: 12
tokenCount: 2048
max_tokens: 4096
"max_tokens": 4096,
maxTokens = 8192
tokens: 15320
totalTokens=182734
prompt_tokens=1200 completion_tokens=300
tokenizer: cl100k_base
token_type: bearer
tokenType = 'Bearer'
type: password
type="password"
<input type="password" name="password" placeholder="Password" />
<input id="password" type="password" autocomplete="current-password">
<label for="password">Password</label>
name="password"
autocomplete="new-password"
<PasswordInput label="Password" />
<Trans>Forgot your password?</Trans>
label: 'Password'
placeholder: 'Enter your password'
"password": "Password"
"forgotPassword": "Forgot your password?",
password: Yup.string().required('Password is required')
error: 'Invalid password'
message: 'Token expired'
import { token } from './token.ts';
import { hashPassword, verifyPassword } from '../auth/password.js'
from app.security import get_password_hash, verify_password
const hash = await bcrypt.hash(password, 10)
password_hash = generate_password_hash(password)
hashed_password = pwd_context.hash(password)
function resetPassword(token: string, newPassword: string): Promise<void>
export type Token = { kind: 'word' | 'number'; text: string };
case TokenKind.Identifier:
const tokens = tokenize(source);
for (const token of tokens) {
token.kind === 'string' && token.value
nextToken = lexer.next()
this.tokens.push({ type: 'punctuation', value: '{' })
const key = keys[index];
key: 'ArrowDown'
<li key={item.id}>{item.name}</li>
const cacheKey = ${'`'}user:${'$'}{id}:profile${'`'};
primaryKey: true
primary_key = 'id'
foreignKey: 'user_id'
publicKey: string
sortKey: 'createdAt'
key="user-settings-panel"
keyCode === 13
const KEY_PREFIX = 'session:';
partitionKey = "customerId"
keyboardShortcut: 'Ctrl+Shift+P'
apiKey: configService.get('API_KEY')
apiKey={apiKey}
password={values.password}
onChange={(e) => setPassword(e.target.value)}
const [password, setPassword] = useState('');
const [token, setToken] = useState<string | null>(null)
v-model="password"
[(ngModel)]="user.password"
{{ form.password }}
{% csrf_token %}
<%= f.password_field :password %>
validates :password, length: { minimum: 6 }
has_secure_password
add_column :users, :password_digest, :string
t.string "encrypted_password", default: "", null: false
password VARCHAR(255) NOT NULL,
password_hash TEXT NOT NULL
ALTER TABLE users ADD COLUMN api_token VARCHAR(64);
SELECT id, password FROM users WHERE email = $1
INSERT INTO users (name, password) VALUES ($1, $2)
INSERT INTO users (name, password) VALUES (?, ?)
UPDATE users SET password = ? WHERE id = ?
UPDATE users SET password = :password WHERE id = :id
CREATE USER app WITH PASSWORD :'app_password';
WHERE token = $1 AND expires_at > now()
password: ${'$'}{DB_PASSWORD}
password: ${'$'}{{ secrets.DB_PASSWORD }}
token: ${'$'}{{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN: ${'$'}{{ github.token }}
password: "{{ db_password }}"
password: {{ .Values.db.password }}
password: !Ref DBPassword
password: '{{resolve:secretsmanager:db:SecretString:password}}'
password = var.db_password
password = random_password.db.result
token = data.vault_generic_secret.x.data["token"]
secretName: db-credentials
secretKeyRef:\n  name: db\n  key: password
valueFrom:\n  secretKeyRef:\n    name: db-credentials\n    key: password
existingSecret: my-release-postgresql
imagePullSecrets:\n  - name: regcred
serviceAccountToken: {}
automountServiceAccountToken: false
passwordSecretRef: db-password
password_file: /run/secrets/db_password
POSTGRES_PASSWORD_FILE=/run/secrets/db_password
PASSWORD_STORE_DIR=$HOME/.password-store
SSH_KEY_PATH=~/.ssh/id_ed25519
ssl_certificate_key /etc/nginx/ssl/server.key;
IdentityFile ~/.ssh/id_rsa
PasswordAuthentication no
PermitRootLogin prohibit-password
--password-stdin
--token-file /var/run/token
-H "Authorization: Bearer $TOKEN"
-H "Authorization: Bearer ${'$'}{GITHUB_TOKEN}"
-H 'Authorization: token <your-token>'
Authorization: Bearer <token>
Authorization: Bearer YOUR_API_KEY
headers: { Authorization: ${'`'}Bearer ${'$'}{token}${'`'} }
curl -u "$USER:$PASSWORD" https://api.example.com
curl -H "X-API-Key: $API_KEY" https://api.example.com
mysql -u root -p shop
mysql -u root -p"$MYSQL_ROOT_PASSWORD" shop
psql -h localhost -U postgres -p 5432
docker run -p 8080:80 nginx
docker run -e POSTGRES_PASSWORD="$PW" postgres
ssh -p 2222 bob@host
mkdir -p src/password/reset
cp -p token.txt /tmp
python -m pytest -k token -p no:cacheprovider
git log -p --grep password
grep -rn "password" src/
grep -n 'api_key' config.py | head
rg -i 'secret|token' --files-with-matches
sed -i 's/password/passphrase/g' README.md
echo "$TOKEN" | docker login --username bob --password-stdin
echo $PASSWORD | sudo -S true
gh auth login --with-token < token.txt
gh secret set NPM_TOKEN < token.txt
gh secret list
vault kv get secret/db
kubectl get secrets -n prod
kubectl create secret generic db --from-file=password=./password.txt
kubectl describe secret db
npm token list
npm run test:password
npx vitest run test/auth/token.test.ts
openssl req -x509 -newkey rsa:4096 -keyout key.pem -out cert.pem -nodes
openssl rsa -in key.pem -passin env:KEY_PASS
ssh-keygen -t ed25519 -N "" -f id_test
keytool -list -keystore cacerts -storepass changeit
sshpass -e ssh root@host
aws configure set region eu-west-1
aws secretsmanager list-secrets
az keyvault secret list --vault-name corp
postgres://user:password@localhost:5432/db
postgres://$USER:$PASSWORD@localhost/db
postgresql://${'$'}{DB_USER}:${'$'}{DB_PASSWORD}@${'$'}{DB_HOST}/app
mongodb://<username>:<password>@cluster0.example.net/test
redis://localhost:6379/0
https://user:***@example.com/path
git@github.com:org/repo.git
https://github.com/org/repo/blob/main/src/token.ts#L10-L20
https://example.com/?page=2&sort=token
otpauth://totp/Example?secret=<secret>
tokenUrl: https://auth.example.com/oauth/token
token_endpoint: "https://login.example.com/oauth2/token"
authorizationUrl: /oauth/authorize
SECRET_KEY=changeme
PASSWORD=your-password-here
API_KEY=<your api key>
API_KEY=YOUR_API_KEY
API_TOKEN=xxxxxxxxxxxxxxxx
DB_PASSWORD=********
password: "***"
password: [REDACTED]
password: <redacted>
token: (hidden)
token: …
password=%s
password=%(password)s
"password={}".format(pw)
password: {password}
api_key = "..."
api_key = "sk-..."
OPENAI_API_KEY=sk-xxxxxxxx
apiKey: 'YOUR_API_KEY_HERE'
secret: 'TODO'
password: TBD
password = n/a
`,
);

/** Values that are long or random and no secret. */
export const HARMLESS_VALUES: readonly Template[] = lines(
  'value',
  String.raw`
commit ⟪hex:40⟫
⟪hex:7⟫ Fix the token refresh
index ⟪hex:7⟫..⟪hex:7⟫ 100644
Merge: ⟪hex:7⟫ ⟪hex:7⟫
HEAD is now at ⟪hex:7⟫ Add password reset
"version": "1.2.3", "gitHead": "⟪hex:40⟫"
resolved "https://registry.example/tokens/-/tokens-1.0.0.tgz#⟪hex:40⟫"
"integrity": "sha512-⟪base64:86⟫=="
integrity sha512-⟪base64:86⟫==
"resolved": "https://registry.example/jsonwebtoken/-/jsonwebtoken-9.0.2.tgz",
h1:⟪base64:43⟫=
github.com/golang-jwt/jwt v3.2.2 h1:⟪base64:43⟫=
checksum = "⟪hex:64⟫"
sha256:⟪hex:64⟫
Digest: sha256:⟪hex:64⟫
image: nginx@sha256:⟪hex:64⟫
--hash=sha256:⟪hex:64⟫
md5: ⟪hex:32⟫
⟪hex:64⟫  dist.tar.gz
ETag: "⟪hex:32⟫"
etag: W/"⟪hex:8⟫-⟪base64:20⟫"
"id": "⟪uuid⟫"
request id ⟪uuid⟫ failed
X-Request-Id: ⟪uuid⟫
traceparent: 00-⟪hex:32⟫-⟪hex:16⟫-01
session ⟪uuid⟫ started
toolu_⟪alnum:24⟫
call_⟪alnum:24⟫
msg_⟪alnum:24⟫
"tool_use_id": "toolu_⟪alnum:24⟫"
chatcmpl-⟪alnum:29⟫
container ⟪hex:12⟫ exited
⟪hex:12⟫   nginx   "/docker-entrypoint.…"   2 hours ago
pod/api-⟪hex:10⟫-⟪lower:5⟫
i-0⟪hex:17⟫
arn:aws:iam::⟪digits:12⟫:role/deploy
ami-0⟪hex:17⟫
main.⟪hex:8⟫.js
/assets/index-⟪alnum:8⟫.css
chunk-⟪upper:8⟫.js
0x⟪hex:40⟫
0x00007fff⟪hex:8⟫
color: #⟪hex:6⟫;
background: #fff url(data:image/png;base64,iVBORw0KGgo⟪base64:120⟫)
src="data:image/svg+xml;base64,PHN2Zy⟪base64:120⟫"
d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z"
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI⟪base64:43⟫ bob@host
SHA256:⟪base64:43⟫ bob@host (ED25519)
-----BEGIN CERTIFICATE-----\n⟪base64:64⟫\n⟪base64:64⟫\n-----END CERTIFICATE-----
-----BEGIN PUBLIC KEY-----\n⟪base64:64⟫\n-----END PUBLIC KEY-----
caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t⟪base64:120⟫
PublicKey = ⟪base64:43⟫=
"contentHash": "⟪base64:86⟫=="
"fileHash":"⟪hex:64⟫"
nonce="⟪base64:22⟫=="
script-src 'sha256-⟪base64:43⟫='
"signature": "⟪lower:12⟫"
cache key: node-modules-linux-⟪hex:64⟫
Cache restored from key: npm-Linux-⟪hex:64⟫
actions/checkout@⟪hex:40⟫
uses: actions/setup-node@⟪hex:40⟫ # v4.1.0
FROM node:20@sha256:⟪hex:64⟫
rev: ⟪hex:40⟫
"commit": "⟪hex:40⟫",
remotes/origin/fix-⟪hex:7⟫
stash@{0}: WIP on main: ⟪hex:7⟫ Token rotation
bafybei⟪lower:52⟫
tmp/vitest-⟪alnum:6⟫/out.json
/tmp/tmp.⟪alnum:10⟫
/var/folders/x⟪lower:1⟫/⟪lower:30⟫/T/
node_modules/.pnpm/jsonwebtoken@9.0.2/node_modules
1712345678901
2024-05-01T12:00:00.000Z INFO token refreshed in 12ms
pid=4711 uid=1000 gid=1000
10.0.0.12 - - [01/May/2024:12:00:00 +0000] "GET /login HTTP/1.1" 200 512
ISBN 978-3-16-148410-0
+49 30 ⟪digits:8⟫
4.15.0-⟪digits:3⟫-generic
GPU-⟪uuid⟫
urn:uuid:⟪uuid⟫
com.apple.security.⟪lower:8⟫
translation_key: settings.password.title
i18n key auth.password.reset.success
"key": "auth.login.password.label"
dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZw==
⟪base64:76⟫\n⟪base64:76⟫\n⟪base64:40⟫
"snapshot": "⟪hex:16⟫"
test id 01H⟪upper:23⟫
ulid 01J⟪upper:23⟫
objectId: ⟪hex:24⟫
"_id": "⟪hex:24⟫"
trace_id=⟪hex:32⟫ span_id=⟪hex:16⟫
span ⟪hex:16⟫
run-⟪hex:8⟫
build #⟪digits:5⟫
user_⟪digits:8⟫
price_1⟪alnum:23⟫
cus_⟪alnum:14⟫
pk_live_is_a_prefix
"public_id": "⟪alnum:20⟫"
gistfile ⟪hex:32⟫
data-testid="password-input-⟪digits:3⟫"
fingerprint: ⟪HEX:2⟫:⟪HEX:2⟫:⟪HEX:2⟫:⟪HEX:2⟫:⟪HEX:2⟫:⟪HEX:2⟫
serial 0⟪HEX:16⟫
Content-Length: ⟪digits:5⟫
Last-Modified: Wed, 01 May 2024 12:00:00 GMT
size 1.2 MB, hash ⟪hex:10⟫
bundle ⟪alnum:8⟫ 12.3 kB │ gzip: 4.5 kB
✓ test/auth/password.test.ts (12 tests) ⟪digits:3⟫ms
drwxr-xr-x  2 root root 4096 May  1 12:00 secrets
-rw------- 1 bob bob 411 May  1 12:00 id_ed25519
Subproject commit ⟪hex:40⟫
@@ -1,4 +1,5 @@ function resetPassword(
eyJhbGciOiJIUzI1NiJ9
3d⟪hex:6⟫ -> 4e⟪hex:6⟫
sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz⟪base64:100⟫
`,
);
