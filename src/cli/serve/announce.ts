import type { NetworkInterfaceInfo } from 'node:os';
import type { RunningServer } from '../../server/index.ts';
import { shortPath } from '../machine.ts';
import type { Output } from '../output/output.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { pad, wrap } from '../output/width.ts';

/** What a server is started on. */
export interface Served {
  /** The home's folder. */
  readonly home: string;
  /** A made-up home that goes when the server ends. */
  readonly isDemo: boolean;
  /** Nothing is recorded in it. */
  readonly isEmpty: boolean;
  /** Addresses by which other machines reach it. */
  readonly addresses: readonly string[];
}

/** What is said when the server listens: where, how to stop it, and what to do when there is nothing to see. */
export function announcement(server: RunningServer, served: Served, output: Output): string[] {
  const { style, columns } = output;
  const what = served.isDemo
    ? 'yore shows a made-up project. All of it is deleted when you stop.'
    : `yore serves ${sanitiseLine(shortPath(served.home))}.`;
  return [
    ...wrap(what, columns),
    '',
    // Not broken into lines, whatever the width: it has to be copied.
    `  ${style.cyan(server.url)}`,
    ...served.addresses.map((address) => `  ${style.cyan(reachedBy(address, server))}`),
    '',
    ...(served.isEmpty ? nothingToSee(output) : []),
    ...(served.isDemo ? [hint('yore init', 'to see your own history instead', output), ''] : []),
    ...wrap(style.dim('Whoever has the address can read everything. Ctrl-C stops it.'), columns),
  ];
}

/** What a server that other machines can reach is warned about. */
export function exposureWarning(host: string, readOnly: boolean): string {
  const may = readOnly
    ? 'Whoever reaches it and has the token can read everything, and change nothing.'
    : 'Whoever reaches it and has the token can read, change and delete everything.';
  return `Other machines can reach ${sanitiseLine(host)}. ${may} What is sent is not encrypted: a tunnel is safer, see docs/serve.md.`;
}

/** Addresses of the machine for others to use, when the server listens on all of them. */
export function outsideAddresses(
  host: string,
  interfaces: Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>,
): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [];
  return Object.values(interfaces)
    .flatMap((all) => all ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

function reachedBy(address: string, { port, token }: RunningServer): string {
  return `http://${address}:${port}/#token=${token}`;
}

function nothingToSee(output: Output): string[] {
  return [
    ...wrap('Nothing is recorded here yet.', output.columns),
    hint('yore init', 'find your agents, import their history, record from now on', output),
    hint('yore import', 'only import what they have on this machine', output),
    hint('yore serve --demo', 'look around in a made-up project', output),
    '',
  ];
}

function hint(command: string, meaning: string, { style }: Output): string {
  return `  ${style.cyan(pad(command, 18))} ${meaning}`;
}
