import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { SessionFacets, SessionFilters } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { projectName, projects } from '../shell/project-store.ts';
import { cleanText } from '../text/format.ts';
import { clock } from '../text/time-view.tsx';
import { AGENT_SIGNS } from './agent-signs.ts';
import { DATE_PRESETS, findPreset } from './date-presets.ts';

/** What sessions and hits are filtered by; empty for no filter. */
export interface FilterState {
  readonly project: string;
  readonly agent: string;
  /** A colleague, or `~` for the user's own. */
  readonly author: string;
  readonly role: string;
  readonly outcome: string;
  /** `1`: only starred sessions. Left out where that cannot be chosen. */
  readonly starred?: string;
  /** Only sessions with this tag. */
  readonly tag?: string;
  /** Days, `2026-11-15`. */
  readonly since: string;
  readonly until: string;
}

interface FilterBarProps {
  readonly value: FilterState;
  /** Numbers of sessions for each choice; undefined while they are not known. */
  readonly facets: SessionFacets | undefined;
  /** What an empty project stands for. */
  readonly everywhere: 'This project' | 'All projects';
  /** On a narrow screen the filters are shown only when they are open. */
  readonly isOpen: boolean;
  readonly onChange: (change: Partial<FilterState>) => void;
  readonly onClear: () => void;
}

/** The author that stands for the user. */
const OWN = '~';

type Choice = readonly [value: string, label: string];
const ROLES: readonly Choice[] = [
  ['user', 'User'],
  ['assistant', 'Assistant'],
];
const OUTCOMES: readonly Choice[] = [
  ['failure', 'Failures'],
  ['success', 'Successes'],
  ['interrupted', 'Interrupted'],
  ['rejected', 'Rejected'],
  ['denied', 'Denied'],
];

/** The filters of a list or a search. Each choice says how many sessions it has; agents without any are not offered. */
export function FilterBar({ value, facets, everywhere, isOpen, onChange, onClear }: FilterBarProps): VNode {
  const { project, agent, author, role, outcome, starred, tag = '', since, until } = value;
  const isSet = Object.values(value).some((each) => each !== '');
  return (
    <div id="filters" class={`filters${isOpen ? ' is-open' : ''}`} role="group" aria-label="Filters">
      <Select
        label="Project"
        value={project}
        choices={projectChoices(facets, everywhere)}
        onChange={(next) => onChange({ project: next })}
      />
      <Select
        label="Agent"
        value={agent}
        choices={[['', 'Any agent'], ...agentChoices(facets, agent)]}
        onChange={(next) => onChange({ agent: next })}
      />
      {hasTeam(facets, author) ? (
        <Select
          label="Author"
          value={author}
          choices={[['', 'Anyone'], ...authorChoices(facets, author)]}
          onChange={(next) => onChange({ author: next })}
        />
      ) : null}
      <Select
        label="Role"
        value={role}
        choices={[['', 'Any role'], ...countedChoices(ROLES, facets?.roles)]}
        onChange={(next) => onChange({ role: next })}
      />
      <Select
        label="Outcome"
        value={outcome}
        choices={[['', 'Any outcome'], ...countedChoices(OUTCOMES, facets?.outcomes)]}
        onChange={(next) => onChange({ outcome: next })}
      />
      {starred === undefined ? null : (
        <button
          type="button"
          class="quiet"
          aria-pressed={starred === '1'}
          onClick={() => onChange({ starred: starred === '1' ? '' : '1' })}
        >
          {starred === '1' ? '★' : '☆'} Starred
        </button>
      )}
      {tag === '' ? null : (
        <button
          type="button"
          class="quiet"
          aria-label={`Remove the filter by the tag ${tag}`}
          onClick={() => onChange({ tag: '' })}
        >
          #{cleanText(tag)} ✕
        </button>
      )}
      <DateRange since={since} until={until} onChange={onChange} />
      {isSet ? (
        <button type="button" class="quiet" onClick={onClear}>
          Clear filters
        </button>
      ) : null}
    </div>
  );
}

/** Counts that were fetched this recently are shown again without fetching them, like the list beside them. */
const FRESH_MS = 10_000;
let latest: { readonly key: string; readonly at: number; readonly facets: SessionFacets } | undefined;

