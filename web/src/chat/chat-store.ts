import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { ChatNotification } from '../../../src/server/rpc/api.ts';
import { navigate } from '../router/router.ts';
import { messageOf, RpcError } from '../rpc/rpc-error.ts';
import { server } from '../rpc/server.ts';
import { attempt, tell } from '../shell/notices.ts';
import { loadProjects, projectId, projects } from '../shell/project-store.ts';
import { afterEvent, type ChatState, needsFetch, stateOf, withKnown } from './chat-state.ts';
import { draft } from './draft.ts';
import { EachFrame } from './each-frame.ts';
import { ofProject } from './of-project.ts';

const state = signal<ChatState | undefined>(undefined);
const problem = signal('');
const sending = signal(false);
/** What happens while the state is fetched; the answer may be older than that. */
const fetching = new Set<ChatNotification[]>();
/** A question whose fate is unknown: the connection was lost while it was sent. */
let unsure: { readonly prompt: string; readonly images: readonly string[] } | undefined;
/** Pieces of a reply come faster than they can be drawn. */
const events = new EachFrame<ChatNotification>(take);

export const chat: ReadonlySignal<ChatState | undefined> = state;
/** Why there is no chat to be shown. */
export const chatProblem: ReadonlySignal<string> = problem;
export const isSending: ReadonlySignal<boolean> = sending;
/** Images that go with the next question, as data URIs. */
export const attachments: Signal<readonly string[]> = signal([]);

/** Keeps the chat in step with the server for as long as the page lives. */
export function startChat(): void {
  effect(() => {
    const project = projectId.value;
    if (server.openings.value === 0 || projects.value === undefined) return;
    untracked(() => void fetchState(project));
  });
  server.on('chat.event', (event) => {
    for (const missed of fetching) missed.push(event);
    if (event.type === 'chunk') events.add(event);
    else events.addNow(event);
  });
}

function take(happened: readonly ChatNotification[]): void {
  const before = state.value;
  if (before === undefined) return;
  const ours = happened.filter((event) => event.project === before.project);
  if (ours.length === 0) return;
  state.value = ours.reduce(afterEvent, before);
  if (ours.some(needsFetch)) void fetchState(before.project);
  else if (ours.some(({ type }) => type === 'complete' || type === 'failed'))
    void fetchStatus(before.project);
}

/** Asks. What was typed comes back when it could not be sent. */
export async function send(): Promise<void> {
  const prompt = draft.value;
  const images = attachments.value;
  if (prompt.trim() === '' || sending.value) return;
  sending.value = true;
  draft.value = '';
  attachments.value = [];
  try {
    await server.call('chat.send', { ...ofProject(), prompt, ...(images.length === 0 ? {} : { images }) });
    // The first message makes a folder a project.
    if (projectId.value === '') void loadProjects();
  } catch (error) {
    if (error instanceof RpcError && error.code === 'DISCONNECTED') unsure = { prompt, images };
    else giveBack(prompt, images, messageOf(error));
  } finally {
    sending.value = false;
  }
}

export async function cancel(): Promise<void> {
  await attempt(server.call('chat.cancel', ofProject()));
}

export async function compact(): Promise<void> {
  await attempt(server.call('chat.compact', ofProject()));
}

export async function newSession(): Promise<void> {
  await attempt(server.call('history.newSession', ofProject()));
}

/** Goes on with a session of the history: it replaces what the chat shows. */
export async function loadSession(id: string, project: string): Promise<void> {
  const of = project || projectId.value;
  const isLoaded = await attempt(server.call('context.loadSession', { id, project: of }));
  if (!isLoaded) return;
  navigate({ page: 'chat', isBrowsing: false, ...(of === projectId.value ? {} : { project: of }) });
  await fetchState(of);
}

export async function addFile(path: string): Promise<void> {
  await attempt(server.call('files.add', { ...ofProject(), path }).then(takeFiles));
}

export async function dropFile(path: string): Promise<void> {
  await attempt(server.call('files.drop', { ...ofProject(), path }).then(takeFiles));
}

function takeFiles({ files }: { readonly files: readonly string[] }): void {
  if (state.value !== undefined) state.value = { ...state.value, files };
}

async function fetchState(project: string): Promise<void> {
  const missed: ChatNotification[] = [];
  fetching.add(missed);
  try {
    const answer = stateOf(await server.call('state.get', project === '' ? {} : { project }));
    if (project !== projectId.value) return;
    const ours = missed.filter((event) => event.project === answer.project);
    const fresh = ours.reduce(afterEvent, answer);
    const before = state.value;
    state.value = withKnown(fresh, before);
    problem.value = '';
    settleUnsure(fresh, before);
  } catch (error) {
    problem.value = messageOf(error);
  } finally {
    fetching.delete(missed);
  }
}

async function fetchStatus(project: string): Promise<void> {
  const status = await server.call('history.status', { project }).catch(() => undefined);
  if (status !== undefined && state.value?.project === project) state.value = { ...state.value, status };
}

/** Did the question arrive before the connection was lost? If not, it can be sent again. */
function settleUnsure(fresh: ChatState, before: ChatState | undefined): void {
  if (unsure === undefined) return;
  const { prompt, images } = unsure;
  unsure = undefined;
  // What was written down may differ from what was typed: secrets are taken out.
  const known = new Set(before?.messages.map(({ id }) => id));
  const isThere = fresh.messages.some(({ id, role }) => role === 'user' && !known.has(id));
  if (!isThere) giveBack(prompt, images, 'The connection was lost: the message was not sent.');
}

function giveBack(prompt: string, images: readonly string[], why: string): void {
  draft.value = draft.value === '' ? prompt : `${prompt}\n\n${draft.value}`;
  attachments.value = [...images, ...attachments.value];
  tell(why, 'warning');
}
