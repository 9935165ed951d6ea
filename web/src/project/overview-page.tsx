import type { ComponentChild, VNode } from 'preact';
import type { OverviewResult, ProjectItem } from '../../../src/server/rpc/api.ts';
import { chat } from '../chat/chat-store.ts';
import { AgentIcon } from '../history/session-row.tsx';
import { sessionHref } from '../reader/links.ts';
import { historyHref, toHref } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { currentProjectId, projects, typedCommand } from '../shell/project-store.ts';
import { ProjectLabel } from '../shell/switcher.tsx';
import { cleanText, formatQuantity, shortNumber } from '../text/format.ts';
import { InlineCode, PatternText } from '../text/inline-code.tsx';
import { Ago, Time } from '../text/time-view.tsx';
import { Decisions } from './decision-list.tsx';
import { NoWarnings } from './failure-list.tsx';
import { FailureRate } from './failure-rate.tsx';
import { HeatMap } from './heat-map.tsx';
import { NothingRecorded, Placeholder, useLiveData } from './live-data.tsx';
import { useActions } from './memory-actions.tsx';

const MAX_LATEST = 5;

/** The project's tech stack, and how the work on it went. */
export function OverviewPage(): VNode {
  const project = currentProjectId.value;
  const { value, error, refresh } = useLiveData(project, () => server.call('project.overview', { project }));
  if (value !== undefined) return <Overview overview={value} refresh={refresh} />;
  return error === undefined && project !== '' ? <FirstLook project={project} /> : <Placeholder error={error} />;
}

/** What the index knows at once, while the sessions of a large project are analysed. */
function FirstLook({ project }: { readonly project: string }): VNode {
  const known = projects.value?.find(({ id }) => id === project);
  const filter = { project, limit: MAX_LATEST };
  const { value } = useLiveData(project, () => server.call('history.listSessions', filter));
  if (known === undefined || value === undefined || value.sessions.length === 0) return <Placeholder />;
  return (
    <section class="page" aria-label="Overview">
      <OverviewHead project={known} isActive />
      <div class="columns overview-first">
        <LatestSessions sessions={value.sessions} />
      </div>
      <Placeholder />
    </section>
  );
}

interface OverviewProps {
  readonly overview: OverviewResult;
  readonly refresh: () => Promise<void>;
}

function Overview({ overview, refresh }: OverviewProps): VNode {
  const { project, totals } = overview;
  return (
    <section class="page" aria-label="Overview">
      <OverviewHead project={project} isActive={totals.sessions > 0} />
      {overview.notRecorded.map(({ agent, reason, path }) => (
        <p key={agent} class="fact" role="status">
          Not everything of {agent} is recorded: {cleanText(reason)}, such as in{' '}
          <code dir="ltr">{cleanText(path)}</code>. See <code>{typedCommand('doctor')}</code>; a newer yore may
          understand it.
        </p>
      ))}
      {totals.messages + totals.failures + totals.successes > 0 ? (
        <OverviewBody overview={overview} refresh={refresh} />
      ) : (
        <NothingRecorded />
      )}
    </section>
  );
}

function OverviewHead(props: { readonly project: ProjectItem; readonly isActive: boolean }): VNode {
  const { path, lastActiveAt } = props.project;
  return (
    <header class="page-head">
      <h1>
        <ProjectLabel project={props.project} />
      </h1>
      <code dir="ltr">{cleanText(path)}</code>
      {props.isActive ? (
        <span class="fact">
          last active <Ago at={lastActiveAt} />
        </span>
      ) : null}
    </header>
  );
}

function OverviewBody({ overview, refresh }: OverviewProps): VNode {
  const { summary, totals, days, decisions } = overview;
  const { runAction, bar } = useActions(refresh);
  const history = historyHref({});
  const memory = toHref({ page: 'memory' });
  return (
    <>
      {summary === '' ? null : (
        <p class="lead">
          <InlineCode text={summary} />
        </p>
      )}
      <dl class="figures">
        <Figure one="session" value={totals.sessions} href={history} />
        <Figure one="message" value={totals.messages} href={history} />
        <Figure one="failure" value={totals.failures} href={historyHref({ outcome: 'failure' })} />
        <Figure one="success" many="successes" value={totals.successes} href={historyHref({ outcome: 'success' })} />
      </dl>
      <Decisions decisions={decisions.first} isReadOnly={chat.value?.isReadOnly === true} runAction={runAction} />
      {decisions.total <= decisions.first.length ? null : (
        <p class="fact all-decisions">
          <a href={memory}>All {decisions.total} decisions and corrections</a>
        </p>
      )}
      <div class="columns overview-first">
        <LatestSessions sessions={overview.latest} />
        <ActiveWarnings warnings={overview.warnings} />
      </div>
      {days.length === 0 ? null : (
        <>
          <HeatMap days={days} />
          <FailureRate days={days} totals={totals} failing={overview.failing} />
        </>
      )}
      <div class="columns">
        <div>
          <Stack overview={overview} />
          <section>
            <h2>
              <a href={memory}>What works here</a>
            </h2>
            <Patterns items={overview.practices} outcome="success" none="No practices learned yet." />
          </section>
        </div>
        <section>
          <h2>
            <a href={memory}>What to avoid</a>
          </h2>
          <Patterns items={overview.antiPatterns} outcome="failure" none="Nothing to avoid at present." />
        </section>
      </div>
      {bar}
    </>
  );
}

