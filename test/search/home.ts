import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ProjectSource, SearchIndex } from '../../src/search/index.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A home with one project and its index. */
export interface TestHome {
  readonly home: string;
  readonly index: SearchIndex;
  readonly sources: readonly ProjectSource[];
  /** Path of a log of the project. */
  readonly log: (name?: string) => string;
  /** Appends messages with these texts, one second apart; returns the appended lines. */
  readonly say: (...texts: string[]) => string;
  /** Appends a record to a log, with defaults for the fields that every record has. */
  readonly write: (fields: object, log?: string) => void;
  readonly catchUp: () => ReturnType<SearchIndex['catchUp']>;
  /** Texts that a query finds, best first. */
  readonly find: (text: string) => readonly string[];
}

const START = Date.UTC(2025, 10, 18, 12);

/** Creates a {@link TestHome}. */
export function testHome(): TestHome {
  const home = temporaryFolder();
  const directory = join(home, 'projects', 'p1');
  mkdirSync(directory, { recursive: true });
  const sources = [{ id: 'p1', directory }];
  const index = SearchIndex.open(home);
  onTestFinished(() => index.close());
  const log = (name = 'history') => join(directory, `${name}.jsonl`);
  let count = 0;
  const line = (fields: object) => {
    const n = count++;
    const common = { v: 1, id: `m${n}`, sessionId: 's1', timestamp: timeOf(n) };
    return `${JSON.stringify({ ...common, ...fields })}\n`;
  };
  const write: TestHome['write'] = (fields, name) => appendFileSync(log(name), line(fields));
  const catchUp = () => index.catchUp(sources);
  return {
    home,
    index,
    sources,
    log,
    write,
    catchUp,
    say: (...texts) => {
      const lines = texts.map((content) => line({ role: 'user', content })).join('');
      appendFileSync(log(), lines);
      return lines;
    },
    find: (text) => {
      catchUp();
      return index.search({ text }).hits.map((hit) => hit.snippet.text);
    },
  };
}

/** The time of the nth record, ISO 8601. */
export function timeOf(n: number): string {
  return new Date(START + n * 1_000).toISOString();
}
