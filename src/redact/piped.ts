import { once } from '../record/once.ts';
import { addValue, behind, type CommandWord, readWords } from './command.ts';
import { isStrongInput } from './nearby.ts';
import type { Span } from './rule.ts';

/** Programs and subcommands that read a secret from standard input, whatever their options. */
const READERS = [
  'chpasswd|smbpasswd|kinit|cryptsetup|veracrypt|gocryptfs|restic|borg|gpg2?|keepassxc-cli|unlock',
  'pass\\s+insert|env\\s+add|versions\\s+add|secrets?\\s+(?:create|put|set|add)|base64\\s+(?:-d|-D|--decode)',
].join('|');
/** Options with which a program reads one. */
const READS_BY_OPTION = [
  '-stdin(?:pass)?\\b|--with-token\\b|-fd\\s+0\\b|-pass(?:in|out)?\\s+stdin',
  '\\bsudo\\b.{0,40}\\s-\\w*S\\b|\\bsudo\\s+-S|\\bsu\\s+-|\\bpasswd\\s',
  '\\bvault\\s+(?:login|write|kv\\s+put)\\b.{0,80}-$',
].join('|');
const READS_SECRET = once(() => new RegExp(`\\b(?:${READERS})\\b|${READS_BY_OPTION}`));
/** Commands that encode, hash or keep what they read. */
const PASSES_ON =
  /\|\s{0,4}(?:sudo )?(?:base64|base32|xxd|od|hexdump|openssl|sha\d{1,3}sum|shasum|md5sum|md5|pbcopy|xclip|xsel|clip|wl-copy|gpg2?|age|htpasswd|tee|nc|docker|podman|helm|gh|glab|vault|kubectl|oc|wrangler|vercel|fly|aws|gcloud|az|read)\b/;
const MAX_PIPE = 600;

/** Masks what is piped into a command that reads a secret: `echo … | sudo -S`; `at` is the start of `echo` or `printf`. */
export function findPipedSecret(text: string, at: number, found: Span[]): void {
  if (at > 0 && /[\w.-]/.test(text[at - 1] ?? '')) return;
  if (text[at - 1] === '(') findSubstituted(text, at, found);
  const line = text.slice(at, at + MAX_PIPE).split('\n', 1)[0] ?? '';
  const pipe = line.indexOf('|');
  if (pipe < 0) return;
  const readsSecret = READS_SECRET().test(line.slice(pipe));
  if (!readsSecret && !PASSES_ON.test(line.slice(pipe))) return;
  const value = readWords(text, at)
    .slice(1)
    .findLast((word) => !/^-\w+$/.test(word.text));
  if (value !== undefined && (readsSecret || isStrongInput(value.text)))
    addPiped(text, value, /chpasswd/.test(line), found);
}

/** Masks a here-string of a command that reads a secret: `sudo -S … <<< "…"`; `at` is the operator. */
export function findHereString(text: string, at: number, found: Span[]): void {
  if (text[at - 1] === '<' || text[at + 3] === '<') return; // The marker of a merge conflict.
  const line =
    text
      .slice(Math.max(0, at - MAX_PIPE), at)
      .split('\n')
      .at(-1) ?? '';
  if (!READS_SECRET().test(line)) return;
  const value = readWords(text, at + 3)[0];
  if (value !== undefined) addPiped(text, value, /chpasswd/.test(line), found);
}

/** Adds what is piped, line by line: a new password is typed twice. */
function addPiped(text: string, word: CommandWord, hasUser: boolean, found: Span[]): void {
  const isEscaped = /^\$['"]/.test(word.text);
  const bare = isEscaped ? { ...word, start: word.start + 2, end: word.end - 1 } : word;
  const value = hasUser && word.text.includes(':') ? behind(word, ':') : bare;
  for (const match of text.slice(value.start, value.end).matchAll(/(?:(?!\\n).){1,2000}/g)) {
    const start = value.start + match.index;
    if (!/^[$`]/.test(match[0])) addValue(text, { text: match[0], start, end: start + match[0].length }, found);
  }
}

/** Masks what a file stands for in an option for secrets: `--password-file=<(echo …)`; `at` is the start of `echo`. */
function findSubstituted(text: string, at: number, found: Span[]): void {
  if (!/(?:pass|pwd|secret|token|key|cred)[\w-]{0,12}[ =]<\($/i.test(text.slice(Math.max(0, at - 40), at))) return;
  const value = readWords(text, at).findLast((word) => !/^-\w+$/.test(word.text));
  if (value !== undefined) addPiped(text, value, false, found);
}
