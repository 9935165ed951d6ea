import { readWords } from './command.ts';
import { isTokenLike } from './generated.ts';
import { nameLevel } from './name.ts';
import { isStrong, isStrongInput } from './nearby.ts';
import { isMasked, maskOf, type Span } from './rule.ts';
import { isPasswordLiteral, isPlainWord } from './secret-value.ts';

/** Programs that print a secret, each with a pattern of the arguments with which it does. */
const PRINTS_SECRET: Readonly<Record<string, string>> = {
  pass: '(?:show|otp|generate) |(?:-c )?[\\w@.-]+/[\\w@./-]+$',
  gopass: '(?:show|otp|generate) |(?:-c )?[\\w@.-]+/[\\w@./-]+$',
  op: 'read |item get .*--(?:fields?|reveal|otp)|signin --raw',
  bw: 'get (?:password|totp|notes)|unlock|login',
  rbw: 'get|code',
  lpass: 'show',
  'keepassxc-cli': 'show|clip|generate|diceware',
  'secret-tool': 'lookup',
  chamber: 'read',
  keyring: 'get',
  security: 'find-(?:generic|internet)-password .*-[wg]',
  wg: 'genkey|genpsk|show .*(?:private-key|preshared-keys)',
  'age-keygen': '',
  openssl: 'rand|genrsa|genpkey|ecparam .*-genkey',
  pwgen: '',
  apg: '',
  makepasswd: '',
  mkpasswd: '',
  diceware: '',
  xkcdpass: '',
  wpa_passphrase: '',
  gpg: '--gen-random',
  gcloud:
    'secrets versions access|auth (?:application-default )?print-(?:access|identity)-token|sql generate-login-token',
  az: 'keyvault secret show|account get-access-token|storage account (?:keys list|show-connection-string)|acr credential show|ad sp create-for-rbac',
  aws: '.*(?:get-secret-value|get-parameters?\\b.*--with-decryption|get-session-token|assume-role|get-login-password|generate-db-auth-token|create-access-key|get-random-password|kms decrypt)|configure get \\S*(?:secret|token)',
  vault: 'kv get|read|print token|token (?:create|lookup)|write -field',
  consul: 'kv get',
  nomad: 'var get',
  conjur: 'variable',
  infisical: 'secrets get',
  doppler: 'secrets (?:get|download)',
  gh: 'auth token',
  glab: 'auth token',
  heroku: 'auth:token|config:get',
  fly: 'auth token|tokens create',
  flyctl: 'auth token|tokens create',
  npm: 'token create',
  railway: 'variables',
  cloudflared: 'tunnel token',
  kubectl: '.*(?:get secrets? .*(?:-o|--output|--template)|create token|view-secret)',
  oc: 'whoami (?:-t|--show-token)|get secrets? .*-o|sa get-token|create token',
  kubeadm: 'token create',
  docker: 'swarm join-token -q',
  argocd: 'admin initial-password|account generate-token',
  rosa: 'token',
  ocm: 'token',
  step: 'crypto rand|ca token',
  pulumi: '(?:config get|stack output) .*--show-secrets',
  sops: '-d|--decrypt|decrypt|exec-env|--extract',
  'ansible-vault': 'view|decrypt',
  'git-crypt': 'export-key',
  ejson: 'decrypt',
  rails: 'secret|credentials:show',
  rake: 'secret',
  mix: 'phx\\.gen\\.secret',
  php: 'artisan key:generate --show|-r .*random_bytes',
  python: '-c .*(?:token_hex|token_urlsafe|token_bytes|get_random_secret_key|generate_key)',
  node: '-(?:e|p) .*random(?:Bytes|UUID)',
  ruby: '-(?:r|e) ?.*SecureRandom',
};

/** Whether a program prints a secret with these arguments. */
function printsByTable(program: string, args: string): boolean {
  const pattern = Object.hasOwn(PRINTS_SECRET, program) ? PRINTS_SECRET[program] : undefined;
  return pattern !== undefined && new RegExp(`^(?:${pattern})`).test(args);
}

