import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Limits how many connections are open at once. When there are too many, the oldest one without a valid token makes room
 * for the new one: somebody who opens connections and sends nothing cannot lock out the owner.
 */
export class ConnectionLimit {
  readonly #limit: number;
  readonly #authenticated = new Set<Socket>();
  /** Oldest first. */
  readonly #others = new Set<Socket>();

  constructor(server: Server, limit: number) {
    this.#limit = limit;
    server.on('connection', (socket) => this.#add(socket));
  }

  /** Must be called when a request with a valid token has arrived. */
  authenticate(socket: Socket): void {
    if (this.#others.delete(socket)) this.#authenticated.add(socket);
  }

  #add(socket: Socket): void {
    if (this.#authenticated.size + this.#others.size >= this.#limit) {
      const oldest = this.#others.values().next().value ?? socket;
      this.#others.delete(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    this.#others.add(socket);
    socket.once('close', () => {
      this.#others.delete(socket);
      this.#authenticated.delete(socket);
    });
  }
}
