import { setFlagsFromString } from 'node:v8';

/**
 * Runs work while the heaps of all threads grow by a quarter at most until they are tidied up. V8 lets them grow
 * fourfold where there is memory, which is much for work that makes garbage in several threads.
 */
export async function withLeanHeap<T>(work: () => Promise<T>): Promise<T> {
  setFlagsFromString('--heap-growing-percent=25');
  try {
    return await work();
  } finally {
    setFlagsFromString('--heap-growing-percent=0');
  }
}