/** Programs that pass on what they read, possibly changed. */
const FILTER =
  /^(?:tr|head|tail|cut|base64|jq|yq|sed|awk|xargs|tee|cat|grep|sort|fold|xxd|paste|strings|openssl|python3?|less|more|column|rev)$/;
const OPERATOR = /[ \t]*(\|\|?|&&?|;|\n|[<>()`][^\s|;&]*)?/y;
const MAX_COMMAND = 4000;
const MAX_STAGES = 40;

/** Whether a command line prints a secret: a password manager, a generator, a secret store, a variable or file of that name. */
export function printsSecret(commandLine: string): boolean {
  const text = commandLine.slice(0, MAX_COMMAND);
  if (/\b(?:echo|printf)\b[^|;&\n]*\$\(([^()]*)\)/.exec(text)?.[1]?.split('\n').some(printsSecret) === true)
    return true;
  if (text.includes('/dev/urandom') || text.includes('/dev/random')) return true;
  const outside = text.replace(/\$\([^()]*\)|`[^`]*`/g, '_');
  let isPrinted = false;
  let isPiped = false;
  let at = 0;
  for (let stage = 0; stage < MAX_STAGES && at < outside.length; stage++) {
    const words = readWords(outside, at);
    if (isPiped && isPrinted) isPrinted = FILTER.test(words[0]?.text ?? '');
    else isPrinted = printsItself(words.map((word) => word.text));
    OPERATOR.lastIndex = words.length === 0 ? at : endOf(outside, words.at(-1)?.end ?? at);
    const operator = OPERATOR.exec(outside)?.[1];
    at = Math.max(OPERATOR.lastIndex, at + 1);
    isPiped = operator === '|' || (isPiped && operator?.startsWith('<') === true);
    if (isPrinted && !isPiped) return true;
  }
  return isPrinted;
}

/** The end of a word with the quote that closes it. */
function endOf(text: string, end: number): number {
  return /["']/.test(text[end] ?? '') ? end + 1 : end;
}

const VARIABLE = /\$\{?([A-Za-z_]\w*)\}?/g;
const SECRET_FILE =
  /(?:^|\/)(?:run\/secrets\/[\w.-]+|\.(?:vault-token|git-credentials|netrc|pgpass)|id_(?:rsa|ed25519|ecdsa|dsa)|[\w-]+\.(?:secret|key|pass|token))$/;
/** Files with these extensions, or none, contain just the secret. */
const VALUE_FILE = /(?:^|\/)\.?([\w-]+?)(?:\.(?:txt|asc|b64|bin|enc))?$/;

/** Words before the program: `sudo -E`, `bundle exec`, `NAME=value`. */
const WRAPPER = /^(?:sudo|bundle|exec|env|command|time|-[A-Za-z]|[A-Z_]+=.*)$/;
/** A command that runs another one elsewhere: `docker exec -it name`, `kubectl exec pod --`, `ssh host`. */
const REMOTE =
  /^(?:(?:docker|podman|nerdctl)(?: compose)? exec(?: -\S+)* [^-\s]\S*|(?:kubectl|oc) exec .*? --|ssh(?: -\S+)* \S+) +/;

function printsItself(words: readonly string[]): boolean {
  const remote =
    REMOTE.exec(`${words.join(' ')} `)?.[0]
      .trim()
      .split(' ').length ?? 0;
  if (remote > 0) return printsItself(words.slice(remote));
  const [path = '', ...rest] = words.slice(words.findIndex((word) => !WRAPPER.test(word)));
  const program = path.slice(path.lastIndexOf('/') + 1).replace(/^python3$/, 'python');
  if (printsByTable(program, rest.join(' '))) return true;
  const args = rest.filter((word) => !word.startsWith('-'));
  switch (program) {
    case 'printenv':
      return args.some(isSecretName);
    case 'echo':
    case 'printf':
      return args.some(
        (word) => isStrongInput(word) || [...word.matchAll(VARIABLE)].some(([, name]) => isSecretName(name ?? '')),
      );
    case 'cat':
    case 'head':
    case 'tail':
    case 'less':
    case 'bat':
    case 'xxd':
    case 'hexdump':
    case 'od':
    case 'strings':
    case 'base64':
      return args.some((path) => SECRET_FILE.test(path) || isSecretName(VALUE_FILE.exec(path)?.[1] ?? ''));
    case 'terraform':
    case 'tofu':
    case 'terragrunt':
    case 'pulumi':
      return /\boutput\b|\bconfig get\b/.test(rest.join(' ')) && args.some(isSecretName);
    case 'grep':
    case 'awk':
    case 'sed':
      return (
        args.some((path) => ENV_FILE.test(path)) && [...rest.join(' ').matchAll(VARIABLE_NAME)].some(isSecretMatch)
      );
    case 'psql':
    case 'mysql':
    case 'mariadb':
    case 'sqlite3':
      return isSecretName(SELECTED.exec(rest.join(' '))?.[1] ?? '');
    case 'jq':
    case 'yq':
      return args.some((path) => /^[\w.[\]"-]+$/.test(path) && isSecretName(path.replace(/["[\]]/g, '')));
    default:
      return false;
  }
}

