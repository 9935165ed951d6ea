/** Parts of a rollout from which nothing is made, and why: types of lines, of events and of response items. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['world_state', 'bookkeeping'],
  ['security_risk_score', 'bookkeeping'],
  ['token_usage_record', 'bookkeeping'],
  ['inter_agent_communication', 'message of another agent'],
  ['inter_agent_communication_metadata', 'message of another agent'],
  ['agent_message_item', 'message of another agent'],
  ['reasoning', 'thinking'],
  ['agent_reasoning', 'thinking'],
  ['agent_reasoning_raw_content', 'thinking'],
  ['agent_reasoning_section_break', 'thinking'],
  ['ghost_snapshot', 'file snapshot'],
  ['compaction', 'copy of a compaction'],
  ['compaction_summary', 'copy of a compaction'],
  ['context_compaction', 'copy of a compaction'],
  ['compaction_trigger', 'copy of a compaction'],
  ['context_compacted', 'copy of a compaction'],
  ['other', 'bookkeeping'],
  ['task_started', 'bookkeeping'],
  ['turn_started', 'bookkeeping'],
  ['task_complete', 'bookkeeping'],
  ['turn_complete', 'bookkeeping'],
  ['turn_diff', 'bookkeeping'],
  ['thread_rolled_back', 'bookkeeping'],
  ['thread_name_updated', 'title'],
  ['thread_settings_applied', 'settings of the session'],
  ['thread_goal_updated', 'settings of the session'],
  ['session_configured', 'settings of the session'],
  ['model_reroute', 'settings of the session'],
  ['plan_update', 'plan'],
  ['plan_delta', 'plan'],
  ['entered_review_mode', 'review mode'],
  ['exited_review_mode', 'review mode'],
  ['undo_started', 'notice'],
  ['undo_completed', 'notice'],
  ['warning', 'notice'],
  ['guardian_warning', 'notice'],
  ['deprecation_notice', 'notice'],
  ['background_event', 'notice'],
  ['stream_error', 'error that was tried again'],
  ['hook_started', 'hook report'],
  ['hook_completed', 'hook report'],
  ['item_started', 'progress'],
  ['exec_command_begin', 'progress'],
  ['exec_command_output_delta', 'progress'],
  ['terminal_interaction', 'progress'],
  ['patch_apply_begin', 'progress'],
  ['patch_apply_updated', 'progress'],
  ['mcp_tool_call_begin', 'progress'],
  ['mcp_startup_update', 'progress'],
  ['mcp_startup_complete', 'progress'],
  ['web_search_begin', 'progress'],
  ['image_generation_begin', 'progress'],
  ['dynamic_tool_call_request', 'progress'],
  ['web_search_end', 'copy of a call'],
  ['image_generation_end', 'copy of a call'],
  ['view_image_tool_call', 'copy of a call'],
  ['dynamic_tool_call_response', 'copy of a call'],
  ['exec_approval_request', 'question to the user'],
  ['apply_patch_approval_request', 'question to the user'],
  ['request_permissions', 'question to the user'],
  ['request_user_input', 'question to the user'],
  ['elicitation_request', 'question to the user'],
  ['guardian_assessment', 'question to the user'],
  ['sub_agent_activity', 'activity of another agent'],
]);

/** Why nothing is made of parts of this type; undefined if something is, or nobody knows the type. */
export function partReason(type: string): string | undefined {
  return type.startsWith('collab_') ? 'activity of another agent' : REASONS.get(type);
}

/** The type of a line's payload, where only plain fields stand before it. */
const PAYLOAD_IN_HEAD =
  /^\{(?:"[a-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"(?:event_msg|response_item)","payload":\{(?:"[a-z_]+":(?:"[^"\\]*"|true|false|null|-?\d+),)*?"type":"(reasoning|agent_reasoning|turn_diff|exec_command_output_delta)"/;

/** As {@link partReason}, from the first bytes of a line: of what is large and often there. */
export function headReason(head: string): string | undefined {
  const type = PAYLOAD_IN_HEAD.exec(head)?.[1];
  return type === undefined ? undefined : REASONS.get(type);
}
