import { isTokenLike, looksRandom } from './generated.ts';
import { nameLevel } from './name.ts';
import { isQuote } from './operator.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import { isPasswordLiteral, isPlaceholder, isPlainWord, isReference } from './secret-value.ts';

/**
 * Which words of which commands are secrets. Before the colon are programs (separated by `,`) and their subcommand;
 * behind it, what is secret:
 * - `-p`: the value of an option, also `-p=value`; `-p+`: the value attached to it (`-pVALUE`)
 * - `$2`: the second argument behind the subcommand; `$-1`: the last
 * - `$2@`: the second argument if the first is a name of secrets
 * - `$=`: the values of all arguments `NAME=value`
 * - `-u:`, `$1/`, `-U%`: what follows the first colon, slash or percent sign of the value
 * - `using`: the word behind that word
 * A word in brackets is an option without which the rule does not apply.
 */
const COMMANDS = `
sqlcmd,bcp,osql,tsql,isql: -P+
influx: -t
shodan init,cloudflared service install,cloudflared tunnel run --token: $1
codecov,codecovcli: -t
sqlcmd,bcp,osql,tsql,isql,mosquitto_pub,mosquitto_sub,mosquitto_rr,ipmitool,zip,unzip,zipcloak,knife: -P
mysql,mysqldump,mysqladmin,mysqlimport,mysqlsh,mariadb,mariadb-dump,percona-toolkit,7z,7za,7zz,7zr: -p+
mongo,mongosh,mongodump,mongorestore,mongoexport,mongoimport,mongostat,cqlsh,cypher-shell,influx,twine,racadm,beeline,tabcmd: -p
redis-cli,keydb-cli,valkey-cli: -a
ldapsearch,ldapadd,ldapmodify,ldapdelete,ldapwhoami,ldappasswd,ldapcompare: -w
sshpass,rdesktop,evil-winrm,smbmap,crackmapexec,psexec: -p -p+
plink,pscp,psftp: -pw
rar,unrar: -p+ -hp+
htpasswd [b]: $-1
smbclient,rpcclient,smbcacls,smbget,winexe: -U%
psexec.py,wmiexec.py,smbexec.py,secretsdump.py,atexec.py,dcomexec.py,mssqlclient.py: $1:
sqlplus,sqlcl,expdp,impdp,sqlldr: $1/
vault login,vault operator unseal,rclone obscure,cargo login,snyk auth,wandb login,mkpasswd,bw unlock: $1
bitcoin-cli walletpassphrase: $1
ngrok authtoken,ngrok config add-authtoken,nuget setapikey,ansible-vault encrypt_string,pulumi login: $1
bw login,cf auth,rabbitmqctl add_user,rabbitmqctl change_password,rabbitmqctl authenticate_user,net user,drush upwd,drush user:password: $2
b2 authorize-account,b2 account authorize,netlify env:set,sf alias set,credstash put: $2
wpa_passphrase,glab variable set,dotnet user-secrets set,supabase secrets set,nuget push: $2
poetry config: $2@ $3@
aws configure set,npm config set,pnpm config set,yarn config set,pip config set,gcloud config set: $2@
pulumi config set [--secret]: $2
net use: $-1
ejabberdctl register,prosodyctl register: $3
db2 connect: using
rootpw,passwd: $-1
dscl: $-1
mc alias set,mc config host add: $3 $4
kubectl create secret: --from-literal=
fly secrets set,flyctl secrets set,doppler secrets set,railway variables set,gigalixir config:set: $=
gh secret set: -b --body
llm keys set,eas secret:create: --value
cypress run: --key
etcdctl: --user:
lynx: -auth: -pauth:
etcdctl user add: $1:
flask create-user: $2
aws ssm put-parameter,az keyvault secret set: --value
docker login,podman login,nerdctl login,buildah login,skopeo login,oras login,crane auth login,az login,cf login: -p
helm registry login,heroku login,snow login,ibmcloud login,argocd login,regctl registry login: -p -pass
security unlock-keychain,security create-keychain,security import: -p -P
security add-generic-password,security add-internet-password: -w
openssl: -passin: -passout: -password: -pass: -k -K -hmac
openssl passwd: $-1
ssh-keygen: -N -P
useradd: -p
doctl auth init: -t --access-token
dotnet nuget push: -k
snmpwalk,snmpget,snmpset,snmpbulkwalk,snmptable: -A -X -c
lftp: -u,
xfreerdp,xfreerdp3,wlfreerdp,mstsc,cmdkey,wmic,signtool,schtasks: /p: /pass: /password: /rp:
curl,http,https,xh,httpie,aria2c: -u: --user: --proxy-user: -a: --auth: -U: -E: --cert:
transmission-remote: -n: --auth:
net rpc,net ads: -U%
mosquitto_passwd [b]: $-1
isql: $3
`;

