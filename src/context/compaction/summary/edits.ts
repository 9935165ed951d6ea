import { LETTERS } from '../../../text/letters.ts';
import { parsePatchHeader } from './json-calls.ts';

const MAX_LINE_LENGTH = 2_000;
const BULLET = '(?:[-*•>⏺●└├│✓✔✅]+\\s+)?';
const VERBS =
  '[Ee]dit(?:ed|ing)?|[Ww]r(?:ite|ote|itten|iting)|[Cc]reat(?:e|ed|ing)|[Uu]pdat(?:e|ed|ing)|[Mm]odif(?:y|ied|ying)|[Cc]hang(?:e|ed|ing)|[Pp]atch(?:ed)?|[Ss]aved?|[Rr]ewrote|[Rr]efactored|[Rr]enamed?|[Mm]oved?|[Ff]ixed|[Aa]dded|[Ii]mplemented|[Rr]eplaced|[Dd]eleted?|[Rr]emoved|MultiEdit|str_replace|apply_patch|write_file|edit_file|create_file';
/** `Edited src/a.ts`, `Write(src/a.ts)`, `**Updated:** src/a.ts`. */
const LABEL = new RegExp(`^\\s*${BULLET}\\**(?:${VERBS})\\**(?:\\s?:\\**\\s+|\\s+|\\()(\\S.*)$`);
/** `I changed src/a.ts and src/b.ts.` */
const SENTENCE = new RegExp(
  `\\b(?:I|I've|I have|We|we|Have|have|was|were|been|now|then|and)\\s+(?:\\w+\\s+)?(?:${VERBS})\\b`,
);
/** `The file src/a.ts has been updated.`, `File created successfully at: src/a.ts` */
const REPORT =
  /^\W*(?:[Tt]he )?[Ff]iles?\b.{0,400}\b(?:has|have) been (?:updated|created|written|modified|edited|changed)|^\W*[Ff]ile (?:written|created|saved|updated) (?:successfully )?(?:at|to)\b/;
/** `M src/a.ts`: how patch tools list changed files. */
const LISTED = /^[MA] (\S+)$/;
const SENTENCE_END = /(?<=[.!?])\s+(?=[A-Z`])/;
/** Backticks with a space inside: mentioning a command does not edit the files in it. */
const QUOTED_COMMAND = /`[^`\s]+\s[^`]*`/g;
const SEARCH_BLOCK = /^<{5,9} (?:SEARCH|ORIGINAL)\b/;

/** The files that a line of prose says were edited. */
export function findEditsInProse(line: string): string[] {
  if (line.length > MAX_LINE_LENGTH) return [];
  const labelled = LABEL.exec(line)?.[1];
  if (labelled !== undefined) return findPaths(labelled);
  if (!SENTENCE.test(line)) return findEditsInBlock(line);
  const edits = line.split(SENTENCE_END).filter((sentence) => SENTENCE.test(sentence));
  return edits.flatMap((sentence) => findPaths(sentence.replace(QUOTED_COMMAND, ' ')));
}

/** The files that a line of a fenced block says were edited: a patch, or the report of a tool. */
export function findEditsInBlock(line: string): string[] {
  const patched = line.length > MAX_LINE_LENGTH ? undefined : parsePatchHeader(line);
  return patched === undefined ? findEditsInOutput(line) : [patched];
}

/** The files that a line of output says were edited. Stricter than for prose: output has many words and few reports. */
export function findEditsInOutput(line: string): string[] {
  if (line.length > MAX_LINE_LENGTH) return [];
  const listed = LISTED.exec(line)?.[1];
  if (listed !== undefined) return isFilePath(listed) ? [listed] : [];
  return REPORT.test(line) ? findPaths(line) : [];
}

/** Whether a line is nothing but the report of an edit, so that tool output follows. */
export function isEditReport(line: string): boolean {
  const rest = LABEL.exec(line)?.[1];
  if (rest === undefined || line.length > MAX_LINE_LENGTH) return false;
  const words = rest.split(/[\s,]+/).filter((word) => /\w/.test(word) && word !== 'and');
  return words.length > 0 && words.length === findPaths(rest).length;
}

/** The file edited by a search/replace block that begins at `lines[at]`: its name is above the block. */
export function findSearchReplaceFile(lines: readonly string[], at: number): string | undefined {
  if (!SEARCH_BLOCK.test(lines[at] ?? '')) return undefined;
  for (let above = at - 1; above >= Math.max(0, at - 3); above--) {
    const [path] = findPaths(lines[above] ?? '');
    if (path !== undefined) return path;
  }
  return undefined;
}

const MAX_PATH_LENGTH = 300;
const MAX_PATHS = 40;
const SEPARATORS = /[\s"'`()[\]{}<>,;|=]+/;
const FILE_NAME =
  /(?:^|\/)(?:[\w@+-][\w.@+~-]*\.[a-z][a-z0-9]{0,9}|\.(?:env|[a-z]+rc|git[a-z]+|[a-z]+ignore|[a-z]+config)(?:\.\w+)?|Makefile|Dockerfile|Justfile|Rakefile|Gemfile|LICENSE|README)$/;
/** A name without a folder needs a plausible extension: `console.log`, `e.g.` and `5.x` are not files. */
const BARE_NAME = /^[A-Za-z_][\w.-]*\.(?!log$|com$|org$|io$|dev$|path$|name$|length$|[egx]$)[a-z]{1,5}\d?$/;
const ALLOWED = new RegExp(`^[${LETTERS}_.@~*+\\-/\\\\:%#]+$`, 'u');

/** The file paths in a line, in order, without positions (`:12:3`) and trailing punctuation. */
export function findPaths(line: string): string[] {
  const paths: string[] = [];
  for (const word of line.slice(0, 4_000).split(SEPARATORS)) {
    if (paths.length >= MAX_PATHS) break;
    const path = word.replace(/[.:!?]+$/, '').replace(/(?::\d+){1,2}$/, '');
    if (isFilePath(path)) paths.push(path);
  }
  return paths;
}

/** Whether a text is the path of a file: a name with an extension, or a well-known name without one. */
export function isFilePath(text: string): boolean {
  if (text.length < 3 || text.length > MAX_PATH_LENGTH || text.includes('://') || !ALLOWED.test(text)) return false;
  const path = text.replaceAll('\\', '/');
  if (!FILE_NAME.test(path)) return false;
  return path.includes('/') || path.startsWith('.') || !path.includes('.') || BARE_NAME.test(path);
}
