const TOKEN = /^#token=([^&]+)$/;

/**
 * Exchanges the token of the address (`#token=…`) for a cookie and takes it out of the address and of the browser's
 * history. Without one nothing happens: an earlier cookie may still hold.
 */
export async function login(): Promise<void> {
  const token = TOKEN.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', `${location.pathname}#/overview`);
  await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: decodeURIComponent(token) }),
  }).catch(() => undefined);
}
