import { guardOffReason } from '../../ask/guard/guard-options.ts';
import type { ChatService } from '../../chat/index.ts';
import { walkFiles } from '../../files/walk-files.ts';
import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../history/index.ts';
import type { Project } from '../../project/index.ts';
import { isTypedPrompt } from '../../prompts/index.ts';
import { omitUndefined } from '../../record/index.ts';
import { findServedRoot, requestedProject } from '../find-project.ts';
import type { ChatMethods, CommandCheck } from '../rpc/api.ts';
import type { WorkerContext } from '../workers/tasks.ts';
import type { Method, MethodContext, MethodTable } from './method.ts';
import { count, optional, projectId, text, texts } from './parameters.ts';

const MAX_PROMPT_LENGTH = 1024 * 1024;
const MAX_PATH_LENGTH = 4096;
const MAX_COMMAND_LENGTH = 20_000;
/** Of a data URI, with room for its header. */
const MAX_IMAGE_LENGTH: number = Math.ceil((MAX_IMAGE_BYTES * 4) / 3) + 200;

/** The largest message of a client: a prompt with as many images as are allowed. */
export const MAX_CALL_BYTES: number = MAX_IMAGES * MAX_IMAGE_LENGTH + 2 * MAX_PROMPT_LENGTH;

/** A session is loaded from the logs when the index does not have it after this time. */
const LOAD_WAIT_MS = 2000;
const MAX_SUGGESTIONS = 8;
/** How long an answer about a command waits for what was recorded last. */
const CHECK_WAIT_MS = 500;
const MAX_FILES = 200;

const inProject = { project: optional(projectId) } as const;

/** The chat of a project, and what goes into a prompt: files and earlier prompts. */
export const chatMethods: MethodTable<keyof ChatMethods> = {
  'state.get': {
    parameters: inProject,
    runsIn: 'main',
    run: async ({ project }, { chats, readOnly }) => {
      const chat = await chats.get(project);
      return chat.snapshot(readOnly, () => chats.sequence);
    },
  },
  'history.status': {
    parameters: inProject,
    runsIn: 'main',
    run: async ({ project }, { chats }) => (await chats.get(project)).service.status(),
  },
  'history.newSession': {
    parameters: inProject,
    changes: true,
    runsIn: 'main',
    run: async ({ project }, { chats }) => ({ sessionId: (await chats.get(project)).service.newSession() }),
  },
  'context.loadSession': {
    parameters: { ...inProject, id: text(300) },
    changes: true,
    runsIn: 'main',
    run: async ({ project, id }, { chats, index }) => {
      await index.catchUp(LOAD_WAIT_MS);
      const chat = await chats.get(project);
      const summary = chat.service.loadSession(id);
      return { ...summary, messages: await chat.messagesWithImages() };
    },
  },
  'chat.send': {
    parameters: {
      ...inProject,
      prompt: text(MAX_PROMPT_LENGTH),
      images: optional({
        ...texts(MAX_IMAGES, MAX_IMAGE_LENGTH),
        expected: `at most ${MAX_IMAGES} images of at most ${MAX_IMAGE_BYTES / 1024 / 1024} MB each, as data URIs`,
      }),
    },
    changes: true,
    runsIn: 'main',
    run: async ({ project, prompt, images = [] }, context) => {
      const chat = await context.chats.get(project);
      const requestId = await chat.ask(prompt, images);
      addToPromptHistory(context, chat.projectId, prompt);
      return { requestId };
    },
  },
  'chat.cancel': {
    parameters: inProject,
    changes: true,
    runsIn: 'main',
    run: async ({ project }, { chats }) => ({ cancelled: (await chats.get(project)).service.cancel() }),
  },
  'chat.compact': {
    parameters: inProject,
    changes: true,
    runsIn: 'main',
    run: async ({ project }, { chats }) => ({
      compacted: await (await chats.get(project)).service.compact(),
    }),
  },
  'chat.check': {
    parameters: { ...inProject, command: text(MAX_COMMAND_LENGTH) },
    runsIn: 'memory',
    indexWaitMs: CHECK_WAIT_MS,
    run: ({ project, command }, context) =>
      checkCommand(command, requestedProject(context.home, context.cwd, project), context),
  },
  'files.list': {
    parameters: { ...inProject, query: optional(text(200)) },
    runsIn: 'memory',
    run: ({ project, query = '' }, { home, cwd }) => {
      const root = findServedRoot(home, cwd, requestedProject(home, cwd, project));
      return { files: findFiles(root, query) };
    },
  },
  'files.add': fileMethod((service, path) => service.addFile(path)),
  'files.drop': fileMethod((service, path) => service.dropFile(path)),
  'prompts.recall': {
    parameters: { ...inProject, limit: optional(count(1, 500)) },
    runsIn: 'main',
    run: ({ project, limit }, { home, cwd }) => {
      const offered = home.offeredPrompts(requestedProject(home, cwd, project));
      return { prompts: offered.search('', limit).map((entry) => entry.text) };
    },
  },
  'prompts.suggest': {
    parameters: { ...inProject, prefix: text(1000) },
    runsIn: 'main',
    run: ({ project, prefix }, { home, cwd }) => {
      if (prefix.trim() === '') return { prompts: [] };
      const offered = home.offeredPrompts(requestedProject(home, cwd, project));
      return { prompts: offered.suggest(prefix, MAX_SUGGESTIONS).map((entry) => entry.text) };
    },
  },
};

function fileMethod(change: (service: ChatService, path: string) => void): Method<'files.add'> {
  return {
    parameters: { ...inProject, path: text(MAX_PATH_LENGTH) },
    changes: true,
    runsIn: 'main',
    run: async ({ project, path }, { chats }) => {
      const { service } = await chats.get(project);
      change(service, path);
      return { files: service.state().files };
    },
  };
}

/** The guard's answer to a command that a reply suggests. Records nothing, because nothing runs. */
function checkCommand(command: string, project: Project, { home, cwd, now }: WorkerContext): CommandCheck {
  const off = guardOffReason(project.config, project.isRecording());
  if (off !== undefined) return { off };
  const root = findServedRoot(home, cwd, project);
  const timestamp = new Date(now()).toISOString();
  // Not the session of the chat: what has just failed in it is shown, too.
  const call = { sessionId: 'check', tool: 'Bash', input: { command }, timestamp, cwd: root, root };
  const warning = project.memory.check(call);
  if (warning === undefined) return omitUndefined({ known: project.memory.explainSilence(call) });
  const { failureId, failed, reason, failedAt, fix, project: other } = warning;
  return {
    warning: { failureId, failed, reason, failedAt, ...omitUndefined({ fix, project: other }) },
  };
}

/** Only what a person typed, and only where recording is on. */
function addToPromptHistory({ home, cwd }: MethodContext, project: string, prompt: string): void {
  if (!isTypedPrompt(prompt) || !requestedProject(home, cwd, project).isRecording()) return;
  home.prompts.upsert(prompt, project);
}

/** Files whose path contains all words of the query, in upper or lower case: at most 200, the topmost first. */
function findFiles(root: string, query: string): readonly string[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found: string[] = [];
  for (const path of walkFiles(root)) {
    const lower = path.toLowerCase();
    if (words.every((word) => lower.includes(word))) found.push(path);
    if (found.length >= MAX_FILES) break;
  }
  return found;
}
