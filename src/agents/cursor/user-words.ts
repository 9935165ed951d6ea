import { withoutElements } from '../transcript/elements.ts';

/** What a person said in a user's turn, out of all that is in it. */
export interface UserWords {
  /** Empty when there is nothing of theirs. */
  readonly text: string;
  /** When, if the turn tells. */
  readonly time?: string;
  readonly hasInjected: boolean;
}

const QUERY = 'user_query';
const TIMESTAMP = 'timestamp';

/** Elements that Cursor puts into a user's turn, with the one that holds what the user said. */
const ELEMENTS: ReadonlySet<string> = new Set([
  QUERY,
  TIMESTAMP,
  'additional_data',
  'agent_skills',
  'agent_transcripts',
  'always_applied_workspace_rule',
  'always_applied_workspace_rules',
  'attached_files',
  'available_instructions',
  'cursor_commands',
  'external_links',
  'git_status',
  'image_files',
  'mcp_file_system',
  'open_and_recently_viewed_files',
  'project_layout',
  'rules',
  'system-reminder',
  'system_reminder',
  'system_notification',
  'task_notification',
  'user_info',
  'user_rules',
]);

/** The person's words are in `<user_query>`; without it, they are what no known element holds. */
export function userWords(turn: string): UserWords {
  const { elements, rest } = withoutElements(turn, ELEMENTS);
  const inside = (wanted: string) =>
    elements.flatMap(({ name, content }) => (name === wanted ? content.trim() : []));
  const queries = inside(QUERY);
  const time = inside(TIMESTAMP).flatMap((text) => timeOf(text) ?? [])[0];
  const text = queries.length > 0 ? queries.filter((query) => query !== '').join('\n\n') : rest.trim();
  const isInjected = elements.some(({ name }) => name !== QUERY && name !== TIMESTAMP);
  return {
    text,
    ...(time === undefined ? {} : { time }),
    hasInjected: isInjected || (queries.length > 0 && rest.trim() !== ''),
  };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TIME =
  /([A-Za-z]{3})[a-z]* (\d{1,2}), (\d{4}),? (?:at )?(\d{1,2}):(\d{2})(?::\d{2})?\s?(AM|PM)? ?\((?:UTC|GMT)(?:([+-])(\d{1,2})(?::?(\d{2}))?)?\)/i;

/** `Friday, Oct 2, 2026, 4:05 PM (UTC+2)` as ISO 8601; undefined when it is of another form. */
function timeOf(text: string): string | undefined {
  const found = TIME.exec(text.slice(0, 200));
  if (!found) return undefined;
  const [, monthName = '', day, year, hours, minutes, half, sign, offsetHours, offsetMinutes] = found;
  const month = MONTHS.indexOf(monthName.toLowerCase());
  if (month < 0) return undefined;
  const hour = half ? (Number(hours) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hours);
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === '-' ? -1 : 1);
  const time = Date.UTC(Number(year), month, Number(day), hour, Number(minutes)) - offset * 60_000;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
