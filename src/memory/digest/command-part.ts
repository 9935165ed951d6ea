import { classifyCommand } from '../call/action.ts';
import { withoutOutputLimits } from './display-command.ts';

/** Between the commands of a chain. */
const JOINTS = / (?:&&|\|\|?) |; /;
/** A part with half of a quotation was cut in the middle of it. */
const QUOTES = /["'`]/g;

/** Of a chain of commands, the last one that does what the chain is for (`kind`); otherwise all of it. */
export function commandPart(text: string, kind: string): string {
  const parts = text.split(JOINTS);
  if (parts.length < 2) return text;
  const part = parts.findLast((candidate) => classifyCommand(candidate.trim().split(' ')) === kind);
  if (part === undefined || part.endsWith('…') || kind === 'run') return text;
  return (part.match(QUOTES)?.length ?? 0) % 2 === 0 ? withoutOutputLimits(part.trim()) : text;
}
