import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { detectStack } from '../../src/stack/detect-stack.ts';
import { projectFiles } from '../../src/stack/project-files.ts';
import type { ProjectStack } from '../../src/stack/project-stack.ts';
import { temporaryFolder } from '../temp-folder.ts';

/** A folder with the given files; lists and objects become JSON. */
export function projectFolder(files: Readonly<Record<string, string | Uint8Array | object>>): string {
  const root = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(root, path), isText ? content : JSON.stringify(content, null, 2));
  }
  return root;
}

/** What is detected in a folder with the given files. */
export function stackOf(files: Readonly<Record<string, string | Uint8Array | object>>): ProjectStack {
  return detectStack(projectFiles(projectFolder(files)));
}
