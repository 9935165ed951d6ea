import type { Action } from './action.ts';

/** A tool call as an agent makes it. */
export interface ToolCall {
  readonly sessionId: string;
  /** The session that started this one as a sub-agent. */
  readonly parentSessionId?: string;
  /** The agent's id of the call. */
  readonly callId?: string;
  readonly agent?: string;
  /** The agent's name of the tool, e.g. `Bash`, `exec_command`, `Read`, `mcp__tracker__create`. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The folder it runs in, absolute. */
  readonly cwd?: string;
  /** The folder of the checkout, absolute. Recorded paths are relative to it. */
  readonly root?: string;
  readonly branch?: string;
}

/** How a tool call ended, as the agent reports it. */
export interface CallResult {
  /** `unknown`: the agent does not report whether it succeeded. */
  readonly status: 'ok' | 'error' | 'invalid' | 'rejected' | 'denied' | 'interrupted' | 'cancelled' | 'unknown';
  readonly output?: string;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** What a tool does, whatever its agent calls it. */
export type ToolFamily =
  | 'shell'
  | 'read'
  | 'edit'
  | 'write'
  | 'patch'
  | 'search'
  | 'list'
  | 'poll'
  | 'ask'
  | 'plan'
  | 'other';

interface Family {
  /** Names that agents give to such tools, in lower case without separators. */
  readonly names: string;
  /** What a call does, if it is always the same. */
  readonly action?: Action;
  /** How a call that is about a file is described: `read src/a.ts`. Default: the tool's own name. */
  readonly verb?: string;
}

/** The tools of all agents: the only place that knows them by name. An agent with another name for one adds it here. */
const FAMILIES: Readonly<Record<ToolFamily, Family>> = {
  shell: {
    names:
      'bash shell execcommand unifiedexec containerexec shellcommand localshell localshellcall runshellcommand runinterminal runterminalcmd runterminalcommand runcommand runcommands executecommand terminal powershell sh',
  },
  read: {
    names: 'read view readfile viewfile notebookread readfiles readmanyfiles openfile viewimage',
    action: 'read',
    verb: 'read',
  },
  edit: {
    names:
      'edit multiedit editfile editor strreplace strreplaceeditor strreplacebasededittool replace searchreplace replaceinfile notebookedit insertedit',
    action: 'edit',
    verb: 'edit',
  },
  write: { names: 'write create writefile createfile writetofile newfile', action: 'create', verb: 'write' },
  patch: { names: 'applypatch patch applydiff', action: 'edit', verb: 'edit' },
  search: {
    names: 'grep search rg ripgrep searchfilecontent searchfiles grepsearch codebasesearch searchcodebase',
    action: 'search',
    verb: 'search',
  },
  list: { names: 'glob ls list listdirectory listfiles listdir filesearch find', action: 'search', verb: 'list' },
  poll: { names: 'writestdin waitagent bashoutput readbash stopbash taskoutput killshell wait' },
  ask: { names: 'askuserquestion askuser askfollowupquestion requestuserinput askquestion question' },
  plan: { names: 'exitplanmode' },
  other: { names: '' },
};

const BY_NAME: ReadonlyMap<string, ToolFamily> = new Map(
  Object.entries(FAMILIES).flatMap(([family, { names }]) =>
    names.split(' ').map((name) => [name, family as ToolFamily]),
  ),
);

/** What a call of a family does; undefined where that depends on the call. */
export function familyAction(family: ToolFamily): Action | undefined {
  return FAMILIES[family].action;
}

/** How a call of a tool that is about a file is described. */
export function toolVerb(tool: string): string {
  return FAMILIES[toolFamily(tool)].verb ?? tool;
}

/** The family of a tool by its name; `other` for an unknown tool, e.g. of an MCP server. */
export function toolFamily(tool: string): ToolFamily {
  return BY_NAME.get(tool.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? 'other';
}

const OWN_TOOL = /(?:^|[^a-z0-9])yore[^a-z0-9]+(?:search|recap|check|failures|blame|session|remember)$/i;

/**
 * Whether a tool is yore's own, however the agent names tools of MCP servers: `mcp__yore__search`, `yore.recap`,
 * `mcp_yore_check`. Such calls are not recorded, because they return what is recorded already.
 */
export function isOwnTool(tool: string): boolean {
  // Most tools are not yore's; this avoids compiling the pattern for them.
  return tool.toLowerCase().includes('yore') && OWN_TOOL.test(tool);
}

/** A call with the checkout it belongs to and a valid timestamp, without which its record would be lost. */
export function completeCall(
  call: ToolCall,
  { root, now }: { readonly root?: string; readonly now?: () => number },
): ToolCall {
  const callRoot = call.root ?? root;
  return {
    ...call,
    ...(callRoot === undefined ? {} : { root: callRoot }),
    timestamp: validTimestamp(call.timestamp, now),
  };
}

/** The timestamp, or the present if it cannot be parsed. */
export function validTimestamp(timestamp: string, now: () => number = Date.now): string {
  return Number.isNaN(Date.parse(timestamp)) ? new Date(now()).toISOString() : timestamp;
}
