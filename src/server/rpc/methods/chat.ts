import { MAX_IMAGE_BYTES, MAX_IMAGES } from '../../../history/index.ts';
import { isTypedPrompt } from '../../../prompts/index.ts';
import { meantProject } from '../../project-by-id.ts';
import type { MethodContext, MethodTable } from '../method.ts';
import { optional, projectId, text, texts } from '../parameters.ts';

const LONGEST_PROMPT = 1024 * 1024;
/** As a data URI, with room for its head. */
const LONGEST_IMAGE: number = Math.ceil((MAX_IMAGE_BYTES * 4) / 3) + 200;

/** Largest message of a client: a prompt with as many images as are allowed. */
export const LARGEST_CALL: number = MAX_IMAGES * LONGEST_IMAGE + 2 * LONGEST_PROMPT;

/** After that, the session is read from the logs. */
const LOAD_PATIENCE_MS = 2000;

const ofProject = { project: optional(projectId) } as const;

/** The chat of a project. */
export const chatMethods: MethodTable<
  | 'state.get'
  | 'history.newSession'
  | 'history.status'
  | 'context.loadSession'
  | 'chat.send'
  | 'chat.cancel'
  | 'chat.compact'
> = {
  'state.get': {
    parameters: ofProject,
    changes: false,
    run: async ({ project }, { chats, readOnly }) => {
      const chat = await chats.of(project);
      return chat.snapshot(readOnly, () => chats.sequence);
    },
  },
  'history.status': {
    parameters: ofProject,
    changes: false,
    run: async ({ project }, { chats }) => (await chats.of(project)).service.status(),
  },
  'history.newSession': {
    parameters: ofProject,
    changes: true,
    run: async ({ project }, { chats }) => {
      (await chats.of(project)).service.newSession();
      return null;
    },
  },
  'context.loadSession': {
    parameters: { ...ofProject, id: text(300) },
    changes: true,
    run: async ({ project, id }, { chats, index }) => {
      await index.settle(LOAD_PATIENCE_MS);
      return (await chats.of(project)).service.loadSession(id);
    },
  },
  'chat.send': {
    parameters: {
      ...ofProject,
      prompt: text(LONGEST_PROMPT),
      images: optional(texts(MAX_IMAGES, LONGEST_IMAGE)),
    },
    changes: true,
    run: async ({ project, prompt, images = [] }, context) => {
      const chat = await context.chats.of(project);
      const requestId = await chat.ask(prompt, images);
      rememberPrompt(context, chat.projectId, prompt);
      return { requestId };
    },
  },
  'chat.cancel': {
    parameters: ofProject,
    changes: true,
    run: async ({ project }, { chats }) => ({ cancelled: (await chats.of(project)).service.cancel() }),
  },
  'chat.compact': {
    parameters: ofProject,
    changes: true,
    run: async ({ project }, { chats }) => ({ compacted: await (await chats.of(project)).service.compact() }),
  },
};

/** For recalling it later: only what a person typed, and only where something may be written down. */
function rememberPrompt({ home, cwd }: MethodContext, project: string, prompt: string): void {
  if (!isTypedPrompt(prompt) || !meantProject(home, cwd, project).isRecording()) return;
  home.prompts.upsert(prompt, project);
}
