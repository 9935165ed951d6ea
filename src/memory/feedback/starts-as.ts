const lists = new Map<string, readonly string[]>();

/** Whether a text starts with one of some texts between bars. Takes far less time than compiling a pattern for it. */
export function startsAs(text: string, starts: string): boolean {
  let list = lists.get(starts);
  if (list === undefined) {
    list = starts.split('|');
    lists.set(starts, list);
  }
  return list.some((start) => text.startsWith(start));
}
