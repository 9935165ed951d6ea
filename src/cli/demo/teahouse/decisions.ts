import { day, dismisses, type Moment, pins, remembers } from '../script.ts';

/** What Mara, whose shop it is, told yore by hand. */
export const DECISIONS: readonly Moment[] = [
  remembers(day(36, '08:55'), 'Packages are added with pnpm, never with npm', { tags: ['dependency'] }),
  remembers(day(26, '12:00'), 'Money is whole cents everywhere; see src/money/cents.ts', { tags: ['money'] }),
  remembers(day(12, '16:50'), 'Do not deploy after four in the afternoon', {
    avoid: true,
    tags: ['deployment'],
  }),
  pins(day(19, '09:00'), 'pnpm add redis-node'),
  dismisses(day(2, '12:00'), "rg 'wrap(?!ped)' src"),
];
