import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { loadSession } from '../chat/chat-store.ts';
import { route } from '../router/router.ts';
import { projectName, projects } from '../shell/project-store.ts';
import { AGENT_SIGNS } from './agent-signs.ts';
import { clearFilters, closeBrowser, isSearching, selectSession, setQuery, updateBrowser } from './browser-store.ts';
import { ListPanel } from './list-panel.tsx';
import { SessionPanel } from './session-panel.tsx';
import { isFiltered } from './session-queries.ts';

/** The history browser, as a page or as an overlay. */
export function HistoryBrowser({ isOverlay = false }: { readonly isOverlay?: boolean }): VNode {
  const { query, session, sessionProject } = route.value.browser;
  const [areFiltersOpen, setFiltersOpen] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (!isOverlay) return;
    const before = document.activeElement;
    search.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOverlay]);
  return (
    <section
      class={`browser${isOverlay ? ' is-overlay' : ''}${session === '' ? '' : ' has-session'}`}
      role={isOverlay ? 'dialog' : 'region'}
      aria-label="History"
    >
      <header class="browser-head">
        <h1>History</h1>
        <input
          ref={search}
          type="search"
          class="search"
          data-search
          placeholder="Search messages and commands  ( / )"
          aria-label="Search the history"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button
          type="button"
          class="filters-toggle"
          aria-expanded={areFiltersOpen}
          aria-controls="filters"
          onClick={() => setFiltersOpen(!areFiltersOpen)}
        >
          Filters{isFiltered(route.value.browser) ? ' •' : ''}
        </button>
        <button
          type="button"
          class="primary load-session"
          disabled={session === ''}
          onClick={() => void loadSession(session, sessionProject)}
        >
          Load session
        </button>
        <button type="button" class="quiet" aria-label="Close history" onClick={closeBrowser}>
          ✕
        </button>
      </header>
      <FilterBar isOpen={areFiltersOpen} />
      <div class="browser-panels">
        <div class="list-panel">
          <ListPanel />
        </div>
        <div class="session-panel">
          <button type="button" class="quiet back" onClick={() => selectSession('', '')}>
            ← Sessions
          </button>
          <SessionPanel />
        </div>
      </div>
    </section>
  );
}

type Choice = readonly [value: string, label: string];
const AGENTS: readonly Choice[] = [['', 'Any agent'], ...Object.keys(AGENT_SIGNS).map((name): Choice => [name, name])];
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
 * The filters of the list and of the search. On a narrow screen they are shown only when `isOpen`. A hit has either a role
 * or an outcome, so in a search setting one of these filters clears the other.
 */
function FilterBar({ isOpen }: { readonly isOpen: boolean }): VNode {
  const { browser } = route.value;
  const { project, agent, role, outcome, starred, tag, since, until } = browser;
  const others = (projects.value ?? []).map(({ id }): Choice => [id, projectName(id)]);
  return (
    <div id="filters" class={`filters${isOpen ? ' is-open' : ''}`} role="group" aria-label="Filters">
      <Select
        label="Project"
        value={project}
        choices={[['', 'This project'], ['all', 'All projects'], ...others]}
        onChange={(value) => updateBrowser({ project: value, row: 0 })}
      />
      <Select
        label="Agent"
        value={agent}
        choices={AGENTS}
        onChange={(value) => updateBrowser({ agent: value, row: 0 })}
      />
      <Select
        label="Role"
        value={role}
        choices={ROLES}
        onChange={(value) => updateBrowser({ role: value, row: 0, ...(isSearching.value ? { outcome: '' } : {}) })}
      />
      <Select
        label="Outcome"
        value={outcome}
        choices={OUTCOMES}
        onChange={(value) => updateBrowser({ outcome: value, row: 0, ...(isSearching.value ? { role: '' } : {}) })}
      />
      <button
        type="button"
        class="quiet filter-star"
        aria-pressed={starred === '1'}
        onClick={() => updateBrowser({ starred: starred === '1' ? '' : '1', row: 0 })}
      >
        ★ Starred
      </button>
      {tag === '' ? null : (
        <button
          type="button"
          class="tag"
          aria-label={`Do not filter by the tag ${tag}`}
          onClick={() => updateBrowser({ tag: '', row: 0 })}
        >
          #{tag} ✕
        </button>
      )}
      <DayInput label="Since" value={since} onChange={(value) => updateBrowser({ since: value, row: 0 })} />
      <DayInput label="Until" value={until} onChange={(value) => updateBrowser({ until: value, row: 0 })} />
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

function Select({ label, value, choices, onChange }: FieldProps & { readonly choices: readonly Choice[] }): VNode {
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
