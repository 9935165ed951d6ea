const LONGEST = 300;
const MOST_PATHS = 40;
/** What stands around a path in a sentence or a line of output. */
const SEPARATORS = /[\s"'`()[\]{}<>,;|=]+/;
const FILE_NAME =
  /(?:^|\/)(?:[\w@+-][\w.@+~-]*\.[a-z][a-z0-9]{0,9}|\.(?:env|[a-z]+rc|git[a-z]+|[a-z]+ignore|[a-z]+config)(?:\.\w+)?|Makefile|Dockerfile|Justfile|Rakefile|Gemfile|LICENSE|README)$/;
/** A name without a folder needs an ending that files have: `console.log`, `e.g.` and `5.x` are none. */
const BARE_NAME = /^[A-Za-z_][\w.-]*\.(?!log$|com$|org$|io$|dev$|path$|name$|length$|[egx]$)[a-z]{1,5}\d?$/;
const ALLOWED = /^[\p{L}\p{N}_.@~*+\-/\\:%#]+$/u;

/** The paths of files in a line, in order, without positions (`:12:3`) and full stops at the end. */
export function pathsIn(line: string): string[] {
  const paths: string[] = [];
  for (const word of line.slice(0, 4_000).split(SEPARATORS)) {
    if (paths.length >= MOST_PATHS) break;
    const path = word.replace(/[.:!?]+$/, '').replace(/(?::\d+){1,2}$/, '');
    if (isFilePath(path)) paths.push(path);
  }
  return paths;
}

/** Is the text a path of a file: a name with an ending, or one that is known without? */
export function isFilePath(text: string): boolean {
  if (text.length < 3 || text.length > LONGEST || text.includes('://') || !ALLOWED.test(text)) return false;
  const path = text.replaceAll('\\', '/');
  if (!FILE_NAME.test(path)) return false;
  return path.includes('/') || path.startsWith('.') || !path.includes('.') || BARE_NAME.test(path);
}
