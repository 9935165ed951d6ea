import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { METHODS } from '../../src/server/methods/method-table.ts';

const docs = readFileSync(new URL('../../docs/rpc.md', import.meta.url), 'utf8');
const api = readFileSync(new URL('../../src/server/rpc/api.ts', import.meta.url), 'utf8');

const sections = new Map(
  docs.split(/^### /m).flatMap((section) => {
    const name = /^`([\w.]+)`\n/.exec(section)?.[1];
    return name === undefined ? [] : [[name, section.split(/^## /m)[0] ?? ''] as const];
  }),
);

const NOTIFICATIONS = Array.from(
  (api.split('export interface Notifications {')[1]?.split(/^\}/m)[0] ?? '').matchAll(/^ {2}'([\w.]+)':/gm),
  ([, name = '']) => name,
);

it('docs/rpc.md documents every method and notification, and no others', () => {
  const names = [...Object.keys(METHODS), ...NOTIFICATIONS];
  expect([...sections.keys()].toSorted()).toEqual(names.toSorted());
});

it('docs/rpc.md documents every parameter, and marks the methods that change something', () => {
  for (const [name, { parameters, changes = false }] of Object.entries(METHODS)) {
    const section = sections.get(name) ?? '';
    for (const parameter of Object.keys(parameters))
      expect([name, section]).toEqual([name, expect.stringContaining(`\`${parameter}\``)]);
    expect([name, section.includes('✎')]).toEqual([name, changes]);
  }
});

it('docs/rpc.md documents every type of chat event', () => {
  const kinds = [
    ...(api.split('export type ChatNotification')[1]?.split(/^\);/m)[0] ?? '').matchAll(/type: '([\w-]+)'/g),
  ];
  expect(kinds.length).toBeGreaterThan(8);
  for (const [, kind] of kinds) expect(sections.get('chat.event')).toContain(`\`${kind}\``);
});
