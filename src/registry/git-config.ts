/**
 * The address of the remote that a repository is known by, from the text of its `config`: `origin`, or else
 * the first one. Read without git, so that it is there also where git is not. Included files are not read.
 */
export function remoteAddress(config: string): string | undefined {
  const addresses = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) {
      remote = section[1]?.toLowerCase() === 'remote' ? unescapeText(section[2] ?? '') : undefined;
      continue;
    }
    const value = /^\s*url\s*=\s*(.*)$/i.exec(line)?.[1];
    if (remote === undefined || value === undefined || addresses.has(remote)) continue;
    const address = plainValue(value);
    if (address !== '') addresses.set(remote, address);
  }
  return addresses.get('origin') ?? addresses.values().next().value;
}

/** Without quotes, escapes and the comment that may follow. */
function plainValue(value: string): string {
  let text = '';
  for (const [part, quoted] of value.matchAll(/"((?:[^"\\]|\\.)*)"|[;#].*$|(?:[^"\\;#]|\\.)+/g)) {
    if (/^[;#]/.test(part)) break;
    text += quoted ?? part;
  }
  return unescapeText(text).trim();
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
