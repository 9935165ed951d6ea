export { drainBeside } from './drain-beside.ts';