function LatestSessions({ sessions }: { readonly sessions: OverviewResult['latest'] }): VNode {
  return (
    <section>
      <header class="section-head">
        <h2>Latest sessions</h2>
        <a href={historyHref({})}>All sessions</a>
      </header>
      <ul class="latest">
        {sessions.map(({ project, sessionId, title, agent, failures, lastActivity }) => (
          <li key={sessionId}>
            <a data-row href={sessionHref(project, sessionId)} title={cleanText(title)}>
              <AgentIcon agent={agent} />
              <bdi>{cleanText(title) || '(no text)'}</bdi>
            </a>
            {failures === 0 ? null : (
              <span class="badge failure" title={formatQuantity(failures, 'failed call')}>
                ✗ {shortNumber(failures)}
              </span>
            )}
            <Time at={lastActivity} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ActiveWarnings({
  warnings: { total, first, whyNone },
}: {
  readonly warnings: OverviewResult['warnings'];
}): VNode {
  return (
    <section>
      <header class="section-head">
        <h2>Active warnings</h2>
        {total === 0 ? null : <a href={toHref({ page: 'memory' })}>{total === 1 ? 'Show it' : `All ${total}`}</a>}
      </header>
      {whyNone === undefined ? <Patterns items={first} outcome="failure" /> : <NoWarnings why={whyNone} />}
    </section>
  );
}

function Stack({ overview: { stack, commands } }: { readonly overview: OverviewResult }): VNode | null {
  const technologies: readonly (readonly [string, readonly string[]])[] = [
    ['Languages', stack.languages],
    ['Frameworks', stack.frameworks],
    ['Tools', stack.tools],
  ];
  const commandList: readonly (readonly [string, string | undefined])[] = [
    ['Test', commands.testCommand],
    ['Build', commands.buildCommand],
    ['Lint', commands.lintCommand],
    ['Format', commands.formatCommand],
    ['Type check', commands.typecheckCommand],
    ['Run', commands.runCommand],
    ['Package manager', commands.packageManager],
  ];
  if (technologies.every(([, values]) => values.length === 0) && commandList.every(([, value]) => value === undefined))
    return null;
  return (
    <section>
      <h2>Tech stack &amp; commands</h2>
      <dl class="facts-list">
        {technologies.map(([name, values]) =>
          values.length === 0 ? null : <Fact key={name} name={name} value={values.join(', ')} />,
        )}
        {commandList.map(([name, value]) =>
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

interface FigureProps {
  readonly one: string;
  /** Default: `one` and an `s`. */
  readonly many?: string;
  readonly value: number;
  readonly href: string;
}

function Figure({ one, many = `${one}s`, value, href }: FigureProps): VNode {
  return (
    <div>
      <dt>{value === 1 ? one : many}</dt>
      <dd>
        <a href={href}>{value.toLocaleString()}</a>
      </dd>
    </div>
  );
}

interface KnownPattern {
  readonly pattern: string;
  readonly reason: string;
  readonly fix?: string;
}

interface PatternsProps {
  readonly items: readonly KnownPattern[];
  readonly outcome: 'failure' | 'success';
  /** What is said where there are none. Default: nothing. */
  readonly none?: string;
}

function Patterns({ items, outcome, none = '' }: PatternsProps): VNode {
  if (items.length === 0) return <p class="fact">{none}</p>;
  return (
    <ul class="patterns">
      {items.map(({ pattern, reason, fix }) => (
        <li key={pattern}>
          <a href={historyHref({ query: pattern.slice(0, 200), outcome })} title="Find in history">
            <PatternText text={pattern} />
          </a>
          {reason === '' || reason === pattern ? null : <span class="fact">{cleanText(reason)}</span>}
          {fix === undefined ? null : (
            <span class="instead">
              → <code dir="ltr">{cleanText(fix)}</code>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
