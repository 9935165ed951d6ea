import type { MemoryWarning } from '../../../src/server/rpc/api.ts';
import type { Series } from './bar-chart.tsx';

export type WarningEnd = MemoryWarning['ended'];

/** How warnings may end, in the order in which they are shown. */
export const WARNING_ENDS = ['heeded', 'overridden-failed', 'overridden-succeeded', 'open'] as const;

/** How each is called and coloured: green where the warning was of use, red where it would have been. */
export const ENDS: Readonly<Record<WarningEnd, Series>> = {
  heeded: { name: 'heeded', tone: 'success' },
  'overridden-failed': { name: 'overridden and failed', tone: 'failure' },
  'overridden-succeeded': { name: 'overridden and succeeded', tone: 'neutral' },
  open: { name: 'not yet known', tone: 'faint' },
};
