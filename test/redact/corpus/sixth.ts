import { lines, type Template } from './generate.ts';

/** A sixth list: what the rules missed of secrets in everyday contexts that were written without knowledge of them. */
export const SIXTH: readonly Template[] = lines(
  'sixth',
  String.raw`
DB_HASLO=⟦pw⟧
DefaultPassword    REG_SZ    ⟦pw⟧
reg add HKLM\SOFTWARE\Winlogon /v DefaultPassword /t REG_SZ /d ⟦pw⟧ /f
§{API_KEY:-⟦alnum:32⟧}
pub const API_KEY: &'static str = "⟦alnum:32⟧";
{auth_key, "⟦hex:32⟧"}
-define(PASSWORD, "⟦sym⟧").
Driver={SQL Server};Server=db;Uid=sa;Pwd={⟦alnum:9⟧=-x};
config.pepper = '⟦hex:128⟧'
define('NONCE_SALT', '~#⟦alnum:9⟧&;c)9-XU]f[Q,~=⟦alnum:9⟧+.,n4v)U:b86q;juh+&V⟦alnum:9⟧');
resource "random_password" "db" {\n    length = 20\n    result = "⟦sym⟧"
"values": {\n  "bcrypt_hash": null,\n  "result": "⟦alnum:24⟧"
<key>apiKey</key>\n<string>⟦alnum:39⟧</string>
# config/master.key\n⟦hex:32⟧
Client secret\n⟦alnum:40⟧\n
secret-tool lookup service app\n⟦alnum:24⟧
config.omniauth :github, 'Iv1.⟪hex:16⟫', '⟦hex:40⟧'
[smtp.acme.dev]:587 bob@acme.dev:⟦lower:16⟧
stats auth admin:⟦pw⟧
<auth-user-pass>\nbob\n⟦alnum:14⟧\n</auth-user-pass>
"bearer": { "gitlab.com": "⟦alnum:20⟧" }
user_super="⟦pw⟧"
send "7⟦alnum:12⟧\r"
curl --pass ⟦pw⟧ --cert c.pem https://acme.dev
session.cookies.set('session', '⟦alnum:40⟧')
.basic_auth("bob", Some("⟦sym⟧"))
"auth": { "raw_auth": "bob:⟦alnum:14⟧", "type": "basic" }
SELECT crypt('⟦pw⟧', gen_salt('bf'));
PRAGMA key = '⟦pw⟧';
EXEC sp_addlinkedsrvlogin 's', 'false', NULL, 'sa', '⟦alnum:14⟧';
bcrypt.compare("⟦pw⟧", hash)
conn.Open "DSN=x", "sa", "⟦alnum:12⟧"
rsync --password-file=<(echo ⟦pw⟧) a b
net use \\srv\share ⟦pw⟧ /user:CORP\bob
wmic /node:h /user:bob /password:Tiger@⟦digits:6⟧ os
$pw = '⟦sym⟧'
cloudflared service install ⟦alnum:100⟧
codecov -t ⟦uuid⟧
drush upwd admin ⟦pw⟧
User.objects.create_user('bob', 'b@acme.dev', '⟦pw⟧')
new UsernamePasswordToken("bob", "⟦pw⟧")
credentials: admin/⟦pw⟧
Kata sandi: ⟦pw⟧
passphrase for the key is "⟦words:4⟧"
TOTP seed ⟦base32:32⟧
mnemonic:\n1. ⟦words:1⟧  2. ⟦words:1⟧  3. ⟦words:1⟧ 4. ⟦words:1⟧ 5. ⟦words:1⟧ 6. ⟦words:1⟧ 7. ⟦words:1⟧ 8. ⟦words:1⟧ 9. ⟦words:1⟧ 10. ⟦words:1⟧ 11. ⟦words:1⟧ 12. ⟦words:1⟧
WIF: 5K⟦alnum:49⟧
(0) 0x⟦hex:64⟧ (100 ETH)
u: bob p: ⟦sym⟧
<bob> root pw on db1 is Basket⟦digits:4⟧
execve("/usr/bin/mysql", ["mysql", "-uroot", "-p⟦alnum:12⟧"], 0x7f) = 0
spawn('mysqldump', ['-uroot', '-p⟦alnum:12⟧', 'app'])
LTAI5t⟪alnum:18⟫:⟦alnum:30⟧
snyk_uat.⟦hex:8⟧.eyJ⟦alnum:100⟧.⟦base64url:80⟧
X-Session-Id: ⟦alnum:44⟧
dsn := fmt.Sprintf("postgres://%s:%s@db/a", "app", "⟦alnum:14⟧")
auth = ("bob", "⟦sym⟧")
signer = Signer("⟦alnum:32⟧")
key = bytes.fromhex("⟦hex:64⟧")
const key = Buffer.from('⟦hex:64⟧', 'hex');
keyStore.load(is, "Kitten⟦digits:4⟧!".toCharArray());
WiFiMulti.addAP("home", "⟦pw⟧");
mqtt.username_pw_set("u", "⟦pw⟧")
sed -i "s/CHANGEME_PASSWORD/7⟦alnum:20⟧/" config.yml
.logon host/bob,⟦alnum:12⟧
isql DSN bob ⟦alnum:12⟧
mosquitto_passwd -b /etc/mosquitto/users bob ⟦pw⟧
npm publish --otp=⟦digits:6⟧
Use code ⟦digits:6⟧ to sign in
curl -su 'bob:⟦alnum:14⟧' acme.dev
curl -E cert.p12:⟦pw⟧ https://acme.dev
net rpc -U 'bob%⟦alnum:12⟧'
openssl dgst -sha256 -hmac "⟦alnum:32⟧" f
transmission-remote -n bob:⟦alnum:10⟧ -l
python -c "import secrets; print(secrets.token_hex())"\n⟦hex:64⟧
SECRETS='{"db":"⟦alnum:20⟧"}'
remotepass = ⟦pw⟧
SQLConnectInfo app@db bob ⟦alnum:12⟧
"bob" "md5⟦hex:32⟧"
network_key: ⟦HEX:32⟧
Save this token, it won't be shown again: ⟦alnum:40⟧
recovery codes: ⟦lower:5⟧-⟦lower:5⟧ ⟦lower:5⟧-⟦lower:5⟧
(gdb) p password\n§1 = "⟦pw⟧"
irb> Rails.application.secret_key_base\n=> "⟦hex:128⟧"
https://open.feishu.cn/open-apis/bot/v2/hook/⟦uuid⟧
new ethers.Wallet("0x⟦hex:64⟧")
OVSX_PAT=⟦uuid⟧
§ python manage.py shell -c 'print(settings.SECRET_KEY)'\n⟦alnum:50⟧
§ rails runner 'puts Rails.application.credentials.secret_key_base'\n⟦hex:128⟧
§ nmcli -s -g 802-11-wireless-security.psk con show home\n⟦pw⟧
§ wp config get DB_PASSWORD\n⟦sym⟧
C:\> echo %DB_PASS%\nWalnutYellow⟦digits:4⟧
etcdctl user add root:⟦alnum:14⟧
api tokens:\n  ci: ⟦alnum:40⟧
password = (\n    "⟦sym⟧"\n)
def get_password(): return "⟦pw⟧"
exec.Command("curl", "-u", "bob:⟦alnum:14⟧", url)
printf("pass=%s", "⟦pw⟧");
<p>Password: <b>⟦pw⟧</b></p>
<setting name="Password" serializeAs="String"><value>⟦pw⟧</value></setting>
{"jsonrpc":"2.0","method":"auth","params":["bob","⟦pw⟧"]}
CREATE DATABASE LINK l CONNECT TO bob IDENTIFIED BY ⟦alnum:14⟧ USING 'x';
PW lautet: ⟦pw⟧
PIN-Code: ⟦digits:4⟧
PARAMETERS\tarn:x\tString\t/prod/db/password\tSecureString\t⟦alnum:20⟧\t1
kubeadm join 10.0.0.1:6443 --token ⟦lower:6⟧.⟦lower:16⟧
code=4/0A⟦alnum:70⟧&client_id=x
seed = "⟦hex:64⟧"
CryptoJS.HmacSHA256(msg, "⟦alnum:32⟧")
OpenSSL::HMAC.hexdigest('SHA256', '⟦alnum:32⟧', data)
HMACSHA256(Encoding.UTF8.GetBytes("⟦alnum:32⟧"))
jwt.NewWithClaims(m, c).SignedString([]byte("⟦alnum:32⟧"))
Net::FTP.open('h', 'u', '⟦pw⟧')
imap_open("{x}INBOX", "u@acme.dev", "⟦pw⟧");
telnet.write(b"7⟦alnum:12⟧\r")
child.sendline('7⟦alnum:12⟧')
algoliasearch('⟪upper:10⟫', '⟦hex:32⟧')
PLEX_CLAIM=claim-⟦alnum:20⟧
smbpasswd -a u -s <<< §'⟦pw⟧'
https://conda.acme.dev/t/xx-⟦uuid⟧/main
erl -setcookie ⟦alnum:20⟧
RELEASE_COOKIE=⟦alnum:32⟧
lynx -auth=u:⟦alnum:10⟧ https://acme.dev
PW für den Router: ⟦pw⟧
I've set it to ⟦alnum:6⟧!9⟦alnum:4⟧ — password for the new db user
Login failed for user 'sa' with password '⟦alnum:5⟧^?⟦alnum:4⟧#'
`.replaceAll('§', '$'),
);
