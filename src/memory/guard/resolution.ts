import { posix } from 'node:path';
import type { Attempt } from '../../record/index.ts';
import type { CallAnalysis } from '../call/analyse-call.ts';
import { displayCommand } from '../digest/display-command.ts';
import { isAnotherWay, SOLVED_WITHIN_MS } from '../failure/another-way.ts';
import { type KnownFailure, kindOf, latestOccurrence } from './hazard.ts';

/**
 * Whether a success in the same session is what solved a failure: the same intent, by another call. Where the
 * error blames a thing, that thing tells; where it blames the call as a whole, the rule that digests use too.
 */
export function resolves(hazard: KnownFailure, attempt: Attempt, call: CallAnalysis, at: number): boolean {
  const failed = latestOccurrence(hazard);
  if (failed === undefined || at < failed.at || at - failed.at > SOLVED_WITHIN_MS) return false;
  const what = attempt.command ?? attempt.path;
  if (what === undefined || call.signature === failed.signature || call.isProbe) return false;
  const name = hazard.key.slice(hazard.key.indexOf(':') + 1);
  switch (kindOf(hazard.key)) {
    case 'path':
    case 'file':
      return (
        isAlike(attempt.path ?? '', name) ||
        (hazard.suggestion !== undefined && what.includes(hazard.suggestion))
      );
    case 'whole':
      return call.signature.startsWith(`read ${name}#`) || call.needs.includes(`path:${name}`);
    case 'text':
      return call.family === 'edit' && attempt.path === name;
    case 'package':
    case 'version':
      return call.action === 'install';
    case 'program':
      return (
        call.action === 'install' ||
        call.needs.some((key) => key.startsWith('program:') && alikeNames(key, hazard.key))
      );
    case 'option':
      return call.needs.includes(`head:${name.slice(0, name.lastIndexOf(' '))}`);
    case 'rule':
      return false;
    default:
      return (
        attempt.command !== undefined &&
        isAnotherWay(displayCommand(failed.what), displayCommand(attempt.command))
      );
  }
}

/** `config.yml` and `config.yaml`; `src/a.ts` and `lib/a.ts`. */
function isAlike(path: string, other: string): boolean {
  if (path === '' || path === other) return false;
  const [a, b] = [posix.basename(path), posix.basename(other)];
  return a === b || (stem(a) === stem(b) && stem(a) !== '');
}

function stem(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

function alikeNames(key: string, other: string): boolean {
  const [a = '', b = ''] = [key, other].map((text) => text.slice(8).split(' ', 1)[0]);
  return a !== b && (a.startsWith(b) || b.startsWith(a));
}