/** What of one command is secret. */
interface CommandRule {
  readonly subcommand: readonly string[];
  readonly needs: string | undefined;
  readonly items: readonly string[];
}

const rulesByProgram = new Map<string, readonly CommandRule[]>();

/** The rules of a program. Only the lines with its name are parsed, because short processes see few programs. */
function rulesOf(program: string): readonly CommandRule[] {
  const known = rulesByProgram.get(program);
  if (known !== undefined || program === '') return known ?? [];
  const parsed = COMMANDS.split('\n')
    .filter((line) => line.includes(program))
    .flatMap((line) => parseRules(line, program));
  rulesByProgram.set(program, parsed);
  return parsed;
}

function parseRules(line: string, program: string): readonly CommandRule[] {
  const colon = line.indexOf(': ');
  const needs = /\[(.+)\]/.exec(line)?.[1];
  const items = line.slice(colon + 2).split(' ');
  const names = line
    .slice(0, colon)
    .replace(/ \[.+\]/, '')
    .split(',');
  return names
    .map((name) => name.split(' '))
    .filter(([first]) => first === program)
    .map(([, ...subcommand]) => ({ subcommand, needs, items }));
}

/** The programs in the table. Those with a common beginning share a keyword. */
const PROGRAM = /(?<=^|,)(?:mongo|mysql|mariadb|ldap|mosquitto_|snmp|xfreerdp|[\w.-]+)/gm;
const PREFIXES = ' mongo mysql mariadb ldap mosquitto_ snmp xfreerdp ';

/** Keywords of {@link findCommandSecret}: the programs. */
export const COMMAND_KEYWORDS: readonly string[] = Array.from(new Set(COMMANDS.match(PROGRAM)), (program) =>
  PREFIXES.includes(` ${program} `) ? program : `${program} `,
);

/** The same for programs that are often in an array of arguments. */
export const ARRAY_KEYWORDS: readonly string[] = ['curl', 'redis-cli', 'sshpass', 'openssl', 'docker', 'zip'].flatMap(
  (program) => [`${program}"`, `${program}'`],
);

