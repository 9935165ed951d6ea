import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode } from '../files/index.ts';
import { YoreError } from '../record/index.ts';

/** Listens on the first port that is free, and returns it. BUSY when none is, USAGE for an address that is not of this machine. */
export async function listen(server: Server, host: string, ports: readonly number[]): Promise<number> {
  let problem: unknown;
  for (const port of ports) {
    try {
      return await listenOn(server, host, port);
    } catch (error) {
      problem = error;
      if (errorCode(error) !== 'EADDRINUSE' && errorCode(error) !== 'EACCES') break;
    }
  }
  const code = errorCode(problem);
  const place = `${host}:${ports.at(-1)}`;
  if (code === 'EADDRINUSE') {
    throw new YoreError('BUSY', `Something else listens on ${place}. Choose another port, or none.`);
  }
  if (code === 'EACCES') {
    throw new YoreError('USAGE', `You may not listen on ${place}. Choose a port above 1023, or none.`);
  }
  const detail = problem instanceof Error ? problem.message : String(problem);
  throw new YoreError('USAGE', `Cannot listen on ${place}: ${detail}. Choose an address of this machine.`, {
    cause: problem,
  });
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
