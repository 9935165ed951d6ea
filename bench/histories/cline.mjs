import { createHistoryFolder, generateSessions } from './generated-sessions.mjs';

const TOOLS = { shell: 'execute_command', read: 'read_file', edit: 'replace_in_file' };
const MODEL = 'kimi-k3';

/**
 * Writes a home folder with tasks of Cline: the conversation, the messages for display and the metadata of each. Half of
 * them have tool calls in the text of replies, as older versions do. Some conversations are truncated.
 * @param {import('./generated-sessions.mjs').HistoryOptions} options
 * @returns {{files: number, lines: number}}
 */
export function writeHistory({ folder, bytes, random, text }) {
  const home = createHistoryFolder(folder, bytes);
  let lines = 0;
  for (const session of generateSessions({ folder, random, text })) {
    if (home.isFull()) break;
    const task = `${storageFolder()}/saoudrizwan.claude-dev/tasks/${session.time}`;
    const isOld = random.chance(0.5);
    const messages = session.turns.flatMap((turn, index) => turnMessages(turn, session.cwd, isOld, index === 0));
    const document = JSON.stringify(messages);
    home.writeText(`${task}/api_conversation_history.json`, session.isTorn ? document.slice(0, -40) : document);
    home.writeText(`${task}/ui_messages.json`, JSON.stringify(displayed(session, messages, isOld)));
    const metadata = { files_in_context: [], model_usage: [{ ts: session.time, model_id: MODEL }] };
    home.writeText(`${task}/task_metadata.json`, JSON.stringify(metadata));
    lines += messages.length;
  }
  return { files: home.totals().files, lines };
}

/** Where VS Code stores the data of extensions on this platform. */
function storageFolder() {
  if (process.platform === 'win32') return 'AppData/Roaming/Code/User/globalStorage';
  if (process.platform === 'darwin') return 'Library/Application Support/Code/User/globalStorage';
  return '.config/Code/User/globalStorage';
}

function turnMessages(turn, cwd, isOld, isFirst) {
  const details = `<environment_details>\n# Current Working Directory (${cwd}) Files\nsrc/\n</environment_details>`;
  const environment = { type: 'text', text: details };
  const wrapped = isFirst ? `<task>\n${turn.prompt}\n</task>` : `<user_message>\n${turn.prompt}\n</user_message>`;
  const source = { type: 'base64', media_type: 'image/png', data: turn.image };
  const images = turn.image === undefined ? [] : [{ type: 'image', source }];
  const messages = [
    { role: 'user', content: [{ type: 'text', text: wrapped }, ...images, environment], ts: turn.time },
  ];
  if (turn.isCompacted) {
    messages.push({ role: 'assistant', content: turn.replies[0].text, isSummary: true, ts: turn.time });
  }
  for (const { time, text, calls } of turn.replies) {
    const used = isOld ? calls.slice(0, 1) : calls;
    const content = isOld
      ? [{ type: 'text', text: [text, ...used.map(callInText)].filter((part) => part).join('\n\n') }]
      : [...(text ? [{ type: 'text', text }] : []), ...used.map(callBlock)];
    messages.push({ role: 'assistant', content, ...(isOld ? {} : { ts: time }) });
    if (used.length === 0) continue;
    const results = used.flatMap((call) => (isOld ? resultTexts(call) : [resultBlock(call)]));
    messages.push({ role: 'user', content: [...results, environment], ...(isOld ? {} : { ts: time + 1 }) });
  }
  return messages;
}

function callInText({ kind, command, path, output }) {
  const input =
    kind === 'shell'
      ? `<command>${command}</command>\n<requires_approval>false</requires_approval>`
      : kind === 'read'
        ? `<path>${path}</path>`
        : `<path>${path}</path>\n<diff>\n<<<<<<< SEARCH\n${output.slice(0, 400)}\n>>>>>>> REPLACE\n</diff>`;
  return `<${TOOLS[kind]}>\n${input}\n</${TOOLS[kind]}>`;
}

function callBlock({ id, kind, command, path, output }) {
  const input = kind === 'shell' ? { command } : kind === 'read' ? { path } : { path, diff: output.slice(0, 400) };
  return { type: 'tool_use', id, name: TOOLS[kind], input };
}

function resultTexts(call) {
  const subject = call.command ?? call.path;
  return [
    { type: 'text', text: `[${TOOLS[call.kind]} for '${subject}'] Result:` },
    { type: 'text', text: resultText(call) },
  ];
}

function resultBlock(call) {
  return { type: 'tool_result', tool_use_id: call.id, content: resultText(call) };
}

function resultText({ kind, output, exitCode, isRejected }) {
  if (isRejected) return 'The user denied this operation.';
  if (kind === 'shell') {
    return `Command executed in terminal within working directory '/'. Exit code: ${exitCode}\nOutput:\n${output}`;
  }
  if (exitCode === 0) return output;
  return `The tool execution failed with the following error:\n<error>\n${output}\n</error>`;
}

/** The messages for display, each with the index of the last message that was sent to the model. */
function displayed(session, messages, isOld) {
  const tokens = JSON.stringify({
    request: 'x',
    tokensIn: 4_000,
    tokensOut: 120,
    cacheReads: 30_000,
    cacheWrites: 0,
  });
  return messages.map((message, index) => ({
    ts: message.ts ?? session.time + index * 1_000,
    type: 'say',
    ...(message.role === 'user' ? { say: 'api_req_started', text: tokens } : { say: 'text', text: 'Shown' }),
    conversationHistoryIndex: isOld ? index : index - 1,
  }));
}