/** A word of a command: its text without quotes, and where that is. */
export interface CommandWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const WORD =
  /(?:\\\r?\n|[ \t]){0,80}((?:\\"(?:[^"\\\n]|\\[^"]){0,2000}\\"|"(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}'|\\[^\n]|[^\s"'|;&<>()`\\]){1,2000})/dy;
const MAX_WORDS = 60;

/** The words of the command that starts at a position, up to an operator or the end of its line. */
export function readWords(text: string, at: number): readonly CommandWord[] {
  const words: CommandWord[] = [];
  WORD.lastIndex = at;
  for (let match = WORD.exec(text); match !== null && words.length < MAX_WORDS; match = WORD.exec(text)) {
    const [start, end] = match.indices?.[1] ?? [0, 0];
    words.push(unquote(text, start, end));
  }
  return words;
}

function unquote(text: string, start: number, end: number): CommandWord {
  const quote = /^\\?["']/.exec(text.slice(start, start + 2))?.[0] ?? '';
  const isQuoted =
    quote !== '' &&
    end - start >= 2 * quote.length &&
    text.endsWith(quote, end) &&
    text.startsWith(quote, end - quote.length);
  const [from, to] = isQuoted ? [start + quote.length, end - quote.length] : [start, end];
  return { text: text.slice(from, to), start: from, end: to };
}

/** How far behind its program the subcommand of a command may be. */
const MAX_NEAR = 300;

/** Masks the secrets that a command is given; `at` is the start of its program. */
export function findCommandSecret(text: string, at: number, found: Span[]): void {
  if (at > 0 && /[\w.-]/.test(text[at - 1] ?? '')) return;
  const program = programAt(text, at);
  const near = text.slice(at, at + MAX_NEAR).toLowerCase();
  const known = rulesOf(program).filter(({ subcommand }) => subcommand.every((word) => near.includes(word)));
  if (known.length === 0) return;
  const end = at + program.length;
  const words = isQuote(text.charCodeAt(end)) ? readItems(text, end + 1) : readWords(text, at);
  for (const rule of known) {
    const rest = withoutSubcommand(words.slice(1), rule.subcommand);
    if (rest === undefined || !meets(rest, rule.needs)) continue;
    for (const item of rule.items) addItem(text, rest, item, found);
  }
}

const ITEM_OF_ARRAY = /\s{0,20},\s{0,20}\[?\s{0,20}(["'])((?:[^"'\\\n]|\\.){0,2000})\1/dy;

/** The words behind a program in an array of arguments: `["mysql", "-pX"]`, `spawn('mysql', ['-pX'])`. */
function readItems(text: string, at: number): readonly CommandWord[] {
  const words: CommandWord[] = [{ text: '', start: at, end: at }];
  ITEM_OF_ARRAY.lastIndex = at;
  for (
    let match = ITEM_OF_ARRAY.exec(text);
    match !== null && words.length < MAX_WORDS;
    match = ITEM_OF_ARRAY.exec(text)
  ) {
    const [start, end] = match.indices?.[2] ?? [0, 0];
    words.push({ text: text.slice(start, end), start, end });
  }
  return words;
}

function programAt(text: string, at: number): string {
  let end = at;
  while (end - at < 40 && text.charCodeAt(end) > 32 && !isQuote(text.charCodeAt(end))) end++;
  const program = text.slice(at, end).toLowerCase();
  return program.endsWith('.exe') ? program.slice(0, -4) : program;
}

/** The words behind a subcommand, with the options before it; undefined if it is another subcommand. */
function withoutSubcommand(
  words: readonly CommandWord[],
  subcommand: readonly string[],
): readonly CommandWord[] | undefined {
  let next = 0;
  const options: CommandWord[] = [];
  for (const [i, word] of words.entries()) {
    if (next === subcommand.length) return [...options, ...words.slice(i)];
    if (word.text.toLowerCase() === subcommand[next]) next++;
    else if (next > 0 && !word.text.startsWith('-')) return undefined;
    else options.push(word);
  }
  return next === subcommand.length ? options : undefined;
}

/** Whether an option is there, alone or among other letters: `-bc`. */
function meets(words: readonly CommandWord[], needs: string | undefined): boolean {
  if (needs === undefined) return true;
  return words.some(
    ({ text }) => text === needs || (needs.length === 1 && /^-\w+$/.test(text) && text.includes(needs)),
  );
}

const ITEM = /^(\$-?\d|\$|[-/]?[\w-]+)([:/%,=+@]?)$/;

function addItem(text: string, words: readonly CommandWord[], item: string, found: Span[]): void {
  const [, name = '', suffix = ''] = ITEM.exec(item) ?? [];
  if (name.startsWith('$')) addArgument(text, words, name, suffix, found);
  else if (name.startsWith('/')) addSlashOption(text, words, name, found);
  else addOption(text, words, name, suffix, found);
}

function addArgument(text: string, words: readonly CommandWord[], name: string, suffix: string, found: Span[]): void {
  const args = words.filter((word) => !/^-|^\/[a-z]{1,10}:/i.test(word.text));
  if (suffix === '=' || name === '$') {
    for (const word of args) if (/^[\w.]+=/.test(word.text)) addValue(text, behind(word, '='), found);
    return;
  }
  const word = args.at(name === '$-1' ? -1 : Number(name.slice(1)) - 1);
  if (word === undefined) return;
  if (suffix === '@' && nameLevel(nameOf(args)) === 'none') return;
  const value = suffix === '' || suffix === '@' ? word : behind(word, suffix, true);
  // A word in a sentence about the command is no argument.
  const isBeforeHost = suffix === '/' && value.end < word.end;
  if (
    isBeforeHost ||
    /^[A-Za-z]{5,}\d{1,6}$/.test(value.text) ||
    isTokenLike(value.text) ||
    isPasswordLiteral(value.text) ||
    /^[^\s/]{6,}[!@#$%^&*]/.test(value.text)
  ) {
    addValue(text, value, found);
  } else if (
    /^[a-z]{3,}(?:-[a-z]{3,})+$/.test(value.text) &&
    /^["']?[ \t]*(?:\n|$)/.test(text.slice(value.end, value.end + 20))
  ) {
    addValue(text, value, found);
  }
}

/** The name in `config NAME value`; `http-basic.HOST` is one of the names of password settings. */
function nameOf(args: readonly CommandWord[]): string {
  const name = args[0]?.text ?? '';
  return /http-basic/.test(name) ? 'password' : name.replace(/\.[\w.-]+$/, '').replace(/^.*:/, '');
}

function addOption(text: string, words: readonly CommandWord[], name: string, suffix: string, found: Span[]): void {
  for (const [i, word] of words.entries()) {
    if (suffix !== '+' && (word.text === name || isCluster(word.text, name))) {
      const value = words[i + 1];
      if (value === undefined || /^-\w/.test(value.text)) continue;
      const isWhole = suffix === ':' && !value.text.includes(':') && isTokenLike(value.text);
      addValue(text, isWhole ? value : behind(value, suffix), found);
    } else if (word.text.startsWith(`${name}=`)) {
      const value = behind(word, '=');
      addValue(text, suffix === '' ? value : behind(value, suffix), found);
    } else if (suffix === '+' && word.text.startsWith(name) && word.text.length > name.length + 2) {
      addValue(text, unquote(text, word.start + name.length, word.end), found);
    }
  }
}

/** Whether short options are written together, the last of which is this one: `-su` for `-s -u`. */
function isCluster(text: string, name: string): boolean {
  return name.length === 2 && text.length < 6 && /^-[A-Za-z]{2,4}$/.test(text) && text.endsWith(name.slice(1));
}

/** Adds the value of an option of Windows: `/p:value`, `/p value`. */
function addSlashOption(text: string, words: readonly CommandWord[], name: string, found: Span[]): void {
  for (const [i, word] of words.entries()) {
    const option = word.text.toLowerCase();
    const value = words[i + 1];
    if (option.startsWith(`${name}:`)) addValue(text, behind(word, ':'), found);
    else if (option === name && value !== undefined && !value.text.startsWith('/')) addValue(text, value, found);
  }
}

/** The part of a word behind a separator; without the separator, nothing. */
export function behind(word: CommandWord, separator: string, isBeforeHost = false): CommandWord {
  if (separator === '' || separator === '+') return word;
  const at = word.text.indexOf(separator);
  const start = at < 0 ? word.end : word.start + at + 1;
  const host = isBeforeHost ? (/@(?:\/\/)?[\w.:/-]+$/.exec(word.text.slice(at + 1))?.[0].length ?? 0) : 0;
  const end = Math.max(start, word.end - host);
  return { text: word.text.slice(start - word.start, end - word.start), start, end };
}

/** Masks a word of a command, unless it stands for the secret. */
export function addValue(text: string, { text: value, start, end }: CommandWord, found: Span[]): void {
  if (
    value.length < 3 ||
    isMasked(text, start) ||
    isPlaceholder(value.replace(/^\\?["'](?=\$)/, '')) ||
    isPlainWord(value) ||
    /^[A-Z_]+$/.test(value)
  )
    return;
  found.push({ start, end, mask: maskOf('password') });
}

/** Programs whose option `-p` is something else. */
const OTHER_OPTION =
  /(?:^|[\s;|&(])(?:mkdir|cp|mv|rsync|npx|npm|pnpm|yarn|bunx?|cargo|claude|codex|gemini|aider|llm|read|[ez]?grep|rg|tsc|ssh|scp|sftp|nmap|ps|patch|docker|podman|git|make|install|tar|nc|ncat|pytest|psql|pg_\w+|python3?|node|perl|tree|nx|turbo|gradle|env|type|command|declare|set|jekyll|http-server|serve|vite|uvicorn|gunicorn|flask|php|rails|iptables|tcpdump|lsof|pgrep|pkill|kill|top|strace|perf|xxd|diff|sed|bash|sh|zsh|adduser|kubectl|helm|redis-\w+|mosquitto_\w+|dotnet|msbuild|conan|bazel|protoc)(?=\s)/;

/** A user or login before the option, which makes it a password. */
const WITH_USER = /\s(?:-u|-U|--user(?:name)?|login)[\s=]/;

/** Masks the password in `-p VALUE` of a program that is not in the table; `at` is the blank before the option. */
export function findPasswordOption(text: string, at: number, found: Span[]): void {
  const from = Math.max(0, at - MAX_NEAR);
  const before = text.slice(from + text.slice(from, at).lastIndexOf('\n') + 1, at);
  if (OTHER_OPTION.test(before) && !WITH_USER.test(before)) return;
  const [, value] = readWords(text, at);
  if (
    value === undefined ||
    /^[-/~.]|^[\d:.,-]+$|\//.test(value.text) ||
    (isReference(value.text) && !/\d/.test(value.text))
  )
    return;
  if (isPasswordLiteral(value.text) || looksRandom(value.text)) addValue(text, value, found);
}
