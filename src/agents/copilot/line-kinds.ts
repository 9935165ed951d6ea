/** Lines from which nothing is made, by their whole type. */
const BY_TYPE: ReadonlyMap<string, string> = new Map([
  ['system.message', 'system prompt'],
  ['skill.invoked', 'injected text'],
  ['assistant.turn_start', 'turn'],
  ['assistant.turn_end', 'turn'],
  ['assistant.idle', 'turn'],
  ['assistant.intent', 'progress'],
  ['assistant.reasoning', 'thinking'],
  ['assistant.reasoning_delta', 'thinking'],
  ['assistant.message_start', 'progress'],
  ['assistant.message_delta', 'progress'],
  ['assistant.streaming_delta', 'progress'],
  ['assistant.tool_call_delta', 'progress'],
  ['assistant.server_tool_progress', 'progress'],
  ['assistant.fusion_phase_started', 'progress'],
  ['assistant.fusion_phase_completed', 'progress'],
  ['assistant.fusion_phase_failed', 'progress'],
  ['assistant.usage', 'usage of one request'],
  ['tool.execution_partial_result', 'progress'],
  ['tool.execution_progress', 'progress'],
  ['tool.search_activated', 'progress'],
  ['session.compaction_start', 'progress'],
  ['session.snapshot_rewind', 'rewind'],
  ['session.warning', 'notice'],
]);

/** And by what it begins with. */
const BY_GROUP: ReadonlyMap<string, string> = new Map([
  ['hook', 'hook'],
  ['permission', 'permission'],
  ['subagent', 'sub-agent'],
  ['session', 'bookkeeping of the session'],
  ['command', 'command of the program'],
  ['user_input', 'question to the user'],
  ['elicitation', 'question to the user'],
  ['exit_plan_mode', 'question to the user'],
  ['auto_mode_switch', 'question to the user'],
  ['session_limits_exhausted', 'question to the user'],
  ['pending_messages', 'progress'],
  ['model', 'progress'],
  ['external_tool', 'progress'],
  ['sampling', 'progress'],
  ['mcp', 'bookkeeping of the session'],
  ['mcp_app', 'bookkeeping of the session'],
  ['capabilities', 'bookkeeping of the session'],
  ['commands', 'bookkeeping of the session'],
  ['factory', 'bookkeeping of the session'],
  ['canvas', 'bookkeeping of the session'],
  ['binary', 'bookkeeping of the session'],
  ['custom_notification', 'notice'],
]);

/** Types that say something, though their group mostly says nothing. */
const OF_INTEREST: ReadonlySet<string> = new Set([
  'session.start',
  'session.resume',
  'session.context_changed',
  'session.model_change',
  'session.info',
  'session.error',
  'session.truncation',
  'session.compaction_complete',
  'session.shutdown',
  'subagent.started',
  'abort',
]);

/** Why nothing is made of a line of this type; undefined when something may be, or the type is unknown. */
export function reasonToSkip(type: string): string | undefined {
  if (OF_INTEREST.has(type)) return undefined;
  const [group = ''] = type.split('.', 1);
  return BY_TYPE.get(type) ?? BY_GROUP.get(group);
}
