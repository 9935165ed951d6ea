import { type ChatService, type Ledger, type OpenedChat, openChat } from '../../../chat/index.ts';
import { isInjecting } from '../../../config/index.ts';
import type { Home, Project } from '../../../project/index.ts';
import { isTypedPrompt, type OfferedPrompts } from '../../../prompts/index.ts';
import type { SessionSummary } from '../../../record/index.ts';
import { omitUndefined } from '../../../record/object.ts';
import { formatCount, formatNumber } from '../../../text/format-count.ts';
import { ChatLoop } from '../../chat/chat-loop.ts';
import { Prompter } from '../../chat/editor/prompter.ts';
import { answerPipedQuestions } from '../../chat/piped-chat.ts';
import { SLASH_COMMANDS } from '../../chat/slash-commands.ts';
import { formatStartMessage } from '../../chat/status-text.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { readVersion, shortenPath } from '../../machine.ts';
import { flagOption, textOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { pick } from '../../picker.ts';

const MAX_SUGGESTIONS = 4;
/** The model's package is loaded after the first screen is drawn. */
const WARM_UP_DELAY_MS = 150;
const DAY_MS = 86_400_000;

/** `yore chat`. */
export const runChat: CommandRun = async (given, _args, options) => {
  const home = await given.openHome();
  const name = textOption(options, 'project');
  const cwd = name === undefined ? given.cwd : resolveProject(home, name, given.cwd).info.projectPath;
  const context = { ...given, cwd };
  const project = home.openProject(cwd);
  const { env, now } = context;
  const opened = openChat({
    home,
    project,
    root: home.findCheckoutRoot(context.cwd),
    env,
    now,
    ...omitUndefined({ model: textOption(options, 'model') }),
  });
  const { chat } = opened;
  try {
    const restored = enterSession(chat, home, options);
    const isInteractive = process.stdin.isTTY === true && process.stdout.isTTY === true && context.env.TERM !== 'dumb';
    if (isInteractive) await chatOnTerminal(opened, restored, { home, project, context });
    else await answerPipedQuestions(chat, process.stdin, { output: context.output, folder: context.cwd });
    return EXIT.ok;
  } finally {
    await chat.close();
  }
};

/** Loads the requested session, or the last chat; undefined for a new one. */
function enterSession(chat: ChatService, home: Home, options: OptionValues): SessionSummary | undefined {
  const id = textOption(options, 'session');
  if (id !== undefined) return chat.loadSession(home.findSession(id).sessionId);
  return flagOption(options, 'new') ? undefined : chat.restoreLast();
}

async function chatOnTerminal(
  { chat, ledger, warmUp }: OpenedChat,
  restored: SessionSummary | undefined,
  { home, project, context }: { readonly home: Home; readonly project: Project; readonly context: CommandContext },
): Promise<void> {
  const { output, now, cwd } = context;
  const { style, symbols } = output;
  const { stdin: input, stdout } = process;
  const offered = home.offeredPrompts(project);
  // Some terminals report 0 columns.
  const columns = (): number => stdout.columns || 80;
  const prompter = new Prompter({
    input,
    output: stdout,
    style,
    symbols,
    sources: {
      prompts: () => offered.search('').map(({ text }) => text),
      suggest: (text) => suggest(text, offered),
    },
  });
  const pickPrompt = async (query: string): Promise<void> => {
    const find = (text: string) =>
      offered.search(text).map((entry) => ({ text: entry.text, note: relativeTime(entry.lastUsed, now()) }));
    const picked = await prompter.suspend(() => pick(query, find, { style, symbols }));
    if (picked !== undefined) prompter.setText(picked);
  };
  const restoreTerminal = (): void => prompter.close();
  process.once('exit', restoreTerminal);
  const warming = setTimeout(warmUp, WARM_UP_DELAY_MS);
  try {
    prompter.print(
      formatStartMessage(
        {
          version: readVersion(),
          responder: chat.responderName,
          folder: shortenPath(cwd),
          overview: project.memory.overview(),
          isBriefed: isInjecting(project.config),
          restored: restored && {
            messages: restored.messageCount,
            when: relativeTime(restored.lastActivity, now()),
            preview: restored.title,
          },
        },
        output,
        columns(),
      ),
    );
    await new ChatLoop({
      chat,
      home,
      project,
      output,
      now,
      prompter,
      folder: cwd,
      columns,
      pickPrompt,
      usage: () => formatUsage(ledger, now()),
      onAsked: (text) => {
        if (project.isRecording() && isTypedPrompt(text)) home.prompts.upsert(text, project.info.projectHash);
      },
    }).run();
  } finally {
    clearTimeout(warming);
    process.off('exit', restoreTerminal);
    prompter.close();
  }
}

/** Suggests slash commands after a slash, otherwise earlier prompts. */
function suggest(text: string, offered: OfferedPrompts): readonly string[] {
  if (text.startsWith('/')) {
    const names = SLASH_COMMANDS.map(({ name }) => name);
    return names.filter((name) => name.startsWith(text) && name !== text);
  }
  return offered.suggest(text, MAX_SUGGESTIONS).map((entry) => entry.text);
}

function formatUsage(ledger: Ledger, now: number): string {
  const since = new Date(now - 30 * DAY_MS).toISOString();
  const { calls, inputTokens, outputTokens, cost } = ledger.total(since);
  if (calls === 0) return 'no calls in the last 30 days';
  const tokens = `${formatNumber(inputTokens)} tokens in, ${formatNumber(outputTokens)} out`;
  const dollars = cost > 0 ? `, about $${cost.toFixed(2)} at list price` : '';
  return `${formatCount(calls, 'call')} in the last 30 days: ${tokens}${dollars} (${shortenPath(ledger.path)})`;
}
