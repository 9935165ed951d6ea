import { parseWarningRecord } from '../facts/warning-record.ts';
import type { SegmentLine } from '../log/read.ts';
import { parseObject } from '../record/object.ts';
import type { Connection } from './connection.ts';

/**
 * Saves a line of the log of warnings. One that this version does not know is skipped. `into`: see {@link FactRows.save}.
 */
export function saveWarningLine(
  connection: Connection,
  { id: file, project }: { readonly id: number; readonly project: number },
  line: Pick<SegmentLine, 'text' | 'offset'>,
  into = '',
): void {
  const record = parseWarningRecord(parseObject(line.text));
  if (record === undefined) return;
  const at = Date.parse(record.timestamp);
  const { id, sessionId, key } = record;
  switch (record.kind) {
    case 'warning': {
      const { agent = null, signature, attemptId, confidence, what, text } = record;
      const values = [file, project, id, at, sessionId, key, agent, signature, attemptId, confidence, what, text];
      connection.run(`INSERT INTO ${into}warning VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
      return;
    }
    case 'override': {
      const values = [file, project, id, at, sessionId, key, record.warningId, record.succeeded ? 1 : 0];
      connection.run(`INSERT INTO ${into}override VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
      return;
    }
    default:
      connection.run(
        `INSERT INTO ${into}choice VALUES (?, ?, ?, ?, ?, ?)`,
        file,
        project,
        at,
        line.offset,
        key,
        record.kind,
      );
  }
}
