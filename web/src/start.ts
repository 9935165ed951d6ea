const TOKEN = /^#token=([^&]+)$/;

/**
 * Exchanges the token of the address (`#token=…`) for a cookie, and removes it from the address and from the browser's
 * history. Without a token nothing happens: an earlier cookie may still be valid.
 */
async function login(): Promise<void> {
  const token = TOKEN.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', `${location.pathname}#/`);
  await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: decodeURIComponent(token) }),
  }).catch(() => undefined);
}

// The other modules connect as they are loaded, and need the cookie for that.
await login();
await import('./main.tsx');

export {};
