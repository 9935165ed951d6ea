import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { refuse, takesGzip } from './send.ts';

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
const MOST_FILES = 2000;
/** The build names these files by their content. */
const HASHED = /^\/assets\/(?:.*\/)?[^/]+-[\w-]{8,}\.\w+$/;

interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly compressed: Buffer | undefined;
  readonly tag: string;
}

/**
 * The files of the app. What can be asked for is listed once, when the server starts: no path of a request ever reaches
 * the file system.
 */
export class StaticFiles {
  readonly #paths: ReadonlyMap<string, string>;
  readonly #read = new Map<string, StaticFile>();

  /** `folder` need not exist: then there are no files. */
  constructor(folder: string) {
    this.#paths = new Map(filesOf(folder, ''));
  }

  /** Answers a request for a file, given its decoded path. */
  answer(path: string, request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      refuse(response, 405, 'Only GET is answered here.');
      return;
    }
    const file = this.#file(path === '/' ? '/index.html' : path);
    if (file === undefined) {
      refuse(response, 404, 'There is nothing here.');
      return;
    }
    const headers = {
      etag: file.tag,
      vary: 'accept-encoding',
      'cache-control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    if (request.headers['if-none-match'] === file.tag) {
      response.writeHead(304, headers).end();
      return;
    }
    const isCompressed = file.compressed !== undefined && takesGzip(request);
    const body = isCompressed && file.compressed ? file.compressed : file.bytes;
    response.writeHead(200, {
      ...headers,
      'content-type': file.type,
      'content-length': body.length,
      ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  #file(path: string): StaticFile | undefined {
    const known = this.#read.get(path);
    const place = this.#paths.get(path);
    if (known !== undefined || place === undefined) return known;
    const read = readStatic(place);
    if (read !== undefined) this.#read.set(path, read);
    return read;
  }
}

function readStatic(path: string): StaticFile | undefined {
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
    tag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}"`,
  };
}

/** Paths as they are asked for, with where the files are. Links are left out. */
function filesOf(folder: string, prefix: string): readonly (readonly [string, string])[] {
  let items: readonly Dirent[];
  try {
    items = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return items
    .flatMap((item): readonly (readonly [string, string])[] => {
      const path = `${prefix}/${item.name}`;
      if (item.isDirectory()) return filesOf(join(folder, item.name), path);
      return item.isFile() ? [[path, join(folder, item.name)]] : [];
    })
    .slice(0, MOST_FILES);
}
