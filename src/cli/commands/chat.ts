import { type ChatService, type Ledger, type OpenedChat, openChat } from '../../chat/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { isTypedPrompt } from '../../prompts/index.ts';
import type { SessionSummary } from '../../record/index.ts';
import { ChatLoop } from '../chat/chat-loop.ts';
import { Prompter } from '../chat/editor/prompter.ts';
import { pipedChat } from '../chat/piped-chat.ts';
import { SLASH_COMMANDS } from '../chat/slash-commands.ts';
import { startMessage } from '../chat/view/start-message.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { shortPath } from '../machine.ts';
import { flagOption, textOption } from '../option-values.ts';
import { countOf, formatCount } from '../output/quantity.ts';
import { relativeTime } from '../output/time.ts';
import { pick } from '../picker/pick.ts';
import { readVersion } from '../version.ts';

const SUGGESTED = 4;
/** A model is loaded when the user has begun to read. */
const WARM_UP_AFTER_MS = 150;

/** `yore chat`. */
export async function runChat(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const home = await context.openHome();
  const project = home.openProject(context.cwd);
  const { env, now } = context;
  const model = textOption(options, 'model');
  const opened = openChat({
    home,
    project,
    root: home.checkoutOf(context.cwd),
    env,
    now,
    ...(model === undefined ? {} : { model }),
  });
  const { chat } = opened;
  try {
    const restored = enterSession(chat, home, options);
    const isInteractive =
      process.stdin.isTTY === true && process.stdout.isTTY === true && context.env.TERM !== 'dumb';
    if (isInteractive) await talk(opened, restored, { home, project, context });
    else await pipedChat(chat, process.stdin, { output: context.output, folder: context.cwd });
    return EXIT.ok;
  } finally {
    await chat.close();
  }
}

/** The session that was asked for, or the last one of the chat. */
function enterSession(chat: ChatService, home: Home, options: OptionValues): SessionSummary | undefined {
  const id = textOption(options, 'session');
  if (id !== undefined) return chat.loadSession(home.findSession(id).sessionId);
  return flagOption(options, 'new') ? undefined : chat.restoreLast();
}

async function talk(
  { chat, ledger, warmUp }: OpenedChat,
  restored: SessionSummary | undefined,
  {
    home,
    project,
    context,
  }: { readonly home: Home; readonly project: Project; readonly context: CommandContext },
): Promise<void> {
  const { output, now, cwd } = context;
  const { style, symbols } = output;
  const { stdin: input, stdout } = process;
  const id = project.info.projectHash;
  // Some terminals say 0 when they do not know.
  const columns = (): number => stdout.columns || 80;
  const prompter = new Prompter({
    input,
    output: stdout,
    style,
    symbols,
    sources: {
      prompts: () => home.prompts.search('', 0, id).map(({ text }) => text),
      suggest: (text) => suggestions(text, home, id),
    },
  });
  const pickPrompt = async (query: string): Promise<void> => {
    const find = (text: string) =>
      home.prompts
        .search(text, 0, id)
        .map((entry) => ({ text: entry.text, note: relativeTime(entry.lastUsed, now()) }));
    const picked = await prompter.aside(() => pick(query, find, { style, symbols }));
    if (picked !== undefined) prompter.setText(picked);
  };
  const quit = (): void => prompter.close();
  process.once('exit', quit);
  const warming = setTimeout(warmUp, WARM_UP_AFTER_MS);
  try {
    prompter.print(
      startMessage(
        {
          version: readVersion(),
          responder: chat.status().responder,
          folder: shortPath(cwd),
          overview: project.memory.overview(),
          restored: restored && {
            messages: restored.messageCount,
            when: relativeTime(restored.lastActivity, now()),
            preview: restored.preview,
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
      spent: () => spentText(ledger, now()),
      onAsked: (text) => {
        if (project.isRecording() && isTypedPrompt(text)) home.prompts.upsert(text, id);
      },
    }).run();
  } finally {
    clearTimeout(warming);
    process.off('exit', quit);
    prompter.close();
  }
}

/** Commands after a slash, else earlier prompts. */
function suggestions(text: string, home: Home, project: string): readonly string[] {
  if (text.startsWith('/')) {
    const names = SLASH_COMMANDS.map(({ name }) => name);
    return names.filter((name) => name.startsWith(text) && name !== text);
  }
  return home.prompts
    .suggest(text, SUGGESTED + 1, project)
    .map((entry) => entry.text)
    .filter((prompt) => prompt !== text)
    .slice(0, SUGGESTED);
}

function spentText(ledger: Ledger, now: number): string {
  const since = new Date(now - 30 * 86_400_000).toISOString();
  const { calls, inputTokens, outputTokens, cost } = ledger.total(since);
  if (calls === 0) return 'not asked in the last 30 days';
  const dollars = cost > 0 ? `, about $${cost.toFixed(2)} by list price` : '';
  return `${countOf(calls, 'call')} in the last 30 days: ${formatCount(inputTokens)} tokens in, ${formatCount(outputTokens)} out${dollars} (${shortPath(ledger.path)})`;
}
