import { addressOf, InstanceFile } from './instance-file.ts';

/** A server that runs, as `serve.json` of its home tells. */
export interface FoundServer {
  /** To be opened in a browser: it holds the token. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Clients can change nothing. */
  readonly readOnly: boolean;
  readonly pid: number;
}

/** The server that serves a home now; undefined when there is none. Never rejects. */
export async function findServer(home: string): Promise<FoundServer | undefined> {
  const found = await new InstanceFile(home).running();
  if (found === undefined) return undefined;
  const { port, token, readOnly = false, pid } = found;
  return { url: addressOf(found), port, token, readOnly, pid };
}
