import { readFileSync } from 'node:fs';
import { readShimTarget, shimPath, shimText } from '../hook/shim.ts';

/** What is wrong with the file that agents call for hooks, as a clause; undefined when nothing is. */
export function hookShimProblem(home: string, platform: NodeJS.Platform): string | undefined {
  const path = shimPath(home, platform);
  const text = textIn(path);
  if (text === undefined) return `${path}, which agents call, is missing`;
  if (text !== shimText(platform)) return `${path}, which agents call, was changed`;
  const target = readShimTarget(home);
  if (target === undefined) return `${path} does not know what to start`;
  return textIn(target.script) === undefined
    ? `${path} starts ${target.script}, which is not there`
    : undefined;
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
