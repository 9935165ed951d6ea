// The parsers that read what others have written. A target makes an input and feeds it to a parser, which must return
// whatever it is given: only the errors that it documents are allowed.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';
import { PACKAGE } from '../soak/world.mjs';
import { readDictionary } from './generate.mjs';

const DIST = join(PACKAGE, 'dist');
const load = (path) => import(pathToFileURL(join(DIST, path)).href);
const folder = workerData?.folder ?? mkdtempSync(join(tmpdir(), 'yore-fuzz-'));
export const WORKING_FOLDER = folder;

const CLAUDE_LINE =
  '{"type":"assistant","uuid":"u","sessionId":"s","cwd":"/srv/app","isSidechain":false,"timestamp":"2026-03-02T09:00:00.000Z","gitBranch":"main","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"done"},{"type":"tool_use","id":"t","name":"Bash","input":{"command":"npm test"}}],"usage":{"input_tokens":1}}}';
const CLAUDE_RESULT =
  '{"type":"user","uuid":"v","sessionId":"s","cwd":"/srv/app","timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"Exit code 1","is_error":true}]},"toolUseResult":"Error"}';
const CODEX_LINE =
  '{"timestamp":"2026-03-02T09:00:00.000Z","type":"response_item","payload":{"type":"function_call","name":"exec_command","arguments":"{\\"cmd\\":\\"npm test\\"}","call_id":"c"}}';
const CODEX_META =
  '{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/srv/app","source":"cli","git":{"branch":"main"}}}';
const COPILOT_LINE =
  '{"type":"tool.execution_complete","data":{"toolCallId":"c","success":true,"result":{"content":"ok"}},"id":"e","timestamp":"2026-03-02T09:00:00.000Z"}';
const GEMINI_LINE =
  '{"id":"g","timestamp":"2026-03-02T09:00:00.000Z","type":"gemini","content":"done","toolCalls":[{"id":"c","name":"run_shell_command","args":{"command":"ls"},"status":"success","result":[{"functionResponse":{"id":"c","response":{"output":"ok"}}}]}]}';
const HOOK_PAYLOAD =
  '{"session_id":"s","cwd":"/srv/app","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"npm test"},"tool_use_id":"t","tool_response":{"stdout":"ok","stderr":""}}';
const PLUGIN_PAYLOAD =
  '{"event":"afterCall","sessionId":"s","cwd":"/srv/app","tool":"bash","callId":"c","input":{"command":"ls"},"output":"ok","exitCode":0}';
const RPC = '{"jsonrpc":"2.0","id":1,"method":"history.search","params":{"query":"redis","limit":5}}';
const MCP = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"redis"}}}';
const HELLO =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}';
const SETTINGS = '{"retrieval":{"crossProject":true},"guard.mode":"deny","prompts.size":10,"tags.extra":{"a":["b"]}}';
const SHELL = [
  'FOO=1 sudo -u me env -i npm install --save-dev "redis node" && (cd src; make -j4) | tee out.log 2>&1',
  'cat <<\'EOF\' > a.txt\nhello $(date)\nEOF\nfor f in *.ts; do echo "$f" $#; done',
  'if [[ -f a && ! -d b ]]; then bash -c \'docker run --rm -v "$PWD":/w x\' || exit 1; fi; case $x in a|b) ls;; esac',
];
const RECORDS = [
  '{"v":1,"id":"1-a","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","role":"user","content":"hi","imageRefs":["a.png"]}',
  '{"v":1,"id":"1-b","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z","outcome":"failure","tool":"Bash","command":"npm test","error":"E404"}',
  '{"v":1,"kind":"tombstone","sessionId":"s","timestamp":"2026-03-02T09:00:00.000Z"}',
];
const TOML = '[mcp_servers.yore]\ncommand = "yore"\nargs = ["mcp"]\n\n[other]\nx = 1\n';

/** All targets by name: how an input is made, and what is done with it. */
export async function createTargets() {
  return new Map([...(await transcriptTargets()), ...(await hookTargets()), ...(await otherTargets())]);
}

