import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds dist/, the app included, before the tests of what is built. */
export function setup(): void {
  const script = fileURLToPath(new URL('../scripts/build-if-changed.mjs', import.meta.url));
  execFileSync(process.execPath, [script], { stdio: 'inherit' });
}
