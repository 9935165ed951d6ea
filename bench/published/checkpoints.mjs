// The sessions that a repository publishes with its code, as the Entire CLI stores them: a branch of checkpoints, each
// with the transcripts up to then, and commits that name their checkpoint.
import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

const BRANCH = 'entire/checkpoints/v1';
const MAX_OUTPUT_BYTES = 1024 ** 3;
const STORED_FILE = /^([^/]{2})\/([^/]+)\/(?:(\d+)\/)?(metadata\.json|full\.jsonl(?:\.\d+)?)$/;
const TRAILER = /^Entire-Checkpoint:[ \t]*(\S+)[ \t]*$/gm;
/** Sessions were once named after the day they began, too. */
const DAY_PREFIX = /^\d{4}-\d\d-\d\d-(?=[0-9a-f]{8}-)/;
/** They would point git at another repository than the named one. */
const GIT_LOCATION = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY'];

/** Why no corpus can be made at all. */
export class CorpusError extends Error {}

/**
 * @typedef {object} StoredTranscript a session as of one checkpoint
 * @property {string} checkpoint
 * @property {string} path its folder in the branch
 * @property {string | undefined} sessionId undefined if its metadata does not say so
 * @property {string | undefined} agent its name as people write it, e.g. `Claude Code`
 * @property {string | undefined} createdAt when the checkpoint was made, ISO 8601
 * @property {{hash: string, bytes: number}[]} parts the blobs of the transcript, in order
 *
 * @typedef {object} Commit
 * @property {string} hash
 * @property {string} authoredAt ISO 8601
 * @property {boolean} isMerge
 * @property {string} subject
 * @property {string[]} checkpoints
 */

/**
 * Opens a clone of a repository that publishes its sessions.
 * @param {string} folder
 * @param {{ref?: string, report: (problem: string) => void}} options `ref`: a branch or commit with the checkpoints
 */
export function openPublished(folder, { ref, report }) {
  const { status, stderr } = runGit(folder, ['rev-parse', '--git-dir']);
  if (status !== 0) throw new CorpusError(`${folder} is not a git repository: ${firstLine(stderr)}`);
  const snapshot = findSnapshot(folder, ref);
  if (git(folder, ['rev-parse', '--is-shallow-repository']).toString().trim() === 'true') {
    report(
      `${folder} is a shallow clone: older commits are missing. Run \`git fetch --unshallow\` to get all questions.`,
    );
  }
  return {
    /** The commit that the checkpoints are read from. */
    snapshot,
    transcripts: () => listTranscripts(folder, snapshot, report),
    commits: () => listCommits(folder),
    /** Writes a transcript to a file. Throws if a part of it is missing. @param {StoredTranscript} transcript */
    extract: ({ parts }, path) => {
      const descriptor = openSync(path, 'w', 0o600);
      try {
        for (const { hash } of parts)
          git(folder, ['cat-file', 'blob', hash], { stdio: ['ignore', descriptor, 'pipe'] });
      } finally {
        closeSync(descriptor);
      }
    },
  };
}

function findSnapshot(folder, ref) {
  if (ref !== undefined) {
    const { status, stdout } = runGit(folder, [
      'rev-parse',
      '--verify',
      '--quiet',
      '--end-of-options',
      `${ref}^{commit}`,
    ]);
    if (status === 0) return stdout.toString().trim();
    throw new CorpusError(`${folder} has no branch or commit ${ref}. Fetch it with \`git fetch origin ${ref}\`.`);
  }
  const patterns = [`refs/heads/${BRANCH}`, `refs/remotes/*/${BRANCH}`];
  const found = git(folder, ['for-each-ref', '--sort=-committerdate', '--format=%(objectname)', ...patterns]);
  const [newest] = found.toString().split('\n').filter(Boolean);
  if (newest !== undefined) return newest;
  throw new CorpusError(
    `${folder} has no branch ${BRANCH}: the repository does not publish its sessions there, or the branch was not ` +
      `fetched. Fetch it with \`git fetch origin ${BRANCH}:${BRANCH}\`, or name another with --checkpoints.`,
  );
}

