import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { acceptsGzip, refuse, refuseMethod } from './request-io.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const MAX_FILES = 2000;
/** Files whose name has a hash of their content. */
const HASHED = /^\/assets\/(?:.*\/)?[^/]+-[\w-]{8,}\.\w+$/;

interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly compressed: Buffer | undefined;
  readonly etag: string;
}

/** The files of the app. They are listed when the server starts, so that no path of a request reaches the file system. */
export class StaticFiles {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #cache = new Map<string, StaticFile>();

  /** There are no files when `folder` does not exist. */
  constructor(folder: string) {
    this.#paths = new Map(listFiles(folder, ''));
  }

  /** Sends the file of a decoded path. */
  send(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      refuseMethod(response, 'GET, HEAD');
      return;
    }
    const file = this.#file(path === '/' ? '/index.html' : path);
    if (file === undefined) {
      refuse(response, 404, 'Not found.');
      return;
    }
    const headers = {
      etag: file.etag,
      vary: 'accept-encoding',
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    if (request.headers['if-none-match'] === file.etag) {
      response.writeHead(304, headers).end();
      return;
    }
    const compressed = acceptsGzip(request) ? file.compressed : undefined;
    const body = compressed ?? file.bytes;
    response.writeHead(200, {
      ...headers,
      'content-type': file.type,
      'content-length': body.length,
      ...(compressed && { 'content-encoding': 'gzip' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #file(path: string): StaticFile | undefined {
    const cached = this.#cache.get(path);
    const location = this.#paths.get(path);
    if (cached !== undefined || location === undefined) return cached;
    const read = readStaticFile(location);
    if (read !== undefined) this.#cache.set(path, read);
    return read;
  }
}

function readStaticFile(path: string): StaticFile | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  const isText = /text|json|javascript|svg/.test(type);
  return {
    type,
    bytes,
    compressed: isText && bytes.length > 1024 ? gzipSync(bytes) : undefined,
    etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`,
  };
}

/** Request paths with the location of their files. Symbolic links are left out. */
function listFiles(folder: string, prefix: string): readonly (readonly [string, string])[] {
  let items: readonly Dirent[];
  try {
    items = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return items
    .flatMap((item): readonly (readonly [string, string])[] => {
      const path = `${prefix}/${item.name}`;
      if (item.isDirectory()) return listFiles(join(folder, item.name), path);
      return item.isFile() ? [[path, join(folder, item.name)]] : [];
    })
    .slice(0, MAX_FILES);
}
