import { login } from './rpc/login.ts';

// Everything else opens the connection as it is loaded, and the cookie must be there by then.
await login();
await import('./main.tsx');
