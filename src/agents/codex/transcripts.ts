import { basename, join } from 'node:path';
import { asText, parseFields } from '../transcript/fields.ts';
import { fileHead } from '../transcript/file-head.ts';
import { fileSource } from '../transcript/file-source.ts';
import { type CreateLineReader, readJsonLines } from '../transcript/json-lines.ts';
import { listFiles } from '../transcript/list-folder.ts';
import type { AgentTranscripts, MachinePlaces } from '../transcript/transcript-source.ts';
import { isCompressed, readCompressed } from './compressed-rollout.ts';
import { RolloutLines } from './rollout-reader.ts';

const AGENT = 'codex';
const ROLLOUT = /^rollout-.*\.jsonl(?:\.zst)?$/;
const DEEPEST = 5;

/** What Codex keeps in `~/.codex` (`CODEX_HOME`): rollouts of sessions, also of archived ones. */
export const codexTranscripts: AgentTranscripts = {
  agent: AGENT,
  find: (places) => {
    const paths = sessionFolders(places).flatMap((folder) =>
      listFiles(folder, (name) => ROLLOUT.test(name), DEEPEST),
    );
    const known = new Set(paths);
    // While a rollout is being compressed, both are there.
    return paths
      .filter((path) => !(isCompressed(path) && known.has(path.slice(0, -'.zst'.length))))
      .flatMap((path) => fileSource(AGENT, path) ?? []);
  },
  recognises: (path) => {
    if (isCompressed(path)) return ROLLOUT.test(basename(path));
    return path.endsWith('.jsonl') && fileHead(path).split('\n').slice(0, LINES_TO_RECOGNISE).some(isRollout);
  },
  read: (source, position) => {
    const session = sessionInName(source.path);
    const create: CreateLineReader = (state) => new RolloutLines(session, state);
    return isCompressed(source.path)
      ? readCompressed(source, position, create)
      : readJsonLines(source, position, create);
  },
};

function sessionFolders({ home, env }: MachinePlaces): readonly string[] {
  const folder = env.CODEX_HOME || join(home, '.codex');
  return [join(folder, 'sessions'), join(folder, 'archived_sessions')];
}

const ID_IN_NAME = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** `rollout-2026-01-31T10-00-00-<session>[_<rollout>].jsonl` */
function sessionInName(path: string): string {
  const name = basename(path).replace(/\.jsonl(?:\.zst)?$/, '');
  return ID_IN_NAME.exec(name)?.[1] ?? name;
}

const LINES_TO_RECOGNISE = 20;
const TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
]);

/** The head of a rollout may be longer than what is looked at: then it is known by its first bytes. */
const LONG_HEAD = /^\{"timestamp":"[^"\\]*",(?:"ordinal":\d+,)?"type":"session_meta","payload":\{/;

function isRollout(line: string): boolean {
  if (LONG_HEAD.test(line)) return true;
  const fields = parseFields(line);
  if (!fields) return false;
  return (
    TYPES.has(asText(fields.type) ?? '') && typeof fields.payload === 'object' && fields.payload !== null
  );
}
