import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals';
import type { ChatNotification } from '../../../src/server/rpc/api.ts';
import { navigate } from '../router/router.ts';
import { errorMessage, RpcError } from '../rpc/rpc-client.ts';
import { server } from '../rpc/server.ts';
import { showNotice, tryCall } from '../shell/notices.ts';
import { currentProjectId, loadProjects, projectParam, projects } from '../shell/project-store.ts';
import { applyEvent, type ChatView, fromSnapshot, mergeSnapshot, requiresFetch } from './chat-state.ts';
import { draft } from './draft.ts';

const state = signal<ChatView | undefined>(undefined);
const problem = signal('');
const sending = signal(false);
/** Events that arrive while the state is fetched: the response may be older. */
const missedEvents = new Set<ChatNotification[]>();
/** A question that may or may not have arrived: the connection was lost while it was sent. */
let uncertain: { readonly prompt: string; readonly images: readonly string[] } | undefined;
export const chat: ReadonlySignal<ChatView | undefined> = state;
/** Why the chat cannot be shown. */
export const chatProblem: ReadonlySignal<string> = problem;
export const isSending: ReadonlySignal<boolean> = sending;
/** Images to send with the next question, as data URIs. */
export const attachments: Signal<readonly string[]> = signal([]);

/** Keeps the chat up to date with the server. */
export function startChat(): void {
  effect(() => {
    const project = currentProjectId.value;
    if (server.openings.value === 0 || projects.value === undefined) return;
    untracked(() => void fetchState(project));
  });
  server.on('chat.event', (event) => {
    for (const missed of missedEvents) missed.push(event);
    queueEvent(event);
  });
}

/** Applies at most this late: a page in the background renders no frames. */
const MAX_FRAME_WAIT_MS = 200;
let queued: ChatNotification[] = [];
let frame = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Applies chunks once per frame, because they arrive faster than they can be rendered; other events at once. */
function queueEvent(event: ChatNotification): void {
  queued.push(event);
  if (event.type !== 'chunk') applyQueued();
  else if (timer === undefined) {
    timer = setTimeout(applyQueued, MAX_FRAME_WAIT_MS);
    frame = requestAnimationFrame(applyQueued);
  }
}

function applyQueued(): void {
  clearTimeout(timer);
  cancelAnimationFrame(frame);
  timer = undefined;
  const before = state.value;
  const events = queued.filter((event) => event.project === before?.project);
  queued = [];
  if (before === undefined || events.length === 0) return;
  state.value = events.reduce(applyEvent, before);
  if (events.some(requiresFetch)) void fetchState(before.project);
  else if (events.some(({ type }) => type === 'complete' || type === 'failed')) void fetchStatus(before.project);
}

/** Sends the draft. It is restored when it could not be sent. */
export async function send(): Promise<void> {
  const prompt = draft.value;
  const images = attachments.value;
  if (prompt.trim() === '' || sending.value) return;
  sending.value = true;
  draft.value = '';
  attachments.value = [];
  try {
    await server.call('chat.send', { ...projectParam(), prompt, ...(images.length === 0 ? {} : { images }) });
    // The first message registers the folder as a project.
    if (currentProjectId.value === '') void loadProjects();
  } catch (error) {
    if (error instanceof RpcError && error.code === 'DISCONNECTED') uncertain = { prompt, images };
    else restoreDraft(prompt, images, errorMessage(error));
  } finally {
    sending.value = false;
  }
}

export async function cancel(): Promise<void> {
  await tryCall(server.call('chat.cancel', projectParam()));
}

export async function compact(): Promise<void> {
  await tryCall(server.call('chat.compact', projectParam()));
}

export async function newSession(): Promise<void> {
  await tryCall(server.call('history.newSession', projectParam()));
}

/** Continues a session of the history in the chat. */
export async function loadSession(id: string, project: string): Promise<void> {
  const owner = project || currentProjectId.value;
  const loading = server.call('context.loadSession', { id, project: owner });
  if (!(await tryCall(loading))) return;
  const { forkedFrom, agent = 'its agent' } = await loading;
  if (forkedFrom !== undefined) showNotice(`Forked: you continue a copy. The session of ${agent} stays as it is.`);
  navigate({ page: 'chat', isBrowsing: false, ...(owner === currentProjectId.value ? {} : { project: owner }) });
  await fetchState(owner);
}

export async function addChatFile(path: string): Promise<void> {
  await tryCall(server.call('files.add', { ...projectParam(), path }).then(setFiles));
}

export async function dropFile(path: string): Promise<void> {
  await tryCall(server.call('files.drop', { ...projectParam(), path }).then(setFiles));
}

function setFiles({ files }: { readonly files: readonly string[] }): void {
  if (state.value !== undefined) state.value = { ...state.value, files };
}

async function fetchState(project: string): Promise<void> {
  const missed: ChatNotification[] = [];
  missedEvents.add(missed);
  try {
    const snapshot = fromSnapshot(await server.call('state.get', project === '' ? {} : { project }));
    if (project !== currentProjectId.value) return;
    const events = missed.filter((event) => event.project === snapshot.project);
    const fresh = events.reduce(applyEvent, snapshot);
    const before = state.value;
    state.value = mergeSnapshot(fresh, before);
    problem.value = '';
    settleUncertain(fresh, before);
  } catch (error) {
    problem.value = errorMessage(error);
  } finally {
    missedEvents.delete(missed);
  }
}

async function fetchStatus(project: string): Promise<void> {
  const status = await server.call('history.status', { project }).catch(() => undefined);
  if (status !== undefined && state.value?.project === project) state.value = { ...state.value, status };
}

/** Restores the draft when the question did not arrive before the connection was lost. */
function settleUncertain(fresh: ChatView, before: ChatView | undefined): void {
  if (uncertain === undefined) return;
  const { prompt, images } = uncertain;
  uncertain = undefined;
  // Not compared by its text: the recorded one is redacted.
  const known = new Set(before?.messages.map(({ id }) => id));
  const hasArrived = fresh.messages.some(({ id, role }) => role === 'user' && !known.has(id));
  if (!hasArrived) restoreDraft(prompt, images, 'The connection was lost. The message was not sent.');
}

function restoreDraft(prompt: string, images: readonly string[], why: string): void {
  draft.value = draft.value === '' ? prompt : `${prompt}\n\n${draft.value}`;
  attachments.value = [...images, ...attachments.value];
  showNotice(why, 'warning');
}
