/** What a text in the user's turn is: the user's own words, or not, and why. */
export type UserWords = { readonly text: string } | { readonly injected: string };

/** Elements that Codex puts into the user's turn. */
const INJECTED_ELEMENT =
  /^<(?:environment_context|user_instructions|instructions|permissions instructions|collaboration_mode|model_switch|personality_spec|skill|skills_instructions|apps_instructions|plugins_instructions|recommended_plugins|subagent_notification|subagent_context|hook_prompt|hook_context|goal_context|realtime_conversation|turn_aborted|user_action|additional_context|apps|plugins|legacy_[a-z_]+)\b[^>\n]*>/i;
/** Any element from the first character to the last. */
const ELEMENT_FIRST = /^<([A-Za-z][\w-]*)[^<>\n]*>/;

const OPENINGS: readonly (readonly [opening: string, reason: string])[] = [
  ['# AGENTS.md instructions', 'injected text'],
  ['# Files mentioned by the user', 'injected text'],
  ['Another language model started to solve this problem', 'copy of a compaction'],
  ['Warning: apply_patch was requested via', 'injected text'],
  ['Warning: The maximum number of unified exec processes', 'injected text'],
  ['Warning: Your account was flagged', 'injected text'],
];

const SHELL_COMMAND = /^<user_shell_command>\s*<command>\s*([\s\S]{0,20000}?)\s*<\/command>/;
const REQUEST_HEADING = '## My request for Codex:';

/**
 * Tells the user's own words from what Codex puts into the user's turn. `isCertain`: the text comes from where only users
 * speak, so that an element nobody knows is something they pasted.
 */
export function userWords(text: string, isCertain: boolean): UserWords {
  const trimmed = text.trim();
  if (trimmed === '') return { injected: 'empty text' };
  const command = SHELL_COMMAND.exec(trimmed)?.[1];
  if (command !== undefined) return { text: `!${command}` };
  for (const [opening, injected] of OPENINGS) {
    if (trimmed.startsWith(opening) && !trimmed.includes(REQUEST_HEADING)) return { injected };
  }
  if (trimmed.startsWith('<turn_aborted>')) return { injected: 'interruption' };
  if (INJECTED_ELEMENT.test(trimmed)) return { injected: 'injected text' };
  const name = ELEMENT_FIRST.exec(trimmed)?.[1];
  if (name !== undefined && !isCertain && endsWithElement(trimmed, name))
    return { injected: 'injected text' };
  const heading = trimmed.lastIndexOf(REQUEST_HEADING);
  if (heading < 0) return { text };
  // Editors put what is open in them before the user's words.
  const words = trimmed.slice(heading + REQUEST_HEADING.length).trim();
  return words === '' ? { injected: 'injected text' } : { text: words };
}

function endsWithElement(text: string, name: string): boolean {
  const last = text.lastIndexOf('</');
  return last > 0 && text.endsWith('>') && text.startsWith(name, last + 2);
}
