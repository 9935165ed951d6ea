import { resolve } from 'node:path';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { ssh: '22', https: '443', http: '80', git: '9418' };

/**
 * The one spelling of a git remote: `host/path`, whatever way it is reached. Protocol, credentials, default
 * port, case of the host, `.git` and slashes at the end make no difference; a remote on this machine becomes
 * `file:` and its path. `base` is the folder that a relative path starts from.
 */
export function normaliseRemote(url: string, base: string): string {
  const text = url.trim();
  const [, helper, behind = ''] = /^([a-z][a-z0-9+.-]*)::(.*)$/is.exec(text) ?? [];
  if (helper !== undefined) return `${helper}::${normaliseRemote(behind, base)}`;
  const [, protocol, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(text) ?? [];
  if (protocol?.toLowerCase() === 'file') return fromPath(rest.replace(/^localhost(?=\/)/i, ''), base);
  if (protocol !== undefined) return fromAddress(protocol.toLowerCase().replace(/^git\+|\+git$/, ''), rest);
  // One letter before the colon is a drive of Windows.
  const [, host, path] = /^([^/\\:]{2,}):(.*)$/s.exec(text) ?? [];
  return host === undefined ? fromPath(text, base) : fromAddress('ssh', `${host}/${path}`);
}

function fromAddress(protocol: string, rest: string): string {
  const slash = rest.search(/[/?#]/);
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const path = slash < 0 ? '' : rest.slice(slash).replace(/[?#].*$/s, '');
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const port = DEFAULT_PORTS[protocol];
  const shortHost = port !== undefined && host.endsWith(`:${port}`) ? host.slice(0, -port.length - 1) : host;
  return trimEnd(`${shortHost}/${path.replace(/^\/+/, '')}`);
}

function fromPath(path: string, base: string): string {
  return `file:${trimEnd(
    resolve(base, path)
      .replaceAll('\\', '/')
      .replace(/\/\.git$/, ''),
  )}`;
}

function trimEnd(text: string): string {
  return text
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '');
}
