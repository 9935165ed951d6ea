import type { ComponentChild, VNode } from 'preact';
import type { ProjectOverview } from '../../../src/server/rpc/api.ts';
import { EMPTY_BROWSER } from '../router/route.ts';
import { hrefOf } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { projectId } from '../shell/project-store.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { cleanText } from '../text/clean-text.ts';
import { TimeView } from '../text/time-view.tsx';
import { DayChart } from './day-chart.tsx';

/** What the project is and how it went. */
export function OverviewPage(): VNode {
  const project = projectId.value;
  const { value, error } = useAnswer(project, () => server.call('project.overview', { project }));
  if (error !== undefined) return <p class="empty problem">{error}</p>;
  if (value === undefined)
    return (
      <p class="empty" aria-busy="true">
        Loading…
      </p>
    );
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
          last active <TimeView at={project.lastActiveAt} />
        </span>
      </header>
      {summary === '' ? null : <p class="lead">{cleanText(summary)}</p>}
      <dl class="figures">
        <Figure name="sessions" value={totals.sessions} href={history} />
        <Figure name="messages" value={totals.messages} href={history} />
        <Figure name="failures" value={totals.failures} href={hrefOf({ page: 'timeline' })} />
        <Figure name="successes" value={totals.successes} href={hrefOf({ page: 'timeline' })} />
      </dl>
      {days.length === 0 ? (
        <p class="empty">Nothing has been recorded yet.</p>
      ) : (
        <Charts overview={overview} />
      )}
      <div class="columns">
        <Stack overview={overview} />
        <section>
          <h2>
            <a href={memory}>What fails here</a>
          </h2>
          <Patterns items={overview.antiPatterns} none="Nothing is known to fail." />
        </section>
        <section>
          <h2>
            <a href={memory}>What works here</a>
          </h2>
          <Patterns items={overview.practices} none="Nothing has been learned yet." />
        </section>
      </div>
    </section>
  );
}

function Charts({ overview: { days } }: { readonly overview: ProjectOverview }): VNode {
  return (
    <div class="charts">
      <DayChart
        title="Sessions per day"
        days={days}
        series={[{ name: 'sessions', tone: 'neutral', of: (day) => day.sessions }]}
      />
      <DayChart
        title="Failures and successes"
        days={days}
        series={[
          { name: 'successes', tone: 'success', of: (day) => day.successes },
          { name: 'failures', tone: 'failure', of: (day) => day.failures },
        ]}
      />
    </div>
  );
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

interface Pattern {
  readonly pattern: string;
  readonly reason: string;
  readonly alternative?: string;
}

function Patterns({ items, none }: { readonly items: readonly Pattern[]; readonly none: string }): VNode {
  if (items.length === 0) return <p class="fact">{none}</p>;
  return (
    <ul class="patterns">
      {items.map(({ pattern, reason, alternative }) => (
        <li key={pattern}>
          <code dir="ltr">{cleanText(pattern)}</code>
          <span class="fact">{cleanText(reason)}</span>
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
