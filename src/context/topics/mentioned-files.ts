const FILE = /(?<![\w./-])(?:[\w.-]{1,60}\/){0,12}[\w-][\w.-]{0,60}\.[a-z][a-z0-9]{0,5}\b(?!\()/gi;
const NO_FILE =
  /^(?:e\.g|i\.e|etc\.\w+|(?:node|vue|next)\.js|\d[\d.]*[a-z]*)$|\.\.|\.(?:com|org|net|io|dev|ai)$/i;
const MAX_TEXT = 2_000;

/** The files that a text names, without their folders, lower case. */
export function mentionedFiles(text: string): ReadonlySet<string> {
  const found = text.slice(0, MAX_TEXT).match(FILE) ?? [];
  return new Set(
    found
      .map((path) => path.slice(path.lastIndexOf('/') + 1).toLowerCase())
      .filter((name) => !NO_FILE.test(name)),
  );
}
