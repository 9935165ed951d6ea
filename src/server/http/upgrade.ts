import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import type { Access } from './access.ts';
import { requestPath } from './request-path.ts';

type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

/** Takes requests for a WebSocket at `/rpc` from whoever may ask. */
export function acceptUpgrade(
  access: Access,
  largestMessage: number,
  onClient: (client: WebSocket) => void,
): Upgrade {
  let sockets: Promise<WebSocketServer> | undefined;
  return async (request, socket, head) => {
    // One that leaves while it is looked at is no error.
    socket.on('error', () => socket.destroy());
    const status = refusalOf(access, request);
    if (status !== undefined) {
      socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    sockets ??= openSockets(largestMessage);
    (await sockets).handleUpgrade(request, socket, head, onClient);
  };
}

/** Loaded here alone: no other command pays for it. */
async function openSockets(largestMessage: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: largestMessage,
    // On one machine compressing takes longer than sending, and its memory is not bounded well.
    perMessageDeflate: false,
  });
}

function refusalOf(access: Access, request: IncomingMessage): number | undefined {
  if (!access.isForThisServer(request) || access.isForeign(request)) return 403;
  if (requestPath(request.url ?? '') !== '/rpc') return 404;
  return access.credentialOf(request) === undefined ? 401 : undefined;
}
