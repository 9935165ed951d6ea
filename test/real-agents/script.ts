/** What the scripted model does in a session: one step for each request of the agent. */
export interface Script {
  readonly steps: readonly Step[];
  /** The steps of sub-agents: of all conversations that do not contain the prompt of the session. */
  readonly subagent?: readonly Step[];
}

/** One reply of the model. A step without calls ends the turn. */
export interface Step {
  /** Tokens that the request is said to have had: many make an agent compact its context. */
  readonly inputTokens?: number;
  readonly say?: string;
  readonly calls?: readonly ScriptedCall[];
}

/** A call by what it does; the tool for it is looked up among those that the agent offers. */
export type ScriptedCall =
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  /** A tool of yore's MCP server. */
  | { readonly kind: 'mcp'; readonly tool: string; readonly input: Fields }
  /** Looks for tools that the agent does not declare until they are searched for. */
  | { readonly kind: 'findTools'; readonly names: readonly string[] }
  | { readonly kind: 'subagent'; readonly prompt: string; readonly type: string };

export type Fields = Readonly<Record<string, unknown>>;

/** A tool that an agent offers to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly schema?: JsonSchema | undefined;
  /** Codex groups the tools of an MCP server. */
  readonly namespace?: string;
  /** Its input is text and not an object. */
  readonly isFreeform?: boolean;
}

/** The part of JSON Schema that is needed to make a value. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** A call in the terms of the agent. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: Fields | string;
  readonly namespace?: string | undefined;
}

type Translate<Kind extends ScriptedCall['kind']> = (
  call: Extract<ScriptedCall, { kind: Kind }>,
  tool: OfferedTool,
) => Fields | string;

/** For each kind of call the tools of all agents that do it; the first one that is offered is used. */
const SHELL: readonly (readonly [string, Translate<'shell'>])[] = [
  ['Bash', ({ command }) => ({ command, description: 'Run a command' })],
  ['exec_command', ({ command }) => ({ cmd: command })],
  ['shell_command', ({ command }) => ({ command })],
  ['shell', ({ command }) => ({ command: ['bash', '-lc', command] })],
  ['run_shell_command', ({ command }, tool) => fit({ command }, tool)],
  ['bash', ({ command }, tool) => fit({ command, description: 'Run a command' }, tool)],
  ['execute_command', ({ command }, tool) => fit({ command, requires_approval: false }, tool)],
  ['run_commands', ({ command }, tool) => fit({ commands: [command] }, tool)],
];

const READ: readonly (readonly [string, Translate<'read'>])[] = [
  ['Read', ({ path }) => ({ file_path: path })],
  ['read_file', ({ path }, tool) => fit({ file_path: path, path }, tool)],
  ['read_files', ({ path }) => ({ files: [{ path }] })],
  ['read', ({ path }, tool) => fit({ filePath: path, path }, tool)],
  ['view', ({ path }) => ({ path })],
];

const EDIT: readonly (readonly [string, Translate<'edit'>])[] = [
  ['Edit', ({ path, old, new: text }) => ({ file_path: path, old_string: old, new_string: text })],
  ['apply_patch', (call, tool) => (tool.isFreeform ? patch(call) : fit({ input: patch(call) }, tool))],
  ['replace', (call, tool) => fit({ ...spellings(call), instruction: 'Change it' }, tool)],
  ['edit', (call, tool) => ('edits' in properties(tool) ? severalEdits(call) : fit(spellings(call), tool))],
  ['editor', (call, tool) => fit({ ...spellings(call), command: 'str_replace' }, tool)],
];

const STARTS_SUBAGENT: ReadonlySet<string> = new Set(['Task', 'Agent', 'task', 'agent', 'spawn_agent']);

