import type { Home, Project } from '../../../project/index.ts';
import { TeamServer } from '../../../team/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun, OptionValues } from '../../command.ts';
import { countOption, flagOption, textOption } from '../../options.ts';
import { avoidLines, practiceLines } from '../../output/memory-lines.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { searchLines } from '../../output/search-list.ts';
import { type ListOptions, sessionLines } from '../../output/session-list.ts';
import { headLines, isMessage } from '../../output/session-text.ts';
import { readQuery, readSearchFilters } from '../history/search.ts';
import { printEntries } from '../history/show.ts';
import { failureLines } from '../memory/failures.ts';

const DEFAULT_SESSIONS = 20;

/** `yore team search`. */
export const runTeamSearch: CommandRun = async (context, args, options) => {
  const { output } = context;
  const text = readQuery(args);
  const home = await context.openHome();
  const query = { text, ...readSearchFilters(options, context.now()) };
  await TeamServer.use(home, async (server) => {
    const { hits, sessions } = await server.search(query, findProject(home, context, options));
    if (flagOption(options, 'json')) {
      output.json({ query: text, hits: hits.map((hit) => ({ ...hit, projectName: server.projectName(hit.project) })) });
    } else if (hits.length === 0) {
      output.lines(`No results for "${text}" on the team's server.`);
    } else {
      const found = `${formatCount(hits.length, 'match', 'matches')} in ${formatCount(sessions.length, 'session')}`;
      output.lines(
        ...searchLines(sessions, listOptions(server, context)),
        '',
        output.style.dim(output.join(found, 'read one: yore team show ID')),
      );
    }
  });
};

/** `yore team sessions`. */
export const runTeamSessions: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const limit = countOption(options, 'limit') ?? DEFAULT_SESSIONS;
  await TeamServer.use(home, async (server) => {
    const sessions = await server.listSessions(limit, findProject(home, context, options));
    if (flagOption(options, 'json')) {
      const named = sessions.map((session) => ({ ...session, projectName: server.projectName(session.project) }));
      output.json({ sessions: named });
    } else if (sessions.length === 0) output.lines("There are no sessions on the team's server.");
    else output.lines(...sessionLines(sessions, listOptions(server, context)));
  });
};

/** `yore team show`. */
export const runTeamShow: CommandRun = async (context, args, options) => {
  const { output } = context;
  const home = await context.openHome();
  await TeamServer.use(home, async (server) => {
    const { summary, records } = await server.readSession(args[0] ?? '');
    const projectName = server.projectName(summary.project);
    if (flagOption(options, 'json')) {
      const entries = records.map((record) => ({ type: isMessage(record) ? 'message' : 'attempt', ...record }));
      output.json({ session: { ...summary, projectName }, entries });
    } else {
      output.lines(...headLines({ ...summary, project: projectName }, output));
      printEntries({ records, calls: new Map() }, output);
    }
  });
};

/** `yore team failures`. */
export const runTeamFailures: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const project = requireProject(home, context, options);
  await TeamServer.use(home, async (server) => {
    const failures = await server.failures(project, context.now());
    if (flagOption(options, 'json')) output.json({ project: project.info.projectHash, failures });
    else if (failures.length === 0) output.lines(`The team knows no failures of ${nameOf(project)}.`);
    else output.lines(...failureLines(failures, { output, now: context.now() }));
  });
};

/** `yore team knowledge`. */
export const runTeamKnowledge: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const project = requireProject(home, context, options);
  await TeamServer.use(home, async (server) => {
    const { antiPatterns, bestPractices } = await server.knowledge(project);
    if (flagOption(options, 'json')) {
      output.json({ project: project.info.projectHash, antiPatterns, bestPractices });
      return;
    }
    const sections = [
      { title: 'Avoid', lines: avoidLines(antiPatterns, output, context.now()) },
      { title: 'Best practices', lines: practiceLines(bestPractices, output) },
    ].filter(({ lines }) => lines.length > 0);
    if (sections.length === 0) output.lines(`The team has learned nothing about ${nameOf(project)} yet.`);
    for (const [index, { title, lines }] of sections.entries()) {
      output.lines(...(index === 0 ? [] : ['']), output.style.bold(title), ...lines);
    }
  });
};

/** The project of `--project`; undefined for all. */
function findProject(home: Home, { cwd }: CommandContext, options: OptionValues): Project | undefined {
  const name = textOption(options, 'project');
  return name === undefined ? undefined : resolveProject(home, name, cwd);
}

/** The project of `--project`, else of the current folder, which need not have any records of its own. */
function requireProject(home: Home, context: CommandContext, options: OptionValues): Project {
  return findProject(home, context, options) ?? home.openProject(context.cwd);
}

function nameOf({ info }: Project): string {
  return sanitiseLine(info.displayName);
}

/** Ids of sessions are shown in full: the home does not know them. */
function listOptions(server: TeamServer, { output, now }: CommandContext): ListOptions {
  return {
    output,
    now: now(),
    projectName: (id) => sanitiseLine(server.projectName(id)),
    shortId: (id) => id,
  };
}
