import { createReadStream, lstatSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Home } from '../../project/index.ts';
import { projectById } from '../project-by-id.ts';
import { refuse } from './send.ts';

const PATH = /^\/image\/([0-9a-f]{8,64})\/([0-9a-f]{12}\.(png|jpg|gif|webp))$/;
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** Answers `/image/<project>/<name>` with an image of a message: only names that yore gives are looked for. */
export function answerImage(path: string, home: Home, response: ServerResponse): void {
  const [, project = '', name = '', extension = ''] = PATH.exec(path) ?? [];
  const place = project === '' ? undefined : placeOf(home, project, name);
  const found = place === undefined ? undefined : lstatSync(place, { throwIfNoEntry: false });
  if (place === undefined || !found?.isFile()) {
    refuse(response, 404, 'There is no such image.');
    return;
  }
  response.writeHead(200, {
    'content-type': TYPES[extension] ?? 'application/octet-stream',
    'content-length': found.size,
    // Its name is made from what is in it.
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
  });
  createReadStream(place)
    .on('error', () => response.destroy())
    .pipe(response);
}

function placeOf(home: Home, project: string, name: string): string | undefined {
  try {
    return join(projectById(home, project).directory, 'images', name);
  } catch {
    return undefined;
  }
}
