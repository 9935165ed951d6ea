import type { VNode } from 'preact';
import { route } from '../router/router.ts';
import { projectName, projects } from '../shell/project-store.ts';
import { AGENT_SIGNS } from './agent-signs.ts';
import { changeBrowser, clearFilters, isSearch } from './browser-store.ts';
import { isFiltered } from './filters.ts';

type Choice = readonly [value: string, label: string];
const AGENTS: readonly Choice[] = [
  ['', 'Any agent'],
  ...Object.keys(AGENT_SIGNS).map((name): Choice => [name, name]),
];
const ROLES: readonly Choice[] = [
  ['', 'Any role'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
];
const OUTCOMES: readonly Choice[] = [
  ['', 'Any outcome'],
  ['failure', 'Failures'],
  ['success', 'Successes'],
  ['interrupted', 'Interrupted'],
  ['rejected', 'Rejected'],
  ['denied', 'Denied'],
];

/**
 * Narrows the list or the results down. Where there is little room it is shown only when `isOpen`. A hit is a message with
 * a role or an attempt with an outcome: in a search one filter takes the place of the other.
 */
export function FilterBar({ isOpen }: { readonly isOpen: boolean }): VNode {
  const { browser } = route.value;
  const { project, agent, role, outcome, since, until } = browser;
  const others = (projects.value ?? []).map(({ id }): Choice => [id, projectName(id)]);
  return (
    <div id="filters" class={`filters${isOpen ? ' is-open' : ''}`} role="group" aria-label="Filters">
      <Select
        label="Project"
        value={project}
        choices={[['', 'This project'], ['all', 'All projects'], ...others]}
        onChange={(value) => changeBrowser({ project: value, row: 0 })}
      />
      <Select
        label="Agent"
        value={agent}
        choices={AGENTS}
        onChange={(value) => changeBrowser({ agent: value, row: 0 })}
      />
      <Select
        label="Role"
        value={role}
        choices={ROLES}
        onChange={(value) =>
          changeBrowser({ role: value, row: 0, ...(isSearch.value ? { outcome: '' } : {}) })
        }
      />
      <Select
        label="Outcome"
        value={outcome}
        choices={OUTCOMES}
        onChange={(value) =>
          changeBrowser({ outcome: value, row: 0, ...(isSearch.value ? { role: '' } : {}) })
        }
      />
      <DayInput label="Since" value={since} onChange={(value) => changeBrowser({ since: value, row: 0 })} />
      <DayInput label="Until" value={until} onChange={(value) => changeBrowser({ until: value, row: 0 })} />
      {isFiltered(browser) || project !== '' ? (
        <button type="button" class="quiet" onClick={clearFilters}>
          Clear filters
        </button>
      ) : null}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Select({
  label,
  value,
  choices,
  onChange,
}: FieldProps & { readonly choices: readonly Choice[] }): VNode {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
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
