import { lines, type Template } from './generate.ts';

/** A fourth list, by another author, that rules were changed for. */
export const FOURTH: readonly Template[] = lines(
  'fourth',
  String.raw`
$ curl -sS -H "Authorization: Bearer ⟦alnum:40⟧" https://api.acme.dev/v1/projects | jq .
curl -u deploy:⟦pw⟧ -X POST https://jenkins.acme.dev/job/release/build
> GET /v2/me HTTP/1.1\n> Host: api.acme.dev\n> User-Agent: curl/8.5.0\n> Accept: */*\n> Authorization: Bearer ⟦jwt⟧\n>\n< HTTP/1.1 200 OK
curl https://search.internal:9200/_cat/indices -H 'X-Api-Key: ⟦hex:32⟧'
Authorization: Token ⟦hex:40⟧
Cookie: _ga=GA1.2.19283.1700; sessionid=⟦lower:32⟧; theme=dark
HTTP/2 302\nlocation: /dashboard\nset-cookie: connect.sid=s%3A⟦base64url:32⟧.⟦alnum:43⟧; Path=/; HttpOnly; SameSite=Lax
Proxy-Authorization: Basic ⟦alnum:35⟧=
curl --header "PRIVATE-TOKEN: glpat-⟦base64url:20⟧" "https://gitlab.example.org/api/v4/projects/42/variables"
GET https://api.themoviedb.org/3/movie/550?api_key=⟦hex:32⟧&language=de HTTP/1.1
https://graph.acme.dev/me/photos?fields=id,name&access_token=⟦alnum:123⟧
POST /oauth/token HTTP/1.1\nHost: login.acme.dev\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=password&username=lena%40acme.dev&password=⟦pw⟧&client_id=web
curl -X POST localhost:3000/api/login -H 'content-type: application/json' -d '{"email":"ops@acme.dev","password":"⟦alnum:15⟧"}'
{"access_token":"ya29.⟦base64url:120⟧","expires_in":3599,"refresh_token":"⟦base64:84⟧","scope":"openid","token_type":"Bearer"}
X-Amz-Date: 20250311T101211Z\nX-Amz-Security-Token: ⟦base64:236⟧
https://acme-backups.s3.eu-central-1.amazonaws.com/db.dump?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAG63AOS7JOGWUKQAR%2F20250311%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Date=20250311T101211Z&X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature=⟦hex:64⟧
wget --header='Authorization: token ghp_⟦alnum:36⟧' https://raw.githubusercontent.com/acme/infra/main/hosts.yml
$ http -a admin:C#⟦alnum:6⟧!*4^1s GET :8080/actuator/env
X-Auth-Token: ⟦base64url:183⟧\nX-Subject-Token: ⟦base64url:183⟧
import boto3\n\nAWS_SECRET_ACCESS_KEY = "⟦base64:40⟧"\nclient = boto3.client("s3")
conn = psycopg2.connect(host="db.internal", dbname="orders", user="orders_rw", password="x#⟦alnum:11⟧&8x", port=5432)
r = requests.get("https://jira.acme.dev/rest/api/2/myself", auth=("svc-bot", "⟦pw⟧"), timeout=10)
export default {\n  db: { host: 'localhost', user: 'root', password: '⟦pw⟧' },\n  jwtSecret: '⟦alnum:48⟧',\n};
export class PaymentClient {\n  private readonly apiSecret: string = '⟦base64url:44⟧';\n}
package main\n\nconst (\n	apiBase   = "https://api.acme.dev"\n	apiSecret = "⟦hex:48⟧"\n)
db, err := sql.Open("mysql", "app:⟦pw⟧@tcp(10.0.3.4:3306)/shop?parseTime=true")
Connection c = DriverManager.getConnection("jdbc:postgresql://db:5432/crm", "crm", "⟦alnum:13⟧");
var cs = new SqlConnection("Server=tcp:acme.database.windows.net,1433;Database=crm;User ID=sa;Password=⟦pw⟧;Encrypt=true");
$pdo = new PDO('mysql:host=127.0.0.1;dbname=wp', 'wp_user', '⟦alnum:17⟧');
define( 'DB_PASSWORD', 'bMF=vhB^⟦base64:7⟧?5z' );\ndefine( 'AUTH_KEY',         'r#⟦base64:42⟧#⟦alnum:9⟧&⟦alnum:6⟧^3d' );
Stripe.configure do |c|\n  c.webhook_secret = 'whsec_⟦alnum:32⟧'\nend
const TOKEN: &str = "⟦base64url:43⟧";
signingConfigs {\n    create("release") {\n        storeFile = file("release.jks")\n        storePassword = "⟦pw⟧"\n        keyPassword = "⟦pw⟧"\n    }\n}
let apiKey: String = "⟦alnum:36⟧"
config :my_app, MyAppWeb.Endpoint,\n  secret_key_base: "⟦base64:64⟧"
@pytest.fixture\ndef creds():\n    return {"username": "qa@acme.dev", "password": "⟦pw⟧"}
#define WIFI_SSID "FRITZ!Box 7590"\n#define WIFI_PASS "⟦digits:20⟧"
SECRET_KEY = 'django-insecure-⟦lower:50⟧'
my $dbh = DBI->connect("dbi:Pg:dbname=stats;host=pg1", "stats", "⟦alnum:6⟧*=bQW&4d", { RaiseError => 1 });
$ mysql -h db1 -u root -p⟦alnum:14⟧ shop < dump.sql
PGPASSWORD=⟦pw⟧ psql -h pg.internal -U app -d app -c 'select 1'
docker login registry.acme.dev -u ci -p ⟦pw⟧
echo '⟦base64url:36⟧' | docker login ghcr.io -u acme-bot --password-stdin
redis-cli -h cache.internal -a ⟦alnum:24⟧ ping
sshpass -p '⟦alnum:6⟧@t#&1k' ssh root@10.0.0.12 uptime
git clone https://oauth2:glpat-⟦alnum:20⟧@gitlab.com/acme/api.git
$ git remote -v\norigin	https://lena:ghp_⟦alnum:36⟧@github.com/acme/web.git (fetch)\norigin	https://lena:ghp_⟦alnum:36⟧@github.com/acme/web.git (push)
mongosh "mongodb+srv://root:⟦pw⟧@cluster0.ab1cd.mongodb.net/admin"
aws configure set aws_secret_access_key ⟦base64:40⟧ --profile prod
kubectl create secret generic db --from-literal=username=app --from-literal=password='zM7w?⟦alnum:8⟧^7l' -n prod
helm upgrade --install pg bitnami/postgresql --set auth.postgresPassword=⟦pw⟧ --set auth.database=app
gh secret set NPM_TOKEN --body "npm_⟦alnum:36⟧" --repo acme/web
openssl rsa -in server.key -passin pass:⟦pw⟧ -out server.plain.key
echo "deploy:⟦pw⟧" | sudo chpasswd
az login --service-principal -u 8ef992e8-4519-4594-84d9-d7450ef20ef7 -p RON8Q~⟦alnum:34⟧ --tenant 681f8343-f46c-4b81-8f11-2e338385e503
ldapsearch -x -H ldap://dc1 -D "cn=admin,dc=acme,dc=dev" -w ⟦alnum:12⟧ -b "dc=acme,dc=dev"
smbclient //nas/backup -U 'acme\backup%⟦pw⟧' -c ls
htpasswd -bc /etc/nginx/.htpasswd prometheus ⟦pw⟧
zip -P ⟦base64url:7⟧!⟦alnum:8⟧ -r payroll.zip payroll/
[database]\nhost = 10.1.2.3\nuser = reports\npassword = ⟦alnum:15⟧
[registry.private]\nindex = "sparse+https://cargo.acme.dev/"\ntoken = "⟦alnum:32⟧"
production:\n  adapter: postgresql\n  username: rails\n  password: ⟦base64url:18⟧\n  pool: 5
{\n  "smtp": { "host": "mail.acme.dev", "user": "noreply", "pass": "⟦pw⟧" },\n  "debug": false\n}
<server>\n  <id>nexus-releases</id>\n  <username>deployer</username>\n  <password>⟦pw⟧</password>\n</server>
<key>APIToken</key>\n<string>⟦alnum:40⟧</string>\n<key>Enabled</key>\n<true/>
spring.datasource.username=shop\nspring.datasource.password=⟦pw⟧\nspring.jpa.hibernate.ddl-auto=none
machine api.heroku.com\n  login ops@acme.dev\n  password ⟦uuid⟧
pg1.internal:5432:orders:orders_rw:⟦pw⟧
users:\n- name: admin@prod\n  user:\n    token: ⟦jwt⟧
region      = "eu-central-1"\ndb_password = "⟦pw⟧"
services:\n  db:\n    image: mariadb:11\n    environment:\n      MARIADB_ROOT_PASSWORD: ⟦base64url:10⟧!Dny1C\n      MARIADB_DATABASE: app
apiVersion: v1\nkind: Secret\nmetadata:\n  name: app-db\ntype: Opaque\ndata:\n  username: YXBw\n  password: ⟦alnum:22⟧==
id,email,password,created\n17,lena@acme.dev,⟦pw⟧,2025-01-03\n18,marc@acme.dev,⟦pw⟧,2025-01-04
+----+-------+------------------+\n| id | user  | password         |\n+----+-------+------------------+\n|  1 | admin | ⟦pw⟧ |\n+----+-------+------------------+
INSERT INTO users (id, login, password, role) VALUES (3, 'mk', '⟦alnum:12⟧', 'admin');
| Service | User | Password |\n|---------|------|----------|\n| Grafana | admin | ⟦pw⟧ |\n| Kibana | elastic | ⟦pw⟧ |
[default]\naws_access_key_id = ⟦pw⟧\naws_secret_access_key = ⟦base64:40⟧
{\n  "auths": {\n    "https://index.docker.io/v1/": {\n      "auth": "⟦alnum:35⟧="\n    }\n  }\n}
DB_HOST=localhost\nDB_PASSWORD=⟦pw⟧
DATABASE_URL=postgres://app:⟦alnum:22⟧@db.internal:5432/app?sslmode=require
export GITHUB_TOKEN=ghp_⟦alnum:36⟧
SESSION_SECRET="⟦base64url:48⟧"\nNODE_ENV=production
set -gx OPENAI_API_KEY sk-⟦alnum:48⟧
$env:AZURE_CLIENT_SECRET = "uRS8Q~⟦base64url:34⟧"
set SONAR_TOKEN=sqp_⟦hex:40⟧
$ printenv | grep -i -E 'key|pass'\nREDIS_PASSWORD=⟦alnum:24⟧\nSTRIPE_API_KEY=sk_test_⟦alnum:99⟧
APP_NAME=Laravel\nAPP_KEY=base64:⟦base64:43⟧=
declare -x NPM_TOKEN="npm_⟦alnum:36⟧"\ndeclare -x PWD="/home/lena/web"
[Service]\nEnvironment="API_SECRET=⟦alnum:40⟧"\nExecStart=/usr/bin/app
FROM node:20\nENV MAPBOX_TOKEN=sk.⟦base64url:68⟧.⟦alnum:22⟧
docker run -d -e POSTGRES_PASSWORD=⟦pw⟧ -p 5432:5432 postgres:16
CLOUDFLARE_API_TOKEN=⟦base64url:40⟧ wrangler deploy
NEXTAUTH_URL=http://localhost:3000\nNEXTAUTH_SECRET=⟦base64:43⟧=
CELERY_BROKER_URL=amqp://worker:⟦pw⟧@rabbit:5672//
SENTRY_DSN=https://⟦hex:32⟧:⟦hex:32⟧@sentry.acme.dev/4
REDIS_URL=rediss://:⟦alnum:32⟧@redis-1.acme.dev:6380/0
ENCRYPTION_KEY=⟦hex:64⟧
The staging password is ⟦pw⟧, please don't share it.
Use admin / ⟦pw⟧ to log in to the demo.
wifi in the office: SSID acme-guest, password ⟦pw⟧
lena  10:42\nhey, the new api key for prod is ⟦alnum:32⟧ — rotate the old one pls
My PIN for the door is ⟦digits:6⟧
user: here's my token ghp_⟦alnum:36⟧ , can you push the branch?
Das Passwort für den Testserver lautet ⟦pw⟧.
Zugangsdaten:\nBenutzer: admin\nKennwort: ⟦pw⟧
Melde dich mit root und ⟦pw⟧ an, dann läuft es.
Le mot de passe de la base de données est Sj!⟦alnum:10⟧
Identifiants : jdupont / mot de passe : ⟦pw⟧
La contraseña del servidor es ⟦pw⟧
Usuario: admin, clave: ⟦pw⟧
Пароль от сервера: ⟦pw⟧
логин admin, пароль ⟦pw⟧
数据库密码是⟦pw⟧，请勿外传
管理画面のパスワードは ⟦pw⟧ です。
A senha do banco é ⟦pw⟧, usa essa por enquanto
Your one-time recovery code: ⟦base64url:11⟧\nKeep it somewhere safe.
账号：admin\n密码：⟦pw⟧
{"ts":"2025-03-11T10:12:11Z","level":"debug","msg":"connecting","dsn":"postgres://svc:⟦base64url:14⟧@pg:5432/app"}
Array\n(\n    [host] => localhost\n    [username] => wp\n    [password] => ⟦pw⟧\n)
array(2) {\n  ["user"]=>\n  string(4) "root"\n  ["passwd"]=>\n  string(14) "⟦pw⟧"\n}
DEBUG:app:config={'db_user': 'app', 'db_password': '⟦pw⟧', 'pool': 5}
Settings(env='prod', api_key='⟦alnum:32⟧', timeout=30)
#<Acme::Client:0x000078f1 @endpoint="https://api.acme.dev", @api_secret="⟦hex:40⟧">
2025/03/11 10:12:11 cfg={Host:db User:app Password:⟦pw⟧ Port:5432}
Config { host: "db", password: Some("⟦base64url:14⟧"), port: 5432 }
2025-03-11 10:12:11 DEBUG c.a.Cfg - DbConfig(url=jdbc:mysql://db/app, username=app, password=⟦pw⟧)
sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) could not connect\n  File "app/db.py", line 12, in get_engine\n    engine = create_engine("postgresql://app:⟦pw⟧@10.0.0.5/app")
Parameters: {"utf8"=>"✓", "user"=>{"email"=>"lena@acme.dev", "password"=>"⟦base64url:6⟧*b5-7N"}, "commit"=>"Log in"}
10.0.0.9 - - [11/Mar/2025:10:12:11 +0000] "GET /api/items?token=⟦base64url:40⟧ HTTP/1.1" 200 512 "-" "Mozilla/5.0"
time=2025-03-11T10:12:11Z level=info msg="login ok" user=lena password=⟦pw⟧ ip=10.0.0.3
+ export 'DEPLOY_KEY=⟦alnum:32⟧'\n+ ./deploy.sh --env prod
$ pass show acme/prod/db\nb&⟦alnum:15⟧*5x
$ op read op://Prod/stripe/credential\nrk_live_⟦alnum:99⟧
$ vault kv get secret/app\n====== Data ======\nKey         Value\n---         -----\npassword    ⟦pw⟧\nusername    app
$ vault kv get -field=password secret/app\n⟦pw⟧
$ kubectl get secret argocd-initial-admin-secret -n argocd -o jsonpath='{.data.password}' | base64 -d; echo\n⟦pw⟧
$ kubectl get secret db -o yaml\napiVersion: v1\ndata:\n  password: ⟦alnum:22⟧==\nkind: Secret
$ aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text\n{"username":"app","password":"⟦alnum:18⟧","host":"db.internal"}
$ openssl rand -hex 32\n⟦hex:64⟧
$ openssl rand -base64 24\n⟦alnum:32⟧
$ wg genkey\n⟦alnum:43⟧=
$ heroku config -a acme-web\n=== acme-web Config Vars\nDATABASE_URL: postgres://u7:⟦hex:64⟧@ec2-1.compute.amazonaws.com:5432/d9\nSECRET_KEY_BASE: ⟦hex:128⟧
$ gh auth token\ngho_⟦alnum:36⟧
$ terraform output -raw db_password\n⟦pw⟧
$ pwgen -s 24 1\n⟦alnum:24⟧
$ gcloud auth print-access-token\nya29.⟦base64url:180⟧
$ cat /run/secrets/db_password\n⟦pw⟧
$ echo $API_TOKEN\n⟦alnum:40⟧
$ security find-generic-password -s acme-vpn -w\n⟦pw⟧
$ aws sts get-session-token\n{\n    "Credentials": {\n        "AccessKeyId": "⟦pw⟧",\n        "SecretAccessKey": "⟦base64:40⟧",\n        "SessionToken": "⟦base64:212⟧",\n        "Expiration": "2025-03-12T10:12:11+00:00"\n    }\n}
$ kubectl -n kube-system create token dashboard\n⟦jwt⟧
POSTGRES_PASSWORD=⟦pw⟧
password: ⟦pw⟧
{"username": "admin", "password": "⟦pw⟧"}
mysql -uroot -p⟦pw⟧ -e 'show databases'
mongodb://root:⟦pw⟧@localhost:27017/app
curl -u elastic:⟦pw⟧ http://localhost:9200
ALTER USER postgres WITH PASSWORD '⟦pw⟧';
CREATE USER 'app'@'%' IDENTIFIED BY '⟦pw⟧';
const DB_PASS = "⟦pw⟧";
passphrase: liverpool-maple-⟦base64url:13⟧
<password>⟦pw⟧</password>
GF_SECURITY_ADMIN_PASSWORD: "⟦pw⟧"
RABBITMQ_DEFAULT_USER=guest1\nRABBITMQ_DEFAULT_PASS=⟦pw⟧
keystore.password=⟦pw⟧
requirepass ⟦pw⟧
keytool -genkey -alias app -keystore app.jks -storepass ⟦pw⟧ -keypass ⟦pw⟧
page.fill("#password", "⟦pw⟧")
ansible_become_pass: ⟦pw⟧
`,
);
