/** Longer texts are pasted and not worth suggesting. */
const MAX_PROMPT_LENGTH = 2_000;

/** `/compact`, `/git:commit fix`; not a path such as `/etc/hosts is wrong`. */
const SLASH_COMMAND = /^\/[a-z][\w:.-]*(?=\s|$)/i;

/** Tags around text that agents inject into user messages. */
const INJECTED_TAGS =
  'additional[-_]context|additional_data|attached_files|bash-(?:input|stdout|stderr)|' +
  'command-(?:name|message|args|contents)|environment_(?:context|details)|function_results|' +
  'hook_(?:context|prompt)|ide_(?:diagnostics|opened_file|selection)|instructions|' +
  'local-command-(?:caveat|stdout|stderr)|new-diagnostics|open_and_recently_viewed_files|' +
  'permissions instructions|post-tool-use-hook|session_context|subagent_notification|' +
  'system[-_](?:reminder|notification|prompt)|task-notification|teammate-message|' +
  'tool_(?:result|use_error|response)|turn_aborted|user-memory-input|user-prompt-submit-hook|' +
  'user_(?:action|info|instructions|shell_command)';
const INJECTED_BLOCK = new RegExp(`^[ \\t]*<(?:${INJECTED_TAGS})\\b[^>\\n]*>`, 'im');

const ELEMENT_FIRST = /^<[a-z][\w.:-]*(?:\s[^<>]*)?>/i;
const ELEMENT_LAST = /<\/[a-z][\w.:-]*>$/i;

/** Beginnings of user messages that agents write. */
const INJECTED_OPENINGS = [
  '[request interrupted',
  '[tool ',
  '[tool_',
  'caveat: the messages below',
  'this session is being continued from a previous conversation',
  'please continue the conversation from where we left',
  'continue from where you left off.',
  'your task is to create a detailed summary of',
  'another language model started to solve this problem',
  'this is the gemini cli. we are setting up the context',
  'review the code changes against the base branch',
  'review the code changes introduced by commit',
  'review the current code changes (staged, unstaged',
  'the following tool was executed by the user',
  'base directory for this skill:',
  'operation stopped by hook:',
  'stop hook feedback:',
  'unknown slash command:',
  'unknown skill:',
  'no response requested.',
  'api error:',
  '# agents.md instructions',
  '# claude.md',
  '# aider chat started',
];

/** Nothing but placeholders: `[Image #1]`, `[Pasted text #2 +30 lines]`. */
const ONLY_PLACEHOLDERS = /^(?:\[(?:image|pasted text)\b[^\]\n]*\]\s*)+$/i;

/** A tool result as JSON in a user message. */
const TOOL_RESULT =
  /^[[{][^\n]{0,200}"(?:tool_use_id|tool_call_id|functionResponse)"|^[[{]\s*"type"\s*:\s*"tool_result"|^\[\s*\{\s*"type"\s*:\s*"tool_result"/;

/**
 * Whether the user typed this prompt and may want to reuse it: not blank, not a slash command, not pasted, and not
 * injected by an agent (reminders, command output, tool results, interruptions, summaries).
 */
export function isTypedPrompt(text: string): boolean {
  const prompt = text.trim();
  if (prompt === '' || prompt.length > MAX_PROMPT_LENGTH) return false;
  if (prompt.startsWith('/') && SLASH_COMMAND.test(prompt)) return false;
  return !(prompt.startsWith('[') && ONLY_PLACEHOLDERS.test(prompt)) && !isInjected(prompt);
}

/** Whether an agent wrote a message in the user's name: reminders, command output, tool results, interruptions. */
export function isInjected(text: string): boolean {
  const prompt = text.trim();
  // Most prompts have none of this, and compiling an expression takes longer than looking for a character.
  if (/^[[{]/.test(prompt) && TOOL_RESULT.test(prompt)) return true;
  if (prompt.includes('<') && (INJECTED_BLOCK.test(prompt) || isMarkup(prompt))) return true;
  const opening = prompt.slice(0, 80).toLowerCase();
  return INJECTED_OPENINGS.some((known) => opening.startsWith(known));
}

/** A text that is markup from start to end was written by a program. */
function isMarkup(prompt: string): boolean {
  return ELEMENT_FIRST.test(prompt) && ELEMENT_LAST.test(prompt);
}
