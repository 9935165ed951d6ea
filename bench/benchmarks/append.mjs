import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sampleTexts } from '../corpus.mjs';
import { alternate, median } from '../measure.mjs';
import { atLeast, info } from '../runner/result.mjs';

const RECORDS = 1_000;
const RECORD_BYTES = 1_024;
const ROUNDS = 15;

/** Appending to the log, including redaction, compared with appending the same bytes. */
export const append = {
  group: 'append',
  description: 'append records of 1 KB to the log, including redaction, compared with appendFileSync',
  names: {
    'append.ratio': 'speed relative to appendFileSync of the same bytes',
    'append.time': 'time per record',
    'append.bare': 'time per appendFileSync',
  },
  async *run(context) {
    const { appendRecord } = await context.load('log/index.js');
    const folder = context.folder('append');
    const records = createRecords();

    const log = join(folder, 'history.jsonl');
    for (const record of records) appendRecord(log, record);
    const lines = readFileSync(log, 'utf8').split(/(?<=\n)/);
    context.log(
      `${ROUNDS} rounds of ${RECORDS} records, ${Math.round(Buffer.byteLength(lines.join('')) / RECORDS)} bytes each`,
    );

    const times = alternate({
      rounds: ROUNDS,
      yore: (round) => {
        const path = join(folder, `yore-${round}.jsonl`);
        for (const record of records) appendRecord(path, record);
        rmSync(path);
      },
      bare: (round) => {
        const path = join(folder, `bare-${round}.jsonl`);
        for (const line of lines) appendFileSync(path, line);
        rmSync(path);
      },
    });
    const yore = median(times.yore);
    const bare = median(times.bare);
    yield atLeast('append.ratio', bare / yore, '× bare', 0.15);
    yield info('append.time', (yore / RECORDS) * 1_000, 'µs');
    yield info('append.bare', (bare / RECORDS) * 1_000, 'µs');
  },
};

/** Messages whose line in the log has as close to 1 KB as possible. */
function createRecords() {
  const text = sampleTexts(4_000).join('\n');
  let position = 0;
  return Array.from({ length: RECORDS }, (_, index) => {
    const record = {
      v: 1,
      id: `${1_760_000_000_000 + index}-0a1b2c3d`,
      sessionId: 'sess_1760000000000_a1b2c3',
      timestamp: new Date(1_760_000_000_000 + index).toISOString(),
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: '',
      agent: 'claude-code',
    };
    const room = RECORD_BYTES - Buffer.byteLength(JSON.stringify(record)) - 1;
    record.content = text.slice(position, position + room);
    while (Buffer.byteLength(JSON.stringify(record)) >= RECORD_BYTES) record.content = record.content.slice(0, -1);
    position += record.content.length;
    return record;
  });
}
