import { parseWarningRecord } from '../facts/warning-record.ts';
import type { SegmentLine } from '../log/read.ts';
import { parseObject } from '../record/object.ts';
import { beginningOf } from '../text/characters.ts';
import { causeText } from './cause-id.ts';
import type { Connection } from './connection.ts';

const MAX_CALL_LENGTH = 300;
const MAX_TEXT_LENGTH = 2_000;

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
  const { id, sessionId } = record;
  const cause = causeText(record.key);
  switch (record.kind) {
    case 'warning': {
      const { agent = null, attemptId, confidence } = record;
      const signature = beginningOf(record.signature, MAX_CALL_LENGTH);
      const what = beginningOf(record.what, MAX_CALL_LENGTH);
      const text = beginningOf(record.text, MAX_TEXT_LENGTH);
      const values = [file, project, id, at, sessionId, cause, agent, signature, attemptId, confidence, what, text];
      connection.run(`INSERT INTO ${into}warning VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
      return;
    }
    case 'override': {
      const values = [file, project, id, at, sessionId, cause, record.warningId, record.succeeded ? 1 : 0];
      connection.run(`INSERT INTO ${into}override VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
      return;
    }
    default:
      connection.run(
        `INSERT INTO ${into}choice VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[file, project, at, line.offset, cause, record.kind],
        record.text === undefined ? null : beginningOf(record.text, MAX_CALL_LENGTH),
      );
  }
}
