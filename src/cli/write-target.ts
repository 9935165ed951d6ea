import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { storageError } from '../files/index.ts';
import { EXIT } from './exit-codes.ts';
import type { Output } from './output/output.ts';

/** Where a command writes its result: standard output, or a file that appears when it is complete. */
export interface Target {
  readonly write: (text: string) => Promise<void>;
  /** Puts the file in its place. */
  readonly commit: () => void;
  /** Leaves no trace of an unfinished file. Does nothing after `commit`. */
  readonly discard: () => void;
}

/** Opens a file to write (0600: it holds history), or standard output when none is given. */
export function openTarget(file: string | undefined, output: Output): Target {
  if (file === undefined) {
    return { write: (text) => output.write(text), commit: () => undefined, discard: () => undefined };
  }
  const place = guarded(file, () => findPlace(file));
  const temporary = place.isReplaceable ? `${place.path}.${process.pid}.tmp` : undefined;
  const descriptor = guarded(file, () => openSync(temporary ?? place.path, temporary ? 'wx' : 'w', 0o600));
  let isOpen = true;
  const close = (): void => {
    process.off('SIGINT', interrupted);
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const discard = (): void => {
    close();
    if (temporary) rmSync(temporary, { force: true });
  };
  const interrupted = (): void => {
    discard();
    process.exit(EXIT.interrupted);
  };
  process.once('SIGINT', interrupted);
  return {
    write: async (text) => {
      writeAll(file, descriptor, Buffer.from(text));
      // Lets Ctrl-C be heard between two sessions.
      await new Promise(setImmediate);
    },
    commit: () => {
      if (temporary) guarded(file, () => fsyncSync(descriptor));
      close();
      if (temporary) guarded(file, () => renameSync(temporary, place.path));
    },
    discard,
  };
}

/** A link is followed; a device or a pipe is written to, not replaced. */
function findPlace(file: string): { readonly path: string; readonly isReplaceable: boolean } {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return { path: file, isReplaceable: true };
  return { path: realpathSync(file), isReplaceable: found.isFile() };
}

function writeAll(file: string, descriptor: number, bytes: Buffer): void {
  let done = 0;
  while (done < bytes.length) done += guarded(file, () => writeSync(descriptor, bytes, done));
}

function guarded<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw storageError('write', file, cause);
  }
}
