import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPlace, yore } from './run-yore.ts';

/** Notes every connection, server and look-up that a process of Node.js asks for. */
const SPY = `
const { appendFileSync } = require('node:fs');
const net = require('node:net'), dns = require('node:dns'), dgram = require('node:dgram');
const spy = (target, name) => {
  const original = target[name];
  target[name] = function (...args) {
    appendFileSync(process.env.YORE_TEST_SOCKETS, name + '\\n');
    return original.apply(this, args);
  };
};
spy(net.Socket.prototype, 'connect');
spy(net.Server.prototype, 'listen');
spy(dns, 'lookup');
spy(dns.promises, 'lookup');
spy(dgram, 'createSocket');
`;

it('no command opens a socket or looks up a host', () => {
  const place = createPlace();
  const spy = join(place.folder, 'spy.cjs');
  const seen = join(place.folder, 'sockets.txt');
  writeFileSync(spy, SPY);
  const env = { NODE_OPTIONS: `--require=${spy}`, YORE_TEST_SOCKETS: seen };
  const commands = [
    ['demo', '--fast'],
    [],
    ['search', 'redis'],
    ['sessions'],
    ['show', 'none'],
    ['prompts'],
    ['export'],
    ['reindex'],
    ['doctor'],
    ['config', 'list'],
    ['pause'],
    ['resume'],
    ['backup', join(place.folder, 'b.tar.gz')],
    ['completion', 'bash'],
    ['--help'],
  ];
  for (const command of commands) expect([0, 4]).toContain(yore(place, command, { env }).code);
  expect(existsSync(seen) ? readFileSync(seen, 'utf8') : '').toBe('');
});
