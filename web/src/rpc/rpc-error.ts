/** A call that failed. `code` is yore's own (`NOT_FOUND`, `BUSY`, …), or `DISCONNECTED` when nobody answered. */
export class RpcError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
  }
}

/** What to show of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
