import {
  type ArrayNode,
  type JsonNode,
  memberOf,
  type ObjectNode,
  parseJsonText,
  skipTrivia,
} from './json-nodes.ts';

/** An item of an object or a list. */
export interface ItemPlace {
  readonly container: ObjectNode | ArrayNode;
  readonly index: number;
}

/**
 * Takes items out of a JSON text, one after the other as `find` names them, and leaves everything else as it is, comments
 * too. Objects and lists at `containers` go when nothing is left in them. Throws `JsonTextError`.
 */
export function removeFromJson(
  text: string,
  find: (root: JsonNode) => ItemPlace | undefined,
  containers: readonly (readonly string[])[],
): string {
  if (text.replace('\uFEFF', '').trim() === '') return text;
  let rest = text;
  for (;;) {
    const root = parseJsonText(rest);
    const place = find(root);
    if (!place) break;
    rest = cutItem(rest, place);
  }
  // The deepest first: what holds nothing but an empty list is empty then.
  for (const path of containers.toSorted((one, other) => other.length - one.length)) {
    const place = placeOf(parseJsonText(rest), path);
    if (place && isEmpty(rest, place)) rest = cutItem(rest, place);
  }
  return rest;
}

function placeOf(root: JsonNode, path: readonly string[]): ItemPlace | undefined {
  let node: JsonNode | undefined = root;
  for (const key of path.slice(0, -1)) node = memberOf(node, key)?.value;
  if (node?.kind !== 'object') return undefined;
  const index = node.members.findLastIndex(({ key }) => key === path.at(-1));
  return index < 0 ? undefined : { container: node, index };
}

/** A comment is something that somebody left there. */
function isEmpty(text: string, { container, index }: ItemPlace): boolean {
  const node = container.kind === 'array' ? container.elements[index] : container.members[index]?.value;
  return (
    node !== undefined && node.kind !== 'scalar' && /^[{[]\s*[}\]]$/.test(text.slice(node.start, node.end))
  );
}

function cutItem(text: string, { container, index }: ItemPlace): string {
  const items = itemsOf(container);
  const item = items[index];
  if (!item) return text;
  const cuts: [start: number, end: number][] = [[startOfSpace(text, item.start), item.end]];
  const isLast = index === items.length - 1;
  const before = items[index - 1];
  if (!isLast) cuts.push(characterAt(skipTrivia(text, item.end).end));
  else if (container.trailingComma !== undefined) cuts.push(characterAt(container.trailingComma));
  else if (before) cuts.push(characterAt(skipTrivia(text, before.end).end));
  return cuts
    .toSorted(([one], [other]) => other - one)
    .reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), text);
}

function itemsOf(
  container: ObjectNode | ArrayNode,
): readonly { readonly start: number; readonly end: number }[] {
  return container.kind === 'array'
    ? container.elements
    : container.members.map(({ start, value }) => ({ start, end: value.end }));
}

/** The white space before an item goes with it; but never the end of a line comment, which would take in what follows. */
function startOfSpace(text: string, offset: number): number {
  const start = offset - (/[ \t\r\n]*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  return line.includes('//') ? offset : start;
}

function characterAt(offset: number): [number, number] {
  return [offset, offset + 1];
}