/** Counts of sessions for each choice of a filter; undefined until they are known, and without `isShown`. */
export function useFacets(filters: SessionFilters, isShown: boolean): SessionFacets | undefined {
  const [facets, setFacets] = useState(latest?.facets);
  const key = JSON.stringify(filters);
  const openings = server.openings.value;
  useEffect(() => {
    const isFresh = latest?.key === key && Date.now() - latest.at < FRESH_MS;
    if (isFresh) setFacets(latest?.facets);
    if (!isShown || isFresh) return;
    let isWanted = true;
    server.call('history.facets', filters).then(
      (found) => {
        latest = { key, at: Date.now(), facets: found };
        if (isWanted) setFacets(found);
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [key, isShown, openings]);
  return facets;
}

interface Counted {
  readonly value: string;
  readonly sessions: number;
}

function countedChoices(all: readonly Choice[], counts: readonly Counted[] | undefined): readonly Choice[] {
  return all.map(([value, label]) => {
    const sessions = counts?.find((count) => count.value === value)?.sessions ?? 0;
    return sessions === 0 ? [value, label] : withCount(value, label, sessions);
  });
}

function agentChoices(facets: SessionFacets | undefined, chosen: string): readonly Choice[] {
  if (facets === undefined) return Object.keys(AGENT_SIGNS).map((name) => [name, name]);
  return foundChoices(facets.agents, chosen, cleanText);
}

/** Whether there are colleagues to choose from, or one is chosen. */
function hasTeam(facets: SessionFacets | undefined, chosen: string): boolean {
  return chosen !== '' || facets?.authors.some(({ value }) => value !== OWN) === true;
}

function authorChoices(facets: SessionFacets | undefined, chosen: string): readonly Choice[] {
  return foundChoices(facets?.authors ?? [], chosen, (author) => (author === OWN ? 'You' : cleanText(author)));
}

/** The choices that have sessions, and the chosen one. */
function foundChoices(
  counts: readonly Counted[],
  chosen: string,
  toLabel: (value: string) => string,
): readonly Choice[] {
  const found = counts.map(({ value, sessions }) => withCount(value, toLabel(value), sessions));
  const isMissing = chosen !== '' && !counts.some(({ value }) => value === chosen);
  return isMissing ? [...found, withCount(chosen, toLabel(chosen), 0)] : found;
}

function projectChoices(
  facets: SessionFacets | undefined,
  everywhere: FilterBarProps['everywhere'],
): readonly Choice[] {
  const first: readonly Choice[] =
    everywhere === 'This project'
      ? [
          ['', 'This project'],
          ['all', 'All projects'],
        ]
      : [['', 'All projects']];
  const ids = (projects.value ?? []).map(({ id }) => id);
  const others = ids.map((id): Choice => [id, projectName(id)]);
  return [...first, ...countedChoices(others, facets?.projects)];
}

function withCount(value: string, label: string, sessions: number): Choice {
  return [value, `${label} (${sessions.toLocaleString()})`];
}

interface DateRangeProps {
  readonly since: string;
  readonly until: string;
  readonly onChange: (change: Partial<FilterState>) => void;
}

function DateRange({ since, until, onChange }: DateRangeProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const preset = findPreset(since, until, clock.value);
  const shown = isOpen || preset === undefined ? 'custom' : preset;
  const choose = (name: string) => {
    setOpen(name === 'custom');
    const range = DATE_PRESETS.find((each) => each.name === name)?.range(Date.now());
    if (range !== undefined) onChange(range);
  };
  return (
    <>
      <Select
        label="Date"
        value={shown}
        choices={[...DATE_PRESETS.map(({ name, label }): Choice => [name, label]), ['custom', 'Custom dates…']]}
        onChange={choose}
      />
      {shown === 'custom' ? (
        <>
          <DayInput label="Since" value={since} onChange={(next) => onChange({ since: next })} />
          <DayInput label="Until" value={until} onChange={(next) => onChange({ until: next })} />
        </>
      ) : null}
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Select({ label, value, choices, onChange }: FieldProps & { readonly choices: readonly Choice[] }): VNode {
  return (
    <select
      aria-label={label}
      class={value === '' || value === 'any' ? undefined : 'is-set'}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map(([choice, name]) => (
        <option key={choice} value={choice}>
          {name}
        </option>
      ))}
    </select>
  );
}

function DayInput({ label, value, onChange }: FieldProps): VNode {
  return (
    <label class="day">
      <span>{label}</span>
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  );
}
