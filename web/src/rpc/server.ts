import { RpcClient } from './rpc-client.ts';

const SOCKET = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/rpc`;

/** The server that this page came from. */
export const server: RpcClient = new RpcClient({
  url: SOCKET,
  openSocket: (url) => new WebSocket(url),
  isRefused,
  later: (action, delayMs) => setTimeout(action, delayMs),
});

/** The address of an image of a message. */
export function imageUrl(project: string, name: string): string {
  return `/image/${encodeURIComponent(project)}/${encodeURIComponent(name)}`;
}

async function isRefused(): Promise<boolean> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'project.list', params: {} });
  try {
    const { status } = await fetch('/rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return status === 401 || status === 403;
  } catch {
    return false;
  }
}
