import fc from 'fast-check';

/**
 * Property tests draw the same values on every machine, so that a change is judged by what it changed.
 * `PROPERTY_SEED=random` (or a number) explores others.
 */
const wanted = process.env.PROPERTY_SEED ?? '1';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
