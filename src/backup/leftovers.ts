import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isProcessAlive } from '../files/index.ts';
import { randomHex } from '../record/index.ts';

/** A name beside `path` for something unfinished; it tells which process is at it. */
export function unfinishedName(path: string): string {
  return `${path}.unfinished-${process.pid}-${randomHex(8)}`;
}

/** Deletes what processes that are dead left unfinished beside `path`. */
export function removeLeftovers(path: string): void {
  const start = `${basename(path)}.unfinished-`;
  for (const name of readdirSync(dirname(path))) {
    const process = name.startsWith(start)
      ? /^(\d+)-[0-9a-f]{8}$/.exec(name.slice(start.length))?.[1]
      : undefined;
    if (process === undefined || isProcessAlive(Number(process))) continue;
    rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
}
