import {
  type AgentInstallation,
  buildPluginPreamble,
  joinPath,
  type Machine,
  serverAddition,
  serverCommand,
} from '../installation.ts';

/** A plugin file calls the hook; the MCP server goes into opencode's settings. */
export const opencodeInstallation: AgentInstallation = {
  commands: ['opencode'],
  tested: { package: 'opencode-ai', version: '1.18.33' },
  traces: (machine) => [
    configFolder(machine),
    joinPath(machine, machine.env.XDG_DATA_HOME || joinPath(machine, machine.userHome, '.local', 'share'), 'opencode'),
  ],
  targets(machine, scope) {
    const isUser = scope.kind === 'user';
    const plugins = isUser ? configFolder(machine) : joinPath(machine, scope.root, '.opencode');
    const settings = isUser ? configFolder(machine) : scope.root;
    const server = { type: 'local', command: serverCommand(machine, scope), enabled: true };
    return [
      {
        kind: 'own',
        path: joinPath(machine, plugins, 'plugin', 'yore.js'),
        parts: ['hooks'],
        text: buildPluginPreamble(machine, scope, 'opencode') + PLUGIN_BODY,
      },
      {
        kind: 'json',
        path: joinPath(machine, settings, 'opencode.json'),
        alternatives: [joinPath(machine, settings, 'opencode.jsonc')],
        additions: [serverAddition('mcp', server)],
      },
    ];
  },
};

function configFolder(machine: Machine): string {
  const settings = machine.env.XDG_CONFIG_HOME || joinPath(machine, machine.userHome, '.config');
  return machine.env.OPENCODE_CONFIG_DIR || joinPath(machine, settings, 'opencode');
}

const PLUGIN_BODY = `
// Context for each session: the briefing from its start and the reply to its last prompt.
const contexts = new Map();
const parents = new Map();
// What is being done after the compaction of a session.
const compactions = new Map();
const startedAt = new Map();
const reported = new Set();
const NOT_A_FAILURE = /^(?:The user rejected|The user has specified a rule|Tool execution aborted)/;

export const YorePlugin = async ({ client, directory }) => {
  const describe = (sessionId) => {
    const parentSessionId = parents.get(sessionId);
    return { sessionId, cwd: directory, ...(parentSessionId ? { parentSessionId } : {}) };
  };

  const start = async (sessionId, source) => {
    const isKnown = contexts.has(sessionId);
    if (isKnown && source !== 'compact') return;
    contexts.set(sessionId, { start: undefined, prompt: undefined });
    const answer = await ask({ event: 'start', source, ...describe(sessionId) });
    contexts.set(sessionId, { start: answer?.context, prompt: undefined });
    if (answer?.notice) notify(answer.notice);
  };

  const resume = (sessionId) =>
    safely(async () => {
      await ask({ event: 'afterCompaction', ...describe(sessionId) });
      await start(sessionId, 'compact');
    });

  const notify = (message) => {
    try {
      Promise.resolve(client?.tui?.showToast?.({ body: { message, variant: 'info' } })).catch(() => {});
    } catch {}
  };

  const report = async (sessionId, callId, call) => {
    if (reported.has(callId)) return undefined;
    reported.add(callId);
    const began = startedAt.get(callId);
    startedAt.delete(callId);
    const durationMs = began === undefined ? {} : { durationMs: Date.now() - began };
    return await ask({ event: 'afterCall', ...describe(sessionId), callId, ...call, ...durationMs });
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
            if (properties.sessionID) await ask({ event: 'stop', ...describe(properties.sessionID) });
            return;
          case 'session.compacted':
            if (!properties.sessionID) return;
            compactions.set(properties.sessionID, resume(properties.sessionID));
            return;
          case 'session.deleted':
            if (properties.info?.id) await ask({ event: 'end', ...describe(properties.info.id) });
            return;
          case 'message.part.updated': {
            const part = properties.part ?? {};
            if (part.type !== 'tool' || part.state?.status !== 'error') return;
            const output = short(part.state.error) ?? '';
            if (NOT_A_FAILURE.test(output)) return;
            const call = { tool: part.tool, input: part.state.input ?? {}, output, isError: true };
            await report(part.sessionID, part.callID, call);
          }
        }
      }),

    'chat.message': ({ sessionID }, { message, parts }) =>
      safely(async () => {
        await start(sessionID, 'resume');
        const texts = (parts ?? []).filter((part) => part.type === 'text' && !part.synthetic);
        const prompt = short(texts.map((part) => part.text).join('\\n'));
        if (!prompt) return;
        const answer = await ask({ event: 'prompt', ...describe(sessionID), prompt, promptId: message?.id });
        contexts.set(sessionID, { ...contexts.get(sessionID), prompt: answer?.context });
        if (answer?.notice) notify(answer.notice);
      }),

    'experimental.chat.system.transform': ({ sessionID }, { system }) =>
      safely(async () => {
        // opencode does not wait for events.
        await compactions.get(sessionID);
        const { start: briefing, prompt } = contexts.get(sessionID) ?? {};
        if (briefing) system.push(briefing);
        if (prompt) system.push(prompt);
      }),

    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      startedAt.set(callID, Date.now());
      const question = { event: 'beforeCall', ...describe(sessionID), tool, callId: callID, input: args ?? {} };
      const answer = await safely(() => ask(question));
      if (typeof answer?.deny !== 'string') return;
      reported.add(callID);
      startedAt.delete(callID);
      throw new Error(answer.deny);
    },

    'tool.execute.after': ({ tool, sessionID, callID, args }, result) =>
      safely(async () => {
        const exit = result?.metadata?.exit;
        const exitCode = typeof exit === 'number' ? { exitCode: exit } : {};
        const call = { tool, input: args ?? {}, output: short(result?.output) ?? '', ...exitCode };
        const answer = await report(sessionID, callID, call);
        if (answer?.context && typeof result?.output === 'string') result.output += '\\n\\n' + answer.context;
      }),

    'experimental.session.compacting': ({ sessionID }) =>
      safely(async () => {
        await ask({ event: 'beforeCompaction', ...describe(sessionID) });
      }),
  };
};
`;
