/** The targets of a Makefile that can be called by name, in the order of the file. */
export function makeTargets(text: string): readonly string[] {
  const targets: string[] = [];
  for (const line of text.split('\n', 5_000)) {
    if (line.length > 1_000) continue;
    const names = /^([A-Za-z][\w./ -]*?)\s*::?(?![=:])/.exec(line)?.[1];
    if (names !== undefined) targets.push(...names.split(/\s+/));
  }
  return targets;
}

/** The recipes of a justfile, in the order of the file. */
export function justRecipes(text: string): readonly string[] {
  const recipes: string[] = [];
  for (const line of text.split('\n', 5_000)) {
    if (line.length > 1_000) continue;
    const alias = /^alias\s+([\w-]+)\s*:=/.exec(line)?.[1];
    const recipe = /^@?([A-Za-z_][\w-]*)(\s+[^:=]*(?:=[^:]*)?)?:(?!=)/.exec(line)?.[1];
    if (alias !== undefined) recipes.push(alias);
    else if (recipe !== undefined) recipes.push(recipe);
  }
  return recipes;
}
