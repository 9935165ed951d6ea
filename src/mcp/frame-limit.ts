import { Transform, type TransformCallback } from 'node:stream';

/** Longer messages are refused. The package ends the connection at 10 MB, without a reply. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;
/** How much of the beginning and the end of a refused message is searched for its id. */
const SEARCHED_BYTES = 4096;
const NEWLINE = 0x0a;
const INVALID_REQUEST = -32600;
/** The id of a message, before its parameters or after them. */
const ID_BEFORE = /^[^[]*?"id"\s*:\s*(\d+|"(?:[^"\\]|\\.){0,200}")/;
const ID_AFTER = /[}\]]\s*,[^{}[\]]*?"id"\s*:\s*(\d+|"(?:[^"\\]|\\.){0,200}")[^{}[\]]*\}\s*$/;

/**
 * Passes on messages of at most {@link MAX_FRAME_BYTES}, one per line, and drops longer ones without keeping them in
 * memory. `refuse` is called with the JSON-RPC error that answers a dropped message.
 */
export class FrameLimit extends Transform {
  readonly #refuse: (reply: object) => void;
  #parts: Buffer[] = [];
  #length = 0;
  /** The end of a message that is being dropped. */
  #tail: Buffer | undefined;

  constructor(refuse: (reply: object) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0;
    for (let stop = chunk.indexOf(NEWLINE); stop >= 0; stop = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, stop + 1));
      this.#endMessage();
      start = stop + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#endMessage();
    done();
  }

  #add(bytes: Buffer): void {
    this.#length += bytes.length;
    if (this.#length <= MAX_FRAME_BYTES) {
      this.#parts.push(bytes);
      return;
    }
    this.#parts = [this.#parts[0] ?? bytes.subarray(0, SEARCHED_BYTES)];
    this.#tail = Buffer.concat([this.#tail ?? Buffer.alloc(0), bytes]).subarray(-SEARCHED_BYTES);
  }

  #endMessage(): void {
    if (this.#tail === undefined) {
      if (this.#length > 0) this.push(Buffer.concat(this.#parts, this.#length));
    } else this.#refuse(describeRefusal(this.#parts[0] ?? Buffer.alloc(0), this.#tail, this.#length));
    this.#parts = [];
    this.#length = 0;
    this.#tail = undefined;
  }
}

function describeRefusal(head: Buffer, tail: Buffer, length: number): object {
  const [beforeParameters = ''] = head.toString('utf8', 0, SEARCHED_BYTES).split('"params"', 1);
  const id = ID_BEFORE.exec(beforeParameters)?.[1] ?? ID_AFTER.exec(tail.toString('utf8'))?.[1];
  const [megabytes, limit] = [length, MAX_FRAME_BYTES].map((bytes) => (bytes / 1024 / 1024).toFixed(1));
  return {
    jsonrpc: '2.0',
    id: id === undefined ? null : JSON.parse(id),
    error: {
      code: INVALID_REQUEST,
      message: `The message has ${megabytes} MB; at most ${limit} MB are accepted. Send less at a time.`,
    },
  };
}