/** @returns {StoredTranscript[]} */
function listTranscripts(folder, snapshot, report) {
  const folders = new Map();
  for (const entry of git(folder, ['ls-tree', '-r', '-z', '--long', snapshot]).toString().split('\0')) {
    const [, hash, size, path] = /^\d+ blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(entry) ?? [];
    const [, shard, rest, number, name] = STORED_FILE.exec(path ?? '') ?? [];
    if (name === undefined) continue;
    const key = path.slice(0, path.lastIndexOf('/'));
    const stored = folders.get(key) ?? {
      checkpoint: shard + rest,
      path: key,
      isNumbered: number !== undefined,
      parts: [],
    };
    if (name === 'metadata.json') stored.metadata = hash;
    else stored.parts.push({ hash, bytes: Number(size), name });
    folders.set(key, stored);
  }
  // A checkpoint with numbered sessions has metadata of its own, without a transcript.
  const stored = [...folders.values()].filter(({ isNumbered, parts }) => isNumbered || parts.length > 0);
  const contents = readBlobs(
    folder,
    stored.flatMap(({ metadata }) => metadata ?? []),
  );
  return stored.flatMap(({ checkpoint, path, parts, metadata }) => {
    const fields = parseMetadata(path, contents.get(metadata), report);
    if (parts.length === 0) {
      report(`${path}: full.jsonl is missing`);
      return [];
    }
    parts.sort((a, b) => (a.name < b.name ? -1 : 1));
    return [{ checkpoint, path, parts, ...fields }];
  });
}

function parseMetadata(path, text, report) {
  try {
    const { session_id: id, created_at: createdAt, agent } = JSON.parse(text ?? '');
    const time = Date.parse(createdAt);
    if (typeof id === 'string' && id !== '') {
      const created = Number.isNaN(time) ? undefined : new Date(time).toISOString();
      return { sessionId: id.replace(DAY_PREFIX, ''), createdAt: created, agent };
    }
  } catch {
    // Reported like metadata without a session.
  }
  report(
    `${path}: metadata.json is ${text === undefined ? 'missing' : 'damaged'}; the session is named by its transcript`,
  );
  return { sessionId: undefined, createdAt: undefined, agent: undefined };
}

/** @returns {Map<string, string>} the contents by hash, without those that are missing */
function readBlobs(folder, hashes) {
  const output = git(folder, ['cat-file', '--batch'], { input: hashes.map((hash) => `${hash}\n`).join('') });
  const contents = new Map();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [hash, type, size] = output.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    contents.set(hash, output.toString('utf8', at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}

/** The commits of all branches but those of the checkpoints that name a checkpoint. @returns {Commit[]} */
function listCommits(folder) {
  const ownBranches = ['--exclude=refs/heads/entire/*', '--exclude=refs/remotes/*/entire/*'];
  const format = '--format=tformat:%H%x00%aI%x00%P%x00%s%x00%B';
  const fields = git(folder, ['log', '-z', ...ownBranches, '--all', format])
    .toString()
    .split('\0');
  const commits = [];
  for (let at = 0; at + 4 < fields.length; at += 5) {
    const [hash, authored, parents, subject, message] = fields.slice(at, at + 5);
    const checkpoints = [...new Set(Array.from(message.matchAll(TRAILER), ([, id]) => id))];
    if (checkpoints.length === 0) continue;
    const authoredAt = new Date(authored).toISOString();
    commits.push({ hash, authoredAt, isMerge: parents.includes(' '), subject, checkpoints });
  }
  return commits;
}

function git(folder, args, options) {
  const { status, stdout, stderr, error } = runGit(folder, args, options);
  if (error !== undefined) throw new CorpusError(`git could not be run: ${error.message}`);
  if (status !== 0) throw new Error(`git ${args[0]}: ${firstLine(stderr)}`);
  return stdout;
}

function runGit(folder, args, options) {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
  for (const name of GIT_LOCATION) delete env[name];
  return spawnSync('git', ['-C', folder, ...args], { env, maxBuffer: MAX_OUTPUT_BYTES, ...options });
}

function firstLine(output) {
  return String(output ?? '')
    .trim()
    .split('\n', 1)[0];
}
