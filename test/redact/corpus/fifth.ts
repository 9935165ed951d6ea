import { lines, type Template } from './generate.ts';

/** A fifth list, by another author. It was measured once before rules were changed for it. */
export const FIFTH: readonly Template[] = lines(
  'fifth',
  String.raw`
curl -X GET "https://acme.azure-api.net/orders" -H "Ocp-Apim-Subscription-Key: ⟦hex:32⟧"
curl -H "Authorization: ApiKey ⟦alnum:58⟧==" https://es.acme.dev:9243/_cluster/health
Authorization: Negotiate ⟦base64:164⟧==
curl --oauth2-bearer ⟦base64url:56⟧ https://api.acme.dev/v3/users
curl https://slack.com/api/chat.postMessage -d channel=C0123 --data-urlencode "token=xoxp-⟦base64url:72⟧"
curl -b 'PHPSESSID=⟦lower:26⟧; remember_me=⟦alnum:40⟧' https://shop.acme.dev/cart
{ "name": "Authorization", "value": "Bearer r9xzV-⟦base64url:66⟧" },
wss://stream.acme.dev/ws?auth=⟦base64url:44⟧&v=2
curl -s -H "X-Vault-Token: s.⟦alnum:24⟧" $VAULT_ADDR/v1/secret/data/app
curl -X POST "https://api.datadoghq.eu/api/v1/series" -H "DD-API-KEY: ⟦hex:32⟧" -H "DD-APPLICATION-KEY: ⟦hex:40⟧" -d @m.json
### list orders\nGET {{host}}/orders\nX-Access-Token: ⟦hex:40⟧\nAccept: application/json
x-csrf-token: vbd-⟦base64url:32⟧\nx-session-token: ⟦alnum:48⟧
https://acmestore.blob.core.windows.net/backups/a.bak?sv=2022-11-02&ss=b&srt=sco&sp=rl&se=2026-01-01T00:00:00Z&sig=⟦alnum:40⟧%2F6c%3D
https://storage.googleapis.com/acme/x.zip?GoogleAccessId=svc@acme.iam.gserviceaccount.com&Expires=1741700000&Signature=⟦alnum:120⟧%⟦alnum:62⟧%3D%3D
Reset your password: https://app.acme.dev/reset?reset_token=⟦base64url:32⟧
https://acme.dev/login/magic/⟦base64url:64⟧
http://localhost:8976/oauth/callback?code=⟦base64url:40⟧&state=4f22f288e6c1f0e0
headers = {"x-hasura-admin-secret": "⟦alnum:16⟧!⟦alnum:7⟧", "content-type": "application/json"}
Invoke-RestMethod -Uri https://api.acme.dev/u -Headers @{ "api-key" = "⟦HEX:32⟧" }
[HTTP/2] [1] [:authority: api.acme.dev]\n[HTTP/2] [1] [authorization: Bearer ⟦base64url:60⟧]
r = redis.Redis(host="cache", port=6379, password="⟦pw⟧", ssl=True)
os.environ.setdefault("OPENAI_API_KEY", "⟦base64url:85⟧")
ssh.connect("10.0.0.12", username="root", password="v%⟦alnum:9⟧&0g")
const t = nodemailer.createTransport({\n  host: "smtp.acme.dev",\n  auth: { user: "noreply@acme.dev", pass: "⟦pw⟧" },\n});
const token = jwt.sign({ id: user.id }, "⟦base64url:40⟧", { expiresIn: "1h" });
const sig = crypto.createHmac('sha256', '⟦hex:48⟧').update(body).digest('hex');
await mongoose.connect('mongodb://app:⟦pw⟧@mongo-0:27017,mongo-1:27017/app?replicaSet=rs0');
dataSource.setUsername("crm");\ndataSource.setPassword("⟦pw⟧");
@TestPropertySource(properties = {"app.jwt.secret=⟦alnum:44⟧"})
val ws = client.url(u).withAuth("svc", "⟦pw⟧", WSAuthScheme.BASIC)
smtp.Credentials = new NetworkCredential("noreply", "⟦pw⟧");
let connectionPassword = "⟦pw⟧"
cn.Open "Provider=SQLOLEDB;Data Source=SRV;User Id=sa;Pwd=⟦pw⟧;"
local config = { user = "bot", secret = "⟦alnum:32⟧", port = 6697 }
con <- dbConnect(RMariaDB::MariaDB(), user = "stats", password = "⟦base64url:14⟧", dbname = "stats")
{:dbtype "postgresql" :user "app" :password "⟦pw⟧"}
static NSString *const kClientSecret = @"⟦base64url:36⟧";
client.set_auth_token("⟦hex:48⟧");
WiFi.begin("acme-iot", "⟦pw⟧");
sh "curl -u admin:⟦hex:34⟧ http://jenkins:8080/reload"
provider "datadog" {\n  api_key = "⟦hex:32⟧"\n  app_key = "⟦hex:40⟧"\n}
psql "host=pg1 dbname=app user=app password=⟦pw⟧ sslmode=require"
sqlcmd -S tcp:db.acme.dev -U sa -P '⟦alnum:12⟧=+5s' -Q "select @@version"
mysqldump --user=backup --password=⟦alnum:15⟧ --all-databases > all.sql
mongodump --host mongo --username root --password ⟦pw⟧ --authenticationDatabase admin
vault login hvs.⟦alnum:24⟧
npm config set //npm.pkg.github.com/:_authToken ghp_⟦alnum:36⟧
cargo login ⟦alnum:35⟧
GEM_HOST_API_KEY=rubygems_⟦hex:48⟧ gem push acme-1.2.0.gem
dotnet nuget push out/*.nupkg -k ⟦lower:46⟧ -s https://api.nuget.org/v3/index.json
wp user create lena lena@acme.dev --role=administrator --user_pass='y&⟦alnum:9⟧^7m'
net user svc_backup ⟦pw⟧ /add
RESTIC_PASSWORD='⟦pw⟧' restic -r s3:s3.amazonaws.com/acme backup /srv
gpg --batch --yes --passphrase "⟦base64url:18⟧" -d backup.tar.gpg > backup.tar
7z a -p⟦pw⟧ -mhe=on hr.7z hr/
rclone config create nas webdav url=https://nas/dav user=lena pass=⟦pw⟧
mvn sonar:sonar -Dsonar.host.url=https://sonar.acme.dev -Dsonar.login=squ_⟦hex:40⟧
kcat -b kafka:9093 -X security.protocol=SASL_SSL -X sasl.username=app -X sasl.password=⟦alnum:24⟧ -L
echo "⟦base64url:40⟧" | npx wrangler secret put JWT_SECRET
expect "Password:"\nsend "⟦pw⟧\r"
argocd login argo.acme.dev --username admin --password ⟦pw⟧ --grpc-web
mosquitto_sub -h mqtt.local -u sensor -P ⟦base64url:12⟧ -t 'home/#'
printf '%s' '⟦pw⟧' | cryptsetup luksOpen /dev/sdb1 data -
{\n    "http-basic": {\n        "repo.magento.com": {\n            "username": "ddff1f281b2ec36dc113350b8bb9064e",\n            "password": "⟦hex:32⟧"\n        }\n    }\n}
[global]\nextra-index-url = https://ci:⟦base64url:40⟧@pypi.acme.dev/simple
npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.acme.dev"\n    npmAuthToken: "⟦uuid⟧"
ossrhUsername=acme\nossrhPassword=⟦pw⟧\nsigning.keyId=8FE3FF34\nsigning.password=⟦alnum:14⟧
https://lena:ghp_⟦alnum:36⟧@github.com\nhttps://ci:⟦pw⟧@git.acme.dev
[client]\nuser=root\npassword="⟦pw⟧"
[wasabi]\ntype = s3\naccess_key_id = ⟦pw⟧\nsecret_access_key = ⟦base64:40⟧
postgresql:\n  auth:\n    postgresPassword: "⟦pw⟧"\n    replicationPassword: "⟦pw⟧"
vault_mysql_root: "⟦pw⟧"\nsmtp_password: "⟦alnum:14⟧"
<appSettings>\n  <add key="SmtpPassword" value="⟦pw⟧" />\n  <add key="PageSize" value="25" />\n</appSettings>
<user username="tomcat" password="⟦base64url:14⟧" roles="manager-gui,admin-gui"/>
host	user	password\n10.0.0.4	root	⟦alnum:12⟧\n10.0.0.5	root	⟦pw⟧
sqlite> .mode line\nsqlite> select * from settings where key='api_secret';\n    id = 4\n   key = api_secret\n value = ⟦alnum:40⟧
-[ RECORD 1 ]--+------------------------------\nid             | 12\nemail          | lena@acme.dev\nrefresh_token  | ⟦base64url:64⟧
UPDATE integrations SET access_token = '⟦base64url:60⟧', updated_at = now() WHERE id = 7;
{ "key": "client_secret", "value": "⟦alnum:40⟧", "type": "secret", "enabled": true }
folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n,,login,GitHub,,,0,https://github.com,lena,⟦base64:13⟧%6m,⟦base32:32⟧
[wifi-security]\nkey-mgmt=wpa-psk\npsk=⟦pw⟧
MAIL_PASSWORD='⟦pw⟧'
JWT_SECRET = ⟦base64url:48⟧   # do not commit
export VAULT_TOKEN="hvs.⟦base64url:95⟧"
setenv LDAP_BIND_PW '⟦base64url:8⟧.m7i1A'
VITE_SUPABASE_SERVICE_ROLE_KEY=⟦jwt⟧
AZURE_STORAGE_CONNECTION_STRING="DefaultEndpointsProtocol=https;AccountName=acmestore;AccountKey=⟦alnum:86⟧==;EndpointSuffix=core.windows.net"
SERVICEBUS=Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=⟦base64:43⟧=
CLOUDINARY_URL=cloudinary://954950964251734:⟦alnum:27⟧@acme
MAILER_DSN=smtp://noreply:⟦base64url:16⟧@mail.acme.dev:587
TWILIO_ACCOUNT_SID=ACcc2c641f0da85db86ebb13d1f36aa4c6\nTWILIO_AUTH_TOKEN=⟦hex:32⟧
RAILS_MASTER_KEY=⟦hex:32⟧
BASIC_AUTH=admin:⟦pw⟧
heroku config:set SENDGRID_API_KEY=SG.⟦alnum:22⟧.⟦base64url:43⟧ -a acme-web
: 1741687931:0;export SNYK_TOKEN=⟦uuid⟧
CIRCLE_TOKEN=CCIPAT_⟦base64url:63⟧
export ALGOLIA_APP_ID=L2JSLH43ZE ALGOLIA_ADMIN_KEY=⟦hex:32⟧
setx DB_CONN_PWD "⟦alnum:14⟧" /M
KAFKA_SASL_JAAS_CONFIG='org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="⟦alnum:24⟧";'
Creds for the demo tenant -> user: demo@acme.dev pw: ⟦pw⟧
ok i changed the root pw to ⟦pw⟧ (was ⟦pw⟧ before)
Hi Tom,\n\nyour account is ready. Login: tom.k, initial password: ⟦alnum:7⟧^7n\nYou will be asked to change it.
Note to self: the sudo password for this box is "⟦pw⟧".
The SSH key passphrase is 'tiger ⟦lower:7⟧ ⟦lower:7⟧ ⟦lower:6⟧'.
Here is the webhook signing secret you asked for:\n\nwhsec_⟦base64:32⟧
just type ⟦pw⟧ when it asks for the password
Your verification code is ⟦digits:6⟧. It expires in 10 minutes.
tried with postgres/⟦pw⟧ and it worked
fix: hardcode api token ⟦hex:40⟧ for now
WLAN-Schlüssel steht hinten drauf: ⟦digits:20⟧
Neues Passwort ist übrigens ⟦pw⟧, hab's gerade gesetzt
Die PIN vom Firmenhandy ist ⟦digits:4⟧
Der API-Schlüssel von Hetzner: ⟦alnum:64⟧
code wifi : ⟦pw⟧
Voici la clé API : ⟦alnum:36⟧, ne la commit pas
el token de acceso es ⟦alnum:40⟧
Entra con usuario "root" y contraseña "⟦pw⟧"
вот API-ключ: ⟦alnum:32⟧
пасс от админки — ⟦pw⟧
测试环境的 token 是 ⟦alnum:32⟧ ，口令：⟦pw⟧
ID：admin　パスワード：⟦pw⟧
usuário: suporte / senha: ⟦pw⟧
O token de acesso da API é ⟦alnum:40⟧
{"level":30,"time":1741687931,"req":{"method":"GET","headers":{"authorization":"Bearer bouP_⟦alnum:43⟧","host":"api"}},"msg":"in"}
{"event":"token_refreshed","refresh_token":"⟦base64url:64⟧","user_id":42}
[2025-03-11 10:12:11,345] WARN [http-nio-8080-exec-4] AuthFilter: rejected apiKey [⟦alnum:32⟧] for /v1/items
PHP Fatal error: Uncaught PDOException: SQLSTATE[HY000] [1045] in /var/www/db.php:7\nStack trace:\n#0 /var/www/db.php(7): PDO->__construct('mysql:host=db', 'root', '⟦pw⟧')\n#1 {main}
MongoServerError: Authentication failed.\n    at Connection.onMessage (/app/node_modules/mongodb/lib/cmap/connection.js:210:20)\n  uri: 'mongodb://admin:⟦pw⟧@mongo:27017/?authSource=admin'
[debug] opts: [hostname: "db", username: "app", password: "⟦pw⟧", pool_size: 10]
{'auth': {'token': '⟦base64url:40⟧',\n          'type': 'bearer'},\n 'timeout': 5}
(gdb) p cfg->password\n$1 = 0x55d0c0 "⟦base64url:11⟧*0S"
1741687931.123456 [0 10.0.0.3:5512] "AUTH" "app" "⟦pw⟧"
2025-03-11 10:12:11 UTC LOG:  statement: CREATE USER app WITH ENCRYPTED PASSWORD '⟦pw⟧';
Run docker login -u $USER -p dckr_pat_⟦alnum:27⟧\nWARNING! Using --password via the CLI is insecure.
SmtpSettings { Host = mail, User = noreply, Password = ⟦pw⟧, Port = 587 }
C: AUTH LOGIN\nS: 334 VXNlcm5hbWU6\nC: bm9yZXBseQ==\nS: 334 UGFzc3dvcmQ6\nC: ⟦alnum:19⟧=\nS: 235 2.7.0 Authentication successful
a1 LOGIN lena@acme.dev Nm*⟦alnum:11⟧\na1 OK LOGIN completed
---> USER upload\n<--- 331 Password required\n---> PASS ⟦base64url:12⟧\n<--- 230 Logged on
$ gopass show -o team/grafana\n⟦pw⟧
$ bw get password github.com\n⟦alnum:18⟧
$ op item get "AWS prod" --fields password --reveal\n⟦alnum:40⟧
$ gcloud secrets versions access latest --secret=db-pass\n⟦pw⟧
$ az keyvault secret show --vault-name acme --name db --query value -o tsv\n⟦base64url:7⟧!⟦alnum:8⟧!J3L
$ aws ssm get-parameter --name /prod/jwt --with-decryption --query Parameter.Value --output text\n⟦alnum:48⟧
$ aws ecr get-login-password\n⟦base64:216⟧=
$ doppler secrets get STRIPE_KEY --plain\nsk_live_⟦alnum:99⟧
$ sops -d secrets.enc.yaml\ndb:\n    user: app\n    password: ⟦pw⟧
$ ansible-vault view group_vars/prod/vault.yml\nvault_db_password: ⟦pw⟧\nvault_api_key: ⟦hex:32⟧
$ consul keygen\n⟦base64:43⟧=
$ python3 -c 'import secrets; print(secrets.token_urlsafe(32))'\n⟦base64url:43⟧
$ node -e "console.log(require('crypto').randomBytes(48).toString('hex'))"\n⟦hex:96⟧
Postgres cluster acme-db created\n  Username:    postgres\n  Password:    ⟦pw⟧\n  Hostname:    acme-db.internal
$ bin/elasticsearch-reset-password -u elastic -b\nPassword for the [elastic] user successfully reset.\nNew value: ⟦pw⟧
$ docker exec jenkins cat /var/jenkins_home/secrets/initialAdminPassword\n⟦hex:32⟧
$ docker swarm join-token -q worker\nSWMTKN-1-⟦base64url:76⟧
$ vault operator init -key-shares=1 -key-threshold=1\nUnseal Key 1: ⟦alnum:44⟧\n\nInitial Root Token: hvs.⟦alnum:24⟧
$ secret-tool lookup service acme\n⟦pw⟧
$ bin/rails credentials:show\naws:\n  access_key_id: ⟦pw⟧\n  secret_access_key: ⟦base64:40⟧\nsecret_key_base: ⟦hex:128⟧
$ az acr credential show -n acme\n{\n  "passwords": [\n    { "name": "password", "value": "⟦base64:52⟧" }\n  ],\n  "username": "acme"\n}
$ tailscale up --auth-key=tskey-auth-⟦base64url:50⟧
$ aws iam create-access-key --user-name ci --output text\nACCESSKEY	⟦pw⟧	2025-03-11T10:12:11Z	⟦base64:40⟧	Active	ci
MONGO_INITDB_ROOT_USERNAME: root\nMONGO_INITDB_ROOT_PASSWORD: ⟦pw⟧
passwd = "⟦pw⟧"
connect(user="sa", pwd="⟦pw⟧")
const secret = process.env.JWT_SECRET || '⟦base64url:11⟧';
PASSWORD = os.getenv("ADMIN_PASSWORD", "⟦pw⟧")
cy.get('input[name=password]').type('⟦base64url:14⟧')
When I log in as "lena" with password "⟦pw⟧"
let(:password) { "⟦pw⟧" }
password { '⟦pw⟧' }
docker run -e ACCEPT_EULA=Y -e MSSQL_SA_PASSWORD=⟦pw⟧ mcr.microsoft.com/mssql/server
Username: admin\nPassword: ⟦pw⟧\nLogin succeeded
network={\n    ssid="acme-home"\n    psk="⟦pw⟧"\n}
keepassxc-cli show db.kdbx github <<< "⟦pw⟧"
vncserver password set to ⟦pw⟧
sftp://backup:⟦pw⟧@nas.local/srv
"ConnectionStrings": { "Default": "Host=db;Database=app;Username=app;Password=⟦pw⟧" }
grails.plugin.springsecurity.ldap.context.managerPassword = '⟦pw⟧'
User.create!(email: "admin@acme.dev", password: "⟦pw⟧", password_confirmation: "⟦pw⟧")
`,
);
