import type { Machine, Scope } from '../machine.ts';
import { pluginHead } from './plugin-call.ts';

/** The plugin file for opencode. */
export function opencodePlugin(machine: Machine, scope: Scope): string {
  return pluginHead(machine, scope, 'opencode') + BODY;
}

const BODY = `
// What the session is told: at its start, and to the last prompt.
const told = new Map();
const parents = new Map();
const startedAt = new Map();
const settled = new Set();
const NOT_A_FAILURE = /^(?:The user rejected|The user has specified a rule|Tool execution aborted)/;

export const YorePlugin = async ({ client, directory }) => {
  const scene = (sessionId) => {
    const parentSessionId = parents.get(sessionId);
    return { sessionId, cwd: directory, ...(parentSessionId ? { parentSessionId } : {}) };
  };

  const start = async (sessionId, source) => {
    const isKnown = told.has(sessionId);
    if (isKnown && source !== 'compact') return;
    told.set(sessionId, { start: undefined, prompt: undefined });
    const answer = await ask({ event: 'start', source, ...scene(sessionId) });
    told.set(sessionId, { start: answer?.context, prompt: undefined });
    if (answer?.notice) notify(answer.notice);
  };

  const notify = (message) => {
    try {
      Promise.resolve(client?.tui?.showToast?.({ body: { message, variant: 'info' } })).catch(() => {});
    } catch {}
  };

  const settle = async (sessionId, callId, call) => {
    if (settled.has(callId)) return undefined;
    settled.add(callId);
    const began = startedAt.get(callId);
    startedAt.delete(callId);
    const durationMs = began === undefined ? {} : { durationMs: Date.now() - began };
    return await ask({ event: 'afterCall', ...scene(sessionId), callId, ...call, ...durationMs });
  };

  // Nothing that goes wrong here may reach the agent; only a denial is thrown.
  const safely = async (work) => {
    try {
      return await work();
    } catch {
      return undefined;
    }
  };

  return {
    event: ({ event }) =>
      safely(async () => {
        const properties = event?.properties ?? {};
        switch (event?.type) {
          case 'session.created': {
            const info = properties.info ?? {};
            if (info.parentID) parents.set(info.id, info.parentID);
            if (info.id) await start(info.id, 'startup');
            return;
          }
          case 'session.idle':
            if (properties.sessionID) await ask({ event: 'stop', ...scene(properties.sessionID) });
            return;
          case 'session.compacted':
            if (!properties.sessionID) return;
            await ask({ event: 'afterCompaction', ...scene(properties.sessionID) });
            await start(properties.sessionID, 'compact');
            return;
          case 'session.deleted':
            if (properties.info?.id) await ask({ event: 'end', ...scene(properties.info.id) });
            return;
          case 'message.part.updated': {
            const part = properties.part ?? {};
            if (part.type !== 'tool' || part.state?.status !== 'error') return;
            const output = short(part.state.error) ?? '';
            if (NOT_A_FAILURE.test(output)) return;
            const call = { tool: part.tool, input: part.state.input ?? {}, output, isError: true };
            await settle(part.sessionID, part.callID, call);
          }
        }
      }),

    'chat.message': ({ sessionID }, { message, parts }) =>
      safely(async () => {
        await start(sessionID, 'resume');
        const texts = (parts ?? []).filter((part) => part.type === 'text' && !part.synthetic);
        const prompt = short(texts.map((part) => part.text).join('\\n'));
        if (!prompt) return;
        const answer = await ask({ event: 'prompt', ...scene(sessionID), prompt, promptId: message?.id });
        told.set(sessionID, { ...told.get(sessionID), prompt: answer?.context });
        if (answer?.notice) notify(answer.notice);
      }),

    'experimental.chat.system.transform': ({ sessionID }, { system }) =>
      safely(async () => {
        const { start: briefing, prompt } = told.get(sessionID) ?? {};
        if (briefing) system.push(briefing);
        if (prompt) system.push(prompt);
      }),

    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      startedAt.set(callID, Date.now());
      const question = { event: 'beforeCall', ...scene(sessionID), tool, callId: callID, input: args ?? {} };
      const answer = await safely(() => ask(question));
      if (typeof answer?.deny !== 'string') return;
      settled.add(callID);
      startedAt.delete(callID);
      throw new Error(answer.deny);
    },

    'tool.execute.after': ({ tool, sessionID, callID, args }, result) =>
      safely(async () => {
        const exit = result?.metadata?.exit;
        const exitCode = typeof exit === 'number' ? { exitCode: exit } : {};
        const call = { tool, input: args ?? {}, output: short(result?.output) ?? '', ...exitCode };
        const answer = await settle(sessionID, callID, call);
        if (answer?.context && typeof result?.output === 'string') result.output += '\\n\\n' + answer.context;
      }),

    'experimental.session.compacting': ({ sessionID }) =>
      safely(async () => {
        await ask({ event: 'beforeCompaction', ...scene(sessionID) });
      }),
  };
};
`;