/** Translates a call into one of the tools that the agent offers. */
export function translateCall(call: ScriptedCall, tools: readonly OfferedTool[]): Omit<ModelCall, 'id'> {
  // Codex in code mode offers one tool: a script that calls the others.
  const isCodeMode = tools.some(({ name, isFreeform }) => name === 'exec' && isFreeform);
  if (isCodeMode && !tools.some(({ name }) => name === 'exec_command')) return { name: 'exec', input: codeFor(call) };
  const find = (matches: (tool: OfferedTool) => boolean): OfferedTool => {
    const found = tools.find(matches);
    if (found) return found;
    throw new Error(`no tool for ${JSON.stringify(call)} among ${tools.map(({ name }) => name).join(', ')}`);
  };
  switch (call.kind) {
    case 'shell':
      return firstOffered(SHELL, call, tools);
    case 'edit':
      return firstOffered(EDIT, call, tools);
    case 'read':
      if (!READ.some(([name]) => tools.some((tool) => tool.name === name))) {
        return firstOffered(SHELL, { kind: 'shell', command: `cat ${call.path}` }, tools);
      }
      return firstOffered(READ, call, tools);
    case 'mcp': {
      const isYores = ({ name, namespace }: OfferedTool): boolean =>
        (/yore/i.test(name) && name.endsWith(call.tool)) || (/yore/i.test(namespace ?? '') && name === call.tool);
      // Qwen Code calls tools that are not declared through another one.
      if (!tools.some(isYores) && tools.some(({ name }) => name === 'tool_call')) {
        return { name: 'tool_call', input: { name: `mcp__yore__${call.tool}`, arguments: call.input } };
      }
      const { name, namespace } = find(isYores);
      return { name, input: call.input, namespace };
    }
    case 'findTools': {
      const tool = find(({ name }) => name === 'tool_search' || name === 'ToolSearch');
      const isByName = call.names.some((name) => name.startsWith('mcp__'));
      const query = isByName ? `select:${call.names.join(',')}` : call.names.join(' ');
      return { name: tool.name, input: fit({ query, max_results: 5, limit: 5 }, tool) };
    }
    case 'subagent': {
      const tool = find(({ name }) => STARTS_SUBAGENT.has(name));
      const { prompt, type } = call;
      const input = { description: 'Try it', prompt, message: prompt, subagent_type: type, agent_type: type };
      return { name: tool.name, input: fit(input, tool), namespace: tool.namespace };
    }
  }
}

function firstOffered<Kind extends ScriptedCall['kind']>(
  table: readonly (readonly [string, Translate<Kind>])[],
  call: Extract<ScriptedCall, { kind: Kind }>,
  tools: readonly OfferedTool[],
): Omit<ModelCall, 'id'> {
  for (const [name, translate] of table) {
    const tool = tools.find((offered) => offered.name === name);
    if (tool) return { name, input: translate(call, tool) };
  }
  throw new Error(`no tool for ${JSON.stringify(call)} among ${tools.map(({ name }) => name).join(', ')}`);
}

function properties({ schema }: OfferedTool): Readonly<Record<string, JsonSchema>> {
  return schema?.properties ?? {};
}

/** Only what the tool's schema knows, and something for whatever else it requires. */
function fit(input: Fields, tool: OfferedTool): Fields {
  const known = properties(tool);
  const fitting = Object.fromEntries(Object.entries(input).filter(([name]) => name in known));
  const missing = (tool.schema?.required ?? []).filter((name) => !(name in fitting));
  return { ...fitting, ...Object.fromEntries(missing.map((name) => [name, sampleOf(known[name])])) };
}

/** A small value of a schema. */
export function sampleOf(schema: JsonSchema | undefined): unknown {
  if (schema?.enum) return schema.enum[0];
  if (schema?.const !== undefined) return schema.const;
  const choice = (schema?.anyOf ?? schema?.oneOf)?.[0];
  if (choice) return sampleOf(choice);
  switch ([schema?.type ?? 'string'].flat()[0]?.toLowerCase()) {
    case 'object':
      return Object.fromEntries((schema?.required ?? []).map((name) => [name, sampleOf(schema?.properties?.[name])]));
    case 'array':
      return [];
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    default:
      return 'text';
  }
}

type EditCall = Extract<ScriptedCall, { kind: 'edit' }>;

function spellings({ path, old, new: text }: EditCall): Fields {
  const paths = { filePath: path, file_path: path, path };
  const before = { oldString: old, old_string: old, old_str: old, oldText: old, old_text: old };
  return { ...paths, ...before, newString: text, new_string: text, new_str: text, newText: text, new_text: text };
}

function severalEdits({ path, old, new: text }: EditCall): Fields {
  return { path, edits: [{ oldText: old, newText: text }] };
}

function patch({ path, old, new: text }: EditCall): string {
  const lines = (sign: string, part: string): readonly string[] => part.split('\n').map((line) => sign + line);
  const changes = [...lines('-', old), ...lines('+', text)];
  return ['*** Begin Patch', `*** Update File: ${path}`, '@@', ...changes, '*** End Patch'].join('\n');
}

/** JavaScript for the code mode of Codex. */
function codeFor(call: ScriptedCall): string {
  const callTool = (tool: string, input: unknown): string =>
    `const r = await tools.${tool}(${JSON.stringify(input)});\ntext(typeof r === "string" ? r : JSON.stringify(r));\n`;
  switch (call.kind) {
    case 'shell':
      return callTool('exec_command', { cmd: call.command });
    case 'read':
      return callTool('exec_command', { cmd: `cat ${call.path}` });
    case 'edit':
      return callTool('apply_patch', patch(call));
    case 'mcp':
      return callTool(`mcp__yore__${call.tool}`, call.input);
    case 'findTools':
      return 'text(ALL_TOOLS.filter(({ name }) => name.includes("yore")).map(({ name }) => name).join(" "));\n';
    case 'subagent':
      return callTool('spawn_agent', { message: call.prompt });
  }
}