const ENV_FILE = /(?:^|[/.])env(?:\.\w+)?$/;
const VARIABLE_NAME = /\b[A-Z][A-Z\d_]{2,40}\b/g;
const SELECTED = /\bselect\s{1,8}(?:distinct\s{1,8})?["`]?([\w.]{1,64})["`]?\s{1,8}from\b/i;

function isSecretMatch([name]: RegExpMatchArray): boolean {
  return isSecretName(name);
}

function isSecretName(name: string): boolean {
  const level = nameLevel(name);
  return level === 'password' || level === 'secret' || level === 'token';
}

const MAX_LINES = 50;
const MESSAGE = /^(?:error|warning|fatal|usage|note|hint|info|could not|cannot|no |not |unable|permission|\w+: )/i;

/** Masks what a command printed whose purpose is to print a secret. Messages of several words are left. */
export function maskPrinted(output: string): string {
  const isOneLine = !output.trim().includes('\n');
  const masked = output.split('\n').map((line, index) => {
    const value = index < MAX_LINES ? printedValue(line.trim(), isOneLine) : '';
    return value === '' ? line : line.replace(value, () => maskOf('secret'));
  });
  return masked.join('\n');
}

const FIELD = /^(?:["']?[\w. -]{1,64}["']?)?[ \t]{0,20}[:=][ \t]{0,20}["']?([^\s"']{4,})["']?,?$/;

/** The secret in a line: all of it if it is one word, the value of `name: value`; empty for a message. */
function printedValue(line: string, isOneLine: boolean): string {
  const value = FIELD.exec(line.replace(/^(?:=>|\$\d{1,3} =) ?/, '= '))?.[1] ?? line;
  if (value.length < 4 || isMasked(value, 0) || isPlainWord(value) || value.endsWith(':')) return '';
  if (/^[-=+|─═{}[\]]+$|^https?:\/\/[^@\s]+$|^\d{1,3}$/.test(value)) return '';
  const dump = /^[0-9a-f]{6,8}:? +(\S.*)$/.exec(value)?.[1];
  if (dump !== undefined) return dump;
  if (!/\s/.test(value)) return value;
  return isOneLine && !MESSAGE.test(value) && !/[.:]$/.test(value) ? value : '';
}

const SHOWS =
  /\b(?:print\w{0,2}|puts|echo|get|getenv|show|read|view|output|export|select|dump|log|process\.env)\b|\)\.\w|^\$env:/i;

/** Whether a command shows something in one word, which is alone below it. */
function showsOneWord(command: string, text: string, start: number): boolean {
  return (
    SHOWS.test(command) &&
    !/^git\b/.test(command) &&
    /^\S+[ \t]*(?:\r?\n[^\n]{0,40}[$#%>] |\s*$)/.test(text.slice(start, start + 600))
  );
}

/** Whether a command has a name of secrets among its words, so that it may print one. */
function mentionsSecret(command: string): boolean {
  if (GENERATES.test(command)) return true;
  return [...command.matchAll(/[\w.-]{4,64}/g)].some(([word]) => isSecretName(word.replace(/^[-.]+/, '')));
}

const GENERATES =
  /keygen|gen[-_]?key|gen(?:erate)?[-_ ]?(?:secret|token|password|psk)|reset[-_]?password|new[-_]?token|unseal|privkey/i;

const MAX_PROMPT = 120;
/** What precedes a command in a recorded terminal session. */
const PROMPT =
  /^(?:[A-Z]:\\[^>\n]{0,60}>|\((?:gdb|lldb)\)|irb[^>\n]{0,40}>|\[[^\]\n]{1,60}\][$#%]|[^\s$]{0,60}[$❯➜»]|\S{1,40}[@:]\S{0,40}[#%]|PS [^\n>]{1,60}>|\+{1,3}) /;

const ENDS_OF_PROMPTS = ['$ ', '❯ ', '➜ ', '» ', '# ', '% ', '> ', '+ ', ') '];

/** A line of a recorded terminal session on which a command was typed. */
interface CommandLine {
  readonly command: string;
  /** Where what it printed begins. */
  readonly end: number;
  readonly hasPrompt: boolean;
}

/** The command line around a position in its prompt; undefined if it is none, or nothing is below it. */
function readCommandLine(text: string, at: number): CommandLine | undefined {
  const from = Math.max(0, at - MAX_PROMPT);
  const newline = text.slice(from, at + 1).lastIndexOf('\n');
  if (newline < 0 && from > 0) return undefined;
  const start = from + newline + 1;
  const head = text.slice(start, start + MAX_PROMPT);
  const prompt = ENDS_OF_PROMPTS.some((end) => head.includes(end)) ? PROMPT.exec(head)?.[0] : undefined;
  // The first line of a text may be a command without a prompt.
  const isFirst = at === 0 && Object.hasOwn(PRINTS_SECRET, head.slice(0, head.indexOf(' ')));
  if (prompt === undefined && !isFirst) return undefined;
  const line = text.slice(start, start + MAX_COMMAND).split('\n', 1)[0] ?? '';
  if (text[start + line.length] !== '\n') return undefined;
  const command = line.slice(prompt?.length ?? 0);
  return { command, end: start + line.length + 1, hasPrompt: prompt !== undefined };
}

/** Masks the lines below a command in a recorded terminal session; `at` is inside of the prompt. */
export function findPrinted(text: string, at: number, found: Span[]): void {
  const typed = readCommandLine(text, at);
  if (typed === undefined) return;
  const { command, hasPrompt } = typed;
  const isPrinted = printsSecret(command);
  if (!isPrinted && !(hasPrompt && mentionsSecret(command))) return;
  const isOneWord = isPrinted || showsOneWord(command, text, typed.end);
  let start = typed.end;
  for (let count = 0; count < MAX_LINES && start < text.length; count++) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, Math.min(end, start + MAX_COMMAND)).trim();
    if (line === '' || PROMPT.test(`${line} `)) return;
    const value = printedValue(line, false);
    const isSecret = (isPrinted && hasPrompt) || isLikelyPrinted(value, line, { hasPrompt, isOneWord });
    if (value !== '' && isSecret) {
      const from = text.indexOf(value, start);
      found.push({ start: from, end: from + value.length, mask: maskOf('secret'), isSoft: true });
    }
    start = end + 1;
  }
}

/** Whether a value that a command printed is a secret, if the command need not have printed one. */
function isLikelyPrinted(
  value: string,
  line: string,
  { hasPrompt, isOneWord }: { readonly hasPrompt: boolean; readonly isOneWord: boolean },
): boolean {
  if (isStrong(value)) return true;
  if (isOneWord && (isTokenLike(value) || (hasPrompt && isPasswordLiteral(value)))) return true;
  const isNamed = value !== line;
  const isResult = /^(?:=>|\$)/.test(line);
  return isNamed && (isPasswordLiteral(value) || (isResult && isTokenLike(value)));
}

/** Keywords of {@link findPrinted}: the ends of prompts. The prompt at the start of a text has none. */
export const PROMPT_KEYWORDS: readonly string[] = ['\n$ ', ']$ ', ']# ', '~$ ', '~# ', '/# ', '~ % '];
