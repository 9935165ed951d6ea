import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../src/sqlite/database.ts';
import { temporaryFolder } from '../../temp-folder.ts';

const VERSION_1 = `
  create table if not exists session (id text primary key, project_id text not null, parent_id text, slug text, directory text not null,
    title text not null, version text not null, time_created integer not null, time_updated integer not null);
  create table if not exists message (id text primary key, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create table if not exists part (id text primary key, message_id text not null, session_id text not null,
    time_created integer not null, time_updated integer not null, data text not null);
  create index if not exists part_message_idx on part (message_id);
`;
const VERSION_2 = `
  create table if not exists session_v2 (id text primary key, project_id text not null, parent_id text, fork_session_id text,
    directory text not null, title text, model text, time_created integer not null);
  create table if not exists session_message (id text primary key, session_id text not null, type text not null, seq integer not null,
    time_created integer not null, time_updated integer not null, data text not null);
`;

/** A database as opencode writes it. */
export interface OpencodeDatabase {
  readonly database: Database;
  session(id: string, fields?: { readonly parent?: string; readonly directory?: string }): void;
  /** A message of version 1 with its parts; once more: replaces what it says and adds parts. */
  message(id: string, sessionId: string, data: object | string, parts?: readonly (object | string)[]): void;
  part(messageId: string, sessionId: string, index: number, data: object | string): void;
  /** A session of version 2. */
  sessionV2(id: string, fields?: { readonly fork?: string; readonly directory?: string }): void;
  /** A message of version 2. */
  sessionMessage(id: string, sessionId: string, type: string, data: object | string): void;
}

/** A new database in a folder of its own. */
export function newOpencodeDatabase(options: { readonly hasVersion2?: boolean } = {}): {
  readonly database: OpencodeDatabase;
  readonly path: string;
} {
  const path = join(temporaryFolder(), 'opencode.db');
  return { database: createOpencodeDatabase(path, options), path };
}

/** A database with the tables of version 1, and those of version 2 beside them if wanted. */
export function createOpencodeDatabase(path: string, { hasVersion2 = false } = {}): OpencodeDatabase {
  mkdirSync(dirname(path), { recursive: true });
  const database = openDatabase(path);
  onTestFinished(() => database.close());
  database.exec(`pragma journal_mode = wal; ${VERSION_1} ${hasVersion2 ? VERSION_2 : ''}`);
  let time = 1_790_000_000_000;
  let seq = 0;
  const text = (data: object | string) => (typeof data === 'string' ? data : JSON.stringify(data));
  const part: OpencodeDatabase['part'] = (messageId, sessionId, index, data) => {
    database
      .prepare('insert into part values (?, ?, ?, ?, ?, ?) on conflict (id) do update set data = excluded.data')
      .run(`prt_${messageId}_${String(index).padStart(4, '0')}`, messageId, sessionId, ++time, time, text(data));
  };
  return {
    database,
    part,
    session: (id, { parent, directory = '/home/mara/shop' } = {}) => {
      database
        .prepare('insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
        .run(id, 'project', parent ?? null, 'slug', directory, 'A title', '1.18.33', ++time, time);
    },
    message: (id, sessionId, data, parts = []) => {
      database
        .prepare('insert into message values (?, ?, ?, ?, ?) on conflict (id) do update set data = excluded.data')
        .run(id, sessionId, ++time, time, text(data));
      for (const [index, item] of parts.entries()) part(id, sessionId, index, item);
    },
    sessionV2: (id, { fork, directory = '/home/mara/shop' } = {}) => {
      database
        .prepare('insert into session_v2 values (?, ?, ?, ?, ?, ?, ?, ?)')
        .run(id, 'project', null, fork ?? null, directory, 'A title', '{"id":"kimi-k3"}', ++time);
    },
    sessionMessage: (id, sessionId, type, data) => {
      database
        .prepare(
          `insert into session_message values (?, ?, ?, ?, ?, ?, ?)
           on conflict (id) do update set data = excluded.data`,
        )
        .run(id, sessionId, type, ++seq, ++time, time, text(data));
    },
  };
}
