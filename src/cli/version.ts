import { readFileSync } from 'node:fs';

/** The version of the package. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const fields: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof fields === 'object' && fields !== null && 'version' in fields
    ? String(fields.version)
    : 'unknown';
}
