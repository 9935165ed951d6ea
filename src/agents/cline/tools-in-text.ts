/** A tool that a reply calls in its text, the way of older versions: `<execute_command><command>…</command></…>`. */
export interface ToolInText {
  readonly tool: string;
  readonly input: Readonly<Record<string, string>>;
}

const TOOLS = [
  'access_mcp_resource',
  'apply_diff',
  'ask_followup_question',
  'attempt_completion',
  'browser_action',
  'codebase_search',
  'condense',
  'edit_file',
  'execute_command',
  'fetch_instructions',
  'insert_content',
  'list_code_definition_names',
  'list_files',
  'load_mcp_documentation',
  'new_rule',
  'new_task',
  'plan_mode_respond',
  'read_file',
  'replace_in_file',
  'run_slash_command',
  'search_and_replace',
  'search_files',
  'summarize_task',
  'switch_mode',
  'update_todo_list',
  'use_mcp_tool',
  'use_skill',
  'web_fetch',
  'web_search',
  'write_to_file',
];
const OPENING = new RegExp(`<(${TOOLS.join('|')})>`, 'g');

/** Values that may hold anything, their own closing tag included: they end at the last one. */
const FREE_VALUES: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'command',
  'content',
  'diff',
  'result',
]);

/** What a reply says and the tools it calls. A call without an end was cut off and is no call. */
export function toolsInText(text: string): { readonly said: string; readonly tools: readonly ToolInText[] } {
  const tools: ToolInText[] = [];
  const said: string[] = [];
  let from = 0;
  OPENING.lastIndex = 0;
  for (let found = OPENING.exec(text); found; found = OPENING.exec(text)) {
    const tool = found[1] ?? '';
    const start = OPENING.lastIndex;
    const end = text.indexOf(`</${tool}>`, start);
    if (end < 0) {
      // Only the last one can be without an end: the rest of the text belongs to it.
      said.push(text.slice(from, found.index));
      from = text.length;
      break;
    }
    said.push(text.slice(from, found.index));
    tools.push({ tool, input: valuesIn(text.slice(start, end)) });
    from = end + tool.length + 3;
    OPENING.lastIndex = from;
  }
  said.push(text.slice(from));
  return { said: said.join('').trim(), tools };
}

const VALUE = /<([a-z_]{1,40})>/g;

function valuesIn(body: string): Record<string, string> {
  const values = new Map<string, string>();
  const value = new RegExp(VALUE);
  for (let found = value.exec(body); found; found = value.exec(body)) {
    const name = found[1] ?? '';
    const start = value.lastIndex;
    const closing = `</${name}>`;
    const end = FREE_VALUES.has(name) ? body.lastIndexOf(closing) : body.indexOf(closing, start);
    if (end < start) continue;
    if (!values.has(name)) values.set(name, body.slice(start, end).trim());
    value.lastIndex = end + closing.length;
  }
  return Object.fromEntries(values);
}
