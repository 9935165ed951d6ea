import { once } from '../../record/once.ts';
import { CAUSES } from './failure-class.ts';

const words = once(
  () => new RegExp(CAUSES.map((cause) => cause.words.replace(/[.*+?^${}()[\]\\]/g, '\\$&')).join('|'), 'i'),
);

/** So many lines are left to the causes themselves: a short process looks at few, and making the pattern takes longer. */
const MOST_LEFT = 200;
let left = 0;

/** Whether a line may tell a cause. Looking for each of them takes ten times as long, and few lines of an output do. */
export function mayTellCause(line: string): boolean {
  if (left < MOST_LEFT) {
    left++;
    return true;
  }
  return words().test(line);
}
