import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath } from '../../src/server/http/router.ts';
import { newPlace, send, serve } from './serving.ts';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Ways to say "the folder above" that have worked somewhere. */
const UP = [
  '..',
  '%2e%2e',
  '%2E%2e',
  '.%2e',
  '%252e%252e',
  '..%00',
  '..%5c',
  '..\\',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
  '...',
  './.',
  '..;',
];

describe('static files', () => {
  it('are served with their type, compressed when large, and cached for good only when their name has a hash', async () => {
    const { port } = await serve();
    const page = await send(port, '/');
    expect(page).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
    });
    expect((await send(port, '/index.html')).text).toBe(page.text);
    const path = '/assets/app-Ab12Cd34.js?x=1';
    const plain = await send(port, path);
    expect(plain.headers).toMatchObject({ 'content-type': 'text/javascript; charset=utf-8' });
    expect(plain.headers['cache-control']).toContain('immutable');
    const packed = await send(port, path, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect((await send(port, path, { headers: { 'accept-encoding': 'gzip;q=0' } })).text).toBe(plain.text);
    const again = await send(port, '/', { headers: { 'if-none-match': String(page.headers.etag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await send(port, '/', { method: 'HEAD' });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(page.bytes.length)]);
  });

  it('are served from their folder only, whatever the path', async () => {
    const place = newPlace();
    writeFileSync(join(place.web, '..', 'outside.txt'), 'outside');
    symlinkSync(join(place.cwd, 'secret.txt'), join(place.web, 'link.txt'));
    const { port } = await serve({ place });
    const targets = UP.flatMap((up) => [
      `/${up}/outside.txt`,
      `/assets/${up}/${up}/outside.txt`,
      `/${up}/${up}/${up}/${up}/${up}/${up}/etc/passwd`,
      `/${up}%2foutside.txt`,
    ]);
    for (const path of [...targets, '//etc/passwd', '/etc/passwd', '/link.txt', '/%2fetc/passwd', '/C:/x', '/assets']) {
      const reply = await send(port, path);
      expect([path, reply.status >= 400 && reply.status < 500]).toEqual([path, true]);
      expect(reply.text).not.toMatch(/outside|root:/);
    }
  });

  it('are served for GET and HEAD only', async () => {
    const { port } = await serve();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']) {
      expect((await send(port, '/', { method })).status).toBe(405);
    }
  });

  it('do not exist on a server without an app', async () => {
    const { port } = await serve({ webFolder: '/nowhere/at/all' });
    expect((await send(port, '/')).status).toBe(404);
    expect((await send(port, '/health')).status).toBe(200);
  });
});

describe('the path of a request', () => {
  it('never leads out of the root', () => {
    const piece = fc.oneof(fc.constantFrom(...UP, '', '.', 'a', 'assets', '%2f', '%5C'), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const path = parsePath(`/${pieces.join('/')}`);
        if (path === undefined) return;
        expect(path.startsWith('/')).toBe(true);
        expect(path).not.toMatch(/[\\%\0]/);
        expect(path.slice(1).split('/').slice(0, -1)).not.toContain('');
        expect(path.split('/').filter((segment) => /^\.+$/.test(segment))).toEqual([]);
      }),
    );
  });

  it('is decoded for ordinary names', () => {
    expect(parsePath('/assets/a%20b.js?q=1#x')).toBe('/assets/a b.js');
    expect(parsePath('/')).toBe('/');
    for (const target of ['', '*', 'http://evil.example/', '/a%', '//x', '/a//b']) {
      expect(parsePath(target)).toBeUndefined();
    }
  });
});

describe('images of messages', () => {
  it('are served by project and name to clients with the token, and nothing else is', async () => {
    const server = await serve();
    const project = server.openedHome.openProject(server.place.cwd);
    const message = project.history.append({ role: 'user', content: 'look', images: [PIXEL] });
    const [name = ''] = message.imageRefs ?? [];
    const id = project.info.projectHash;
    const headers = { authorization: `Bearer ${server.token}` };
    const image = await send(server.port, `/image/${id}/${name}`, { headers });
    expect(image).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/png', 'content-security-policy': "default-src 'none'; sandbox" },
    });
    expect(`data:image/png;base64,${image.bytes.toString('base64')}`).toBe(PIXEL);

    const images = join(project.directory, 'images');
    writeFileSync(join(project.directory, '0123456789ab.png'), 'not in the folder');
    symlinkSync(join(server.place.cwd, 'secret.txt'), join(images, 'ba9876543210.png'));
    mkdirSync(join(images, 'aaaaaaaaaaaa.png'));
    const bad = [
      ...UP.map((up) => `/image/${id}/${up}/index.json`),
      ...UP.map((up) => `/image/${id}/${up}%2f0123456789ab.png`),
      ...UP.map((up) => `/image/${up}/${name}`),
      `/image/${id}/../${id}/images/${name}`,
      `/image/${id}/ba9876543210.png`,
      `/image/${id}/aaaaaaaaaaaa.png`,
      `/image/${id}/${name}/`,
      `/image/${id}/${name}%00.txt`,
      `/image/${id}/${name.toUpperCase()}`,
      `/image/${id}/history.jsonl`,
      `/image/deadbeef/${name}`,
      `/image/${name}`,
      '/image/',
    ];
    for (const path of bad) {
      const reply = await send(server.port, path, { headers });
      expect([path, reply.status === 400 || reply.status === 404]).toEqual([path, true]);
    }
    expect((await send(server.port, `/image/${id}/${name}`, { method: 'POST', headers })).status).toBe(405);
    expect((await send(server.port, `/image/${id}/${name}`)).status).toBe(401);
  });
});