async function transcriptTargets() {
  const { AGENTS } = await load('agents/registry.js');
  const { fileSource } = await load('agents/transcript/files.js');
  const seeds = [CLAUDE_LINE, CLAUDE_RESULT, CODEX_LINE, CODEX_META, COPILOT_LINE, GEMINI_LINE];
  const targets = await Promise.all(
    Object.entries(AGENTS).map(async ([name, agent]) => {
      const transcripts = await agent.loadTranscripts();
      const path = join(folder, `${name}.jsonl`);
      const run = (input) => {
        writeFileSync(path, input);
        const source = fileSource(name, path);
        transcripts.recognises(path);
        readAll(transcripts, source, undefined);
      };
      const dictionary = [
        ...readDictionary(join(DIST, 'agents', agentFolder(name))),
        ...readDictionary(join(DIST, 'agents', 'transcript')),
      ];
      const make = (generator) =>
        generator.random.chance(0.7) ? generator.lines() : generator.damaged(generator.json());
      return [`transcript-${name}`, { dictionary, seeds, make, run, allowed: ['STORAGE'] }];
    }),
  );
  return targets;
}

/** Reads a transcript to its end, and once more from the middle. */
function readAll(transcripts, source, position) {
  const reading = transcripts.read(source, position);
  let events = 0;
  for (const _event of reading.events) if (++events > 20_000) break;
  const stored = JSON.parse(JSON.stringify(reading.position()));
  if (position === undefined) readAll(transcripts, source, stored);
}

function agentFolder(name) {
  return name === 'roo' ? 'cline' : name;
}

async function hookTargets() {
  const { AGENTS } = await load('agents/registry.js');
  const { describeCall } = await load('facts/call/describe-call.js');
  const hooked = Object.entries(AGENTS).filter(([, { hooks }]) => hooks !== undefined);
  return await Promise.all(
    hooked.map(async ([name, agent]) => {
      const protocol = await agent.hooks.loadProtocol();
      const events = ['preToolUse', 'postToolUse', 'sessionStart', 'agentStop', undefined];
      const run = (input) => {
        const payload = tryParse(input);
        for (const event of events) {
          const message = protocol.decode(payload, event);
          if (message === undefined) continue;
          protocol.encode({ context: 'note', decision: { mode: 'deny', reason: 'no' } }, message);
          const { call } = message.event;
          if (call !== undefined)
            describeCall({ ...call, sessionId: 's', timestamp: '2026-03-02T09:00:00.000Z', cwd: '/srv', root: '/srv' });
        }
      };
      const dictionary = [
        ...readDictionary(join(DIST, 'agents', name)),
        'tool_name',
        'tool_input',
        'hook_event_name',
        'session_id',
        'cwd',
      ];
      return [
        `hook-${name}`,
        {
          dictionary,
          seeds: [HOOK_PAYLOAD, PLUGIN_PAYLOAD],
          make: (generator) => Buffer.from(generator.json()),
          run,
          allowed: [],
        },
      ];
    }),
  );
}

