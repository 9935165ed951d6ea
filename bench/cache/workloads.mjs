import { tokensIn } from './provider.mjs';

const CHARACTERS_PER_TOKEN = 4;
const TRIGGER_TOKENS = 24_000;
const VERBATIM_TOKENS = 4_000;
const SUMMARY_TOKENS = 500;
const MIN_MESSAGE_TOKENS = 10;
const DEFAULT_REPLY_TOKENS = 100;
const MAX_TOKENS_PER_CALL = 30;
const FIXED_FILES = 5;

/**
 * @typedef {object} Request one request to a model
 * @property {ReadonlyMap<string, string>} files
 * @property {readonly {role: 'user' | 'assistant', content: string}[]} history
 * @property {string} prompt
 * @property {readonly {role: 'user' | 'assistant', content: string}[] | undefined} compacted the history before it was
 *   compacted, if that happened just before this request
 */

/**
 * @typedef {object} Workload how the steps of a session become requests
 * @property {boolean} perCall whether each tool call is a request, or only each prompt of the user
 * @property {'none' | 'fixed' | 'used'} files the files in the prompt: none; the first files of the session, which never
 *   change; or the files that are read or edited, until the first prompt after their last use
 * @property {boolean} compaction whether the history is compacted
 */

/**
 * Turns a session into requests.
 * @param {readonly import('./sessions.mjs').Step[]} steps
 * @param {(path: string) => number} sizeOf tokens of a file
 * @param {Workload} workload
 * @returns {Request[]}
 */
export function toRequests(steps, sizeOf, workload) {
  const requests = [];
  const versions = new Map();
  const lastUse = new Map();
  for (const [index, { read, edited }] of steps.entries()) {
    for (const path of [...read, ...edited]) lastUse.set(path, index);
  }
  let files = workload.files === 'fixed' ? firstFiles() : new Map();
  let history = [];
  let prompt;
  let reply = 0;
  const ask = (tokens) => {
    let compacted;
    if (prompt !== undefined) {
      const answer = message('reply', requests.length, reply || DEFAULT_REPLY_TOKENS);
      history = [...history, { role: 'user', content: prompt }, { role: 'assistant', content: answer }];
      if (workload.compaction && tokensOf(history) > TRIGGER_TOKENS) {
        compacted = history;
        history = compact(history, requests.length);
      }
    }
    prompt = message('prompt', requests.length, tokens);
    reply = 0;
    requests.push({ files, history, prompt, compacted });
  };
  for (const [index, step] of steps.entries()) {
    if (workload.files === 'used') use(index, step);
    if (step.type === 'prompt') ask(step.said);
    else if (!workload.perCall) reply += step.edited.length > 0 ? step.said : Math.min(step.said, MAX_TOKENS_PER_CALL);
    else if (prompt !== undefined) {
      reply = step.said;
      ask(step.answered);
    }
  }
  return requests;

  function firstFiles() {
    const paths = [...lastUse.keys()].slice(0, FIXED_FILES);
    return new Map(paths.map((path) => [path, message(path, 0, sizeOf(path))]));
  }

  function use(index, { type, read, edited }) {
    const isOver = (path) => type === 'prompt' && lastUse.get(path) < index;
    if ([...files.keys()].some(isOver) || read.length + edited.length > 0) {
      files = new Map([...files].filter(([path]) => !isOver(path)));
    }
    for (const path of edited) versions.set(path, (versions.get(path) ?? 0) + 1);
    for (const path of [...read, ...edited]) {
      files.set(path, message(path, versions.get(path) ?? 0, sizeOf(path)));
    }
  }
}

/** A text with that many tokens, different for each name and number. */
function message(name, number, tokens) {
  const start = `${name} ${number}\n`;
  const length = Math.max(tokens, MIN_MESSAGE_TOKENS) * CHARACTERS_PER_TOKEN;
  return start + 'word by word\n'.repeat(Math.max(0, Math.ceil((length - start.length) / 13)));
}

/** Replaces everything but the newest exchanges by a summary. */
function compact(history, number) {
  let start = history.length;
  let tokens = 0;
  while (start > 0 && tokens < VERBATIM_TOKENS) {
    start -= 2;
    tokens += tokensOf(history.slice(start, start + 2));
  }
  return [
    { role: 'user', content: message('summary', number, SUMMARY_TOKENS) },
    { role: 'assistant', content: 'Ok.' },
    ...history.slice(start),
  ];
}

function tokensOf(history) {
  return history.reduce((sum, { content }) => sum + tokensIn(content), 0);
}
