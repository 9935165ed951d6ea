import {
  type AgentInstallation,
  buildPluginPreamble,
  joinPath,
  type Machine,
  serverAddition,
  serverEntry,
} from '../installation.ts';

/** An extension file calls the hook. Older versions do not read `mcp.json`. */
export const piInstallation: AgentInstallation = {
  commands: ['pi'],
  hasCommonName: true,
  tested: { package: '@earendil-works/pi-coding-agent', version: '0.87.1' },
  traces: (machine) => [agentFolder(machine)],
  targets(machine, scope) {
    const folder = scope.kind === 'user' ? agentFolder(machine) : joinPath(machine, scope.root, '.pi');
    return [
      {
        kind: 'own',
        path: joinPath(machine, folder, 'extensions', 'yore.js'),
        parts: ['hooks'],
        text: buildPluginPreamble(machine, scope, 'pi') + EXTENSION_BODY,
      },
      {
        kind: 'json',
        path: joinPath(machine, folder, 'mcp.json'),
        additions: [serverAddition('mcpServers', serverEntry(machine, scope))],
      },
    ];
  },
  nextStep: ({ kind }) =>
    kind === 'user'
      ? undefined
      : 'pi loads extensions of a project only once you approve the project: say yes when it asks, or start it with pi --approve.',
};

function agentFolder(machine: Machine): string {
  return machine.env.PI_CODING_AGENT_DIR || joinPath(machine, machine.userHome, '.pi', 'agent');
}

const EXTENSION_BODY = `
const SOURCES = { startup: 'startup', new: 'clear', resume: 'resume', fork: 'fork' };
const EXIT = /\\s*Command exited with code (\\d+)\\s*$/;

export default function yore(pi) {
  // Context that goes to the model with the next prompt.
  let pending = [];
  const startedAt = new Map();

  const describe = (context) => {
    const sessions = context?.sessionManager;
    const transcriptPath = sessions?.getSessionFile?.();
    return {
      sessionId: sessions?.getSessionId?.(),
      cwd: context?.cwd ?? process.cwd(),
      ...(transcriptPath ? { transcriptPath } : {}),
      ...(context?.model?.id ? { model: context.model.id } : {}),
    };
  };

  const tell = (answer, context) => {
    if (answer?.context) pending.push(answer.context);
    if (answer?.notice && context?.hasUI) context.ui?.notify?.(answer.notice, 'info');
  };

  // Nothing that goes wrong here may reach the agent.
  const on = (name, work) => {
    pi.on(name, async (event, context) => {
      try {
        return await work(event ?? {}, context);
      } catch {
        return undefined;
      }
    });
  };

  on('session_start', async ({ reason = 'startup' }, context) => {
    const source = SOURCES[reason];
    if (!source) return;
    pending = [];
    tell(await ask({ event: 'start', source, ...describe(context) }), context);
  });

  on('before_agent_start', async ({ prompt }, context) => {
    if (prompt) tell(await ask({ event: 'prompt', prompt: short(prompt), ...describe(context) }), context);
    if (pending.length === 0) return undefined;
    const content = pending.join('\\n\\n');
    pending = [];
    return { message: { customType: 'yore', content, display: false } };
  });

  on('tool_call', async ({ toolName, toolCallId, input }, context) => {
    startedAt.set(toolCallId, Date.now());
    const call = { tool: toolName, callId: toolCallId, input: input ?? {} };
    const answer = await ask({ event: 'beforeCall', ...call, ...describe(context) });
    if (typeof answer?.deny !== 'string') return undefined;
    startedAt.set(toolCallId, undefined);
    return { block: true, reason: answer.deny };
  });

  on('tool_result', async (event, context) => {
    const { toolName, toolCallId, input, content, isError } = event;
    const isDenied = startedAt.has(toolCallId) && startedAt.get(toolCallId) === undefined;
    const began = startedAt.get(toolCallId);
    startedAt.delete(toolCallId);
    if (isDenied) return undefined;
    const texts = (Array.isArray(content) ? content : []).filter((part) => part.type === 'text');
    const text = short(texts.map((part) => part.text).join('\\n')) ?? '';
    const exit = EXIT.exec(text);
    const answer = await ask({
      event: 'afterCall',
      tool: toolName,
      callId: toolCallId,
      input: input ?? {},
      output: exit ? text.slice(0, exit.index) : text,
      isError: isError === true,
      ...(exit ? { exitCode: Number(exit[1]) } : {}),
      ...(began === undefined ? {} : { durationMs: Date.now() - began }),
      ...describe(context),
    });
    if (!answer?.context) return undefined;
    return { content: [...(Array.isArray(content) ? content : []), { type: 'text', text: answer.context }] };
  });

  on('agent_end', async (_event, context) => {
    await ask({ event: 'stop', ...describe(context) });
  });

  on('session_before_compact', async (_event, context) => {
    await ask({ event: 'beforeCompaction', ...describe(context) });
  });

  on('session_compact', async ({ compactionEntry }, context) => {
    const summary = short(compactionEntry?.summary);
    await ask({ event: 'afterCompaction', ...(summary ? { summary } : {}), ...describe(context) });
    tell(await ask({ event: 'start', source: 'compact', ...describe(context) }), context);
  });

  on('session_shutdown', async (_event, context) => {
    await ask({ event: 'end', ...describe(context) });
  });
}
`;