async function otherTargets() {
  const { loadConfig } = await load('config/config.js');
  const { addToJson, JsonTextError } = await load('install/json-edit.js');
  const { canAddTomlTable, formatTomlTable, readTomlTable, removeTomlTable, TomlTextError } =
    await load('install/toml-table.js');
  const { handleRpc } = await load('server/rpc/json-rpc.js');
  const { serveMcpStdio } = await load('mcp/index.js');
  const { parseShell } = await load('facts/shell/parse-shell.js');
  const { analyseCall } = await load('facts/call/analyse-call.js');
  const { redact, redactValue } = await load('redact/index.js');
  const { parseAttempt, parseHistoryRecord } = await load('record/index.js');
  const { readLogLines } = await load('log/index.js');
  const text = (generator) => generator.damaged(generator.random.pick(generator.seeds));
  const json = (generator) => generator.damaged(generator.json());
  const lines = (generator) => generator.lines();
  const words = readDictionary(join(DIST, 'facts', 'shell'));
  return [
    [
      'settings',
      {
        dictionary: readDictionary(join(DIST, 'config')),
        seeds: [SETTINGS],
        make: json,
        allowed: ['CONFIG', 'STORAGE'],
        run: (input) => {
          const homeFile = join(folder, 'config.json');
          writeFileSync(homeFile, input);
          loadConfig({ homeFile, mode: 'lenient' }).get('prompts.size');
          loadConfig({ homeFile });
        },
      },
    ],
    [
      'agent-settings-json',
      {
        dictionary: ['hooks', 'mcpServers', 'PreToolUse', 'yore', 'command'],
        seeds: ['{"hooks":{"PreToolUse":[]},"mcpServers":{}} // end\n'],
        make: text,
        allowed: [JsonTextError],
        run: (input) =>
          addToJson(
            { text: String(input), inserted: [] },
            { path: ['hooks', 'PreToolUse'], kind: 'element', value: { a: 1 } },
          ),
      },
    ],
    [
      'agent-settings-toml',
      {
        dictionary: ['mcp_servers', 'yore', 'command'],
        seeds: [TOML],
        make: text,
        allowed: [TomlTextError],
        run: (input) => {
          const name = ['mcp_servers', 'yore'];
          readTomlTable(String(input), name);
          if (canAddTomlTable(String(input), name))
            removeTomlTable(String(input) + formatTomlTable(String(input), name, ['command = "yore"']), name);
        },
      },
    ],
    [
      'json-rpc',
      {
        dictionary: ['jsonrpc', 'id', 'method', 'params', '2.0', 'history.search'],
        seeds: [RPC, `[${RPC},${RPC}]`],
        make: json,
        allowed: [],
        run: async (input) => {
          const reply = await handleRpc(
            String(input),
            async () => ({ ok: true, result: { a: 1 } }),
            (error) => {
              throw error;
            },
            {},
          );
          if (reply !== undefined) JSON.parse(String(reply));
        },
      },
    ],
    [
      'mcp',
      {
        dictionary: [
          'jsonrpc',
          'id',
          'method',
          'params',
          'name',
          'arguments',
          'search',
          'recap',
          'check',
          'tools/call',
          'resources/read',
          'prompts/get',
        ],
        seeds: [MCP, HELLO],
        make: lines,
        allowed: [],
        cost: 20,
        run: async (input) => {
          const [client, output] = [new PassThrough(), new PassThrough()];
          let said = '';
          output.on('data', (chunk) => (said += chunk));
          const served = serveMcpStdio(
            { version: '1', home: join(folder, 'home'), env: {}, currentFolder: folder, folder },
            { input: client, output },
          );
          client.write(`${HELLO}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n`);
          client.end(Buffer.concat([input, Buffer.from('\n')]));
          await served;
          for (const line of said.split('\n')) if (line !== '') JSON.parse(line);
        },
      },
    ],
    [
      'shell',
      {
        dictionary: [
          ...words,
          ...'if then fi for do done case esac while && || | ; & ( ) { } $( ` " \' \\ <<EOF > 2>&1 $x [[ ]]'.split(' '),
        ],
        seeds: SHELL,
        allowed: [],
        make: (generator) =>
          generator.random.chance(0.5)
            ? text(generator)
            : Buffer.from(Array.from({ length: generator.random.below(40) }, () => generator.text()).join(' ')),
        run: (input) => {
          parseShell(String(input));
          analyseCall({ tool: 'Bash', command: String(input).slice(0, 8_000) });
        },
      },
    ],
    [
      'redaction',
      {
        dictionary: [...words, 'password', 'token', 'Authorization: Bearer', 'ghp_'],
        seeds: [...SHELL, SETTINGS],
        make: json,
        allowed: [],
        run: (input) => void [redact(String(input)), redactValue(tryParse(input))],
      },
    ],
    [
      'records',
      {
        dictionary: readDictionary(join(DIST, 'record')),
        seeds: RECORDS,
        make: lines,
        allowed: [],
        run: (input) => {
          const path = join(folder, 'history.jsonl');
          writeFileSync(path, input);
          for (const line of readLogLines(path))
            for (const parse of [parseAttempt, parseHistoryRecord]) parse(tryParse(line.text));
        },
      },
    ],
  ];
}

function tryParse(input) {
  try {
    return JSON.parse(String(input));
  } catch {
    return String(input);
  }
}
