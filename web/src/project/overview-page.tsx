import type { ComponentChild, VNode } from 'preact';
import type { ProjectOverview } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { cleanText } from '../text/clean-text.ts';
import { Ago } from './ago.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { Pattern, Prose } from './prose.tsx';
import { Unavailable } from './unavailable.tsx';
import { useLiveAnswer } from './use-live-answer.ts';

/** What the project is and how it went. */
export function OverviewPage(): VNode {
  const project = projectId.value;
  const { value, error } = useLiveAnswer(project, () => server.call('project.overview', { project }));
  if (value === undefined) return <Unavailable error={error} />;
  return <Overview overview={value} />;
}

function Overview({ overview }: { readonly overview: ProjectOverview }): VNode {
  const { project, summary, totals, days } = overview;
  const history = hrefOf({ page: 'history', browser: EMPTY_BROWSER });
  const memory = hrefOf({ page: 'memory' });
  return (
    <section class="page" aria-label="Overview">
      <header class="page-head">
        <h1>{cleanText(project.name)}</h1>
        <code dir="ltr">{cleanText(project.path)}</code>
        <span class="fact">
          last active <Ago at={project.lastActiveAt} />
        </span>
      </header>
      {summary === '' ? null : (
        <p class="lead">
          <Prose text={summary} />
        </p>
      )}
      <dl class="figures">
        <Figure name="sessions" value={totals.sessions} href={history} />
        <Figure name="messages" value={totals.messages} href={history} />
        <Figure name="failures" value={totals.failures} href={outcomeHref('failure')} />
        <Figure name="successes" value={totals.successes} href={outcomeHref('success')} />
      </dl>
      {days.length === 0 ? (
        <p class="empty">
          Nothing has been recorded yet. Figures appear here while agents work, and after{' '}
          <code>yore import</code>.
        </p>
      ) : (
        <OverviewCharts days={days} />
      )}
      <div class="columns">
        <div>
          <Stack overview={overview} />
          <section>
            <h2>
              <a href={memory}>What works here</a>
            </h2>
            <Patterns items={overview.practices} outcome="success" none="Nothing has been learned yet." />
          </section>
        </div>
        <section>
          <h2>
            <a href={memory}>What fails here</a>
          </h2>
          <Patterns items={overview.antiPatterns} outcome="failure" none="Nothing is known to fail." />
        </section>
      </div>
    </section>
  );
}

/** Where it was tried. What the user noted is no attempt: it has no outcome. */
function searchHref(pattern: string, outcome: string): string {
  const browser = { ...EMPTY_BROWSER, query: pattern.slice(0, 200), outcome };
  return hrefOf({ page: 'history', browser });
}

function outcomeHref(outcome: string): string {
  return hrefOf({ page: 'history', browser: { ...EMPTY_BROWSER, outcome } });
}

function Stack({ overview: { stack, commands } }: { readonly overview: ProjectOverview }): VNode {
  const made: readonly (readonly [string, readonly string[]])[] = [
    ['Languages', stack.languages],
    ['Frameworks', stack.frameworks],
    ['Tools', stack.tools],
  ];
  const run: readonly (readonly [string, string | undefined])[] = [
    ['Test', commands.testCommand],
    ['Build', commands.buildCommand],
    ['Lint', commands.lintCommand],
    ['Format', commands.formatCommand],
    ['Packages', commands.packageManager],
  ];
  return (
    <section>
      <h2>How it is made</h2>
      <dl class="facts-list">
        {made.map(([name, values]) =>
          values.length === 0 ? null : <Fact key={name} name={name} value={values.join(', ')} />,
        )}
        {run.map(([name, value]) =>
          value === undefined ? null : (
            <Fact key={name} name={name} value={<code dir="ltr">{cleanText(value)}</code>} />
          ),
        )}
      </dl>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ComponentChild }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Figure({
  name,
  value,
  href,
}: {
  readonly name: string;
  readonly value: number;
  readonly href: string;
}): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <a href={href}>{value.toLocaleString()}</a>
      </dd>
    </div>
  );
}

interface KnownPattern {
  readonly pattern: string;
  readonly reason: string;
  readonly alternative?: string;
}

interface PatternsProps {
  readonly items: readonly KnownPattern[];
  readonly outcome: 'failure' | 'success';
  readonly none: string;
}

function Patterns({ items, outcome, none }: PatternsProps): VNode {
  if (items.length === 0) return <p class="fact">{none}</p>;
  return (
    <ul class="patterns">
      {items.map(({ pattern, reason, alternative }) => (
        <li key={pattern}>
          <a href={searchHref(pattern, outcome)} title="Find it in the history">
            <Pattern text={pattern} />
          </a>
          {reason === '' || reason === pattern ? null : <span class="fact">{cleanText(reason)}</span>}
          {alternative === undefined ? null : (
            <span class="instead">
              → <code dir="ltr">{cleanText(alternative)}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
