import { YoreError } from '../../../record/index.ts';
import {
  createTeam,
  expelMember,
  inviteMember,
  joinTeam,
  leaveTeam,
  readMembership,
  readTeamStatus,
  shareProject,
  URL_VARIABLE,
  upgradeServer,
} from '../../../team/index.ts';
import { formatCount } from '../../../text/format-count.ts';
import { resolveProject } from '../../choose-project.ts';
import type { CommandContext, CommandRun } from '../../command.ts';
import { confirm } from '../../interaction.ts';
import { choiceOption, flagOption, textOption } from '../../options.ts';
import { relativeTime } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

const ADMIN_URL_VARIABLE = 'YORE_TEAM_ADMIN_URL';
/** Members that a terminal lists. */
const MAX_MEMBERS = 20;
const SHARE_LEVELS = ['nothing', 'attempts', 'messages'] as const;
const SHARE_TEXTS = {
  nothing: 'Nothing of',
  attempts: 'Attempts – calls and how they ended – of',
  messages: 'Messages and attempts of',
} as const;

/** `yore team init`. */
export const runTeamInit: CommandRun = async (context, args, options) => {
  const { output } = context;
  const url = await readUrl(args[0], ADMIN_URL_VARIABLE, context);
  const home = await context.openHome();
  const known = readMembership(home.path);
  if (known !== undefined) {
    await upgradeServer(url);
    if (flagOption(options, 'json')) output.json({ team: known.teamName, upgraded: true });
    else output.lines(`The tables are up to date. You are a member of ${sanitiseLine(known.teamName)}.`);
    return;
  }
  const invitation = await createTeam(url, textOption(options, 'team') ?? 'team');
  const { teamName, author } = await joinTeam(home, invitation.url);
  if (flagOption(options, 'json')) output.json({ team: teamName, author });
  else
    output.lines(
      `Created the team ${sanitiseLine(teamName)}. You are ${author}.`,
      output.style.dim('Invite others: yore team invite URL'),
      output.style.dim('Share this project: yore team share attempts'),
    );
};

/** `yore team invite`. */
export const runInvite: CommandRun = async (context, args, options) => {
  const url = await readUrl(args[0], ADMIN_URL_VARIABLE, context);
  const invitation = await inviteMember(url, textOption(options, 'team'));
  if (flagOption(options, 'json')) context.output.json(invitation);
  else {
    context.output.lines(`yore team join ${invitation.url}`);
    context.output.notice(`Send this to one person, over a channel that you trust: it contains a password.`);
  }
};

/** `yore team join`. */
export const runJoin: CommandRun = async (context, args, options) => {
  const { output } = context;
  const url = await readUrl(args[0], URL_VARIABLE, context);
  const name = textOption(options, 'name');
  const isStored = args[0] !== undefined;
  const found = await joinTeam(await context.openHome(), url, { isStored, ...(name === undefined ? {} : { name }) });
  const { teamName, author, members } = found;
  if (flagOption(options, 'json')) output.json({ team: teamName, author, name: name ?? null, members });
  else
    output.lines(
      `You are a member of ${sanitiseLine(teamName)}, as ${sanitiseLine(name || author)}.`,
      output.style.dim('Nothing is shared yet. To share this project: yore team share attempts, then yore sync'),
    );
};

/** `yore team share`. */
export const runShare: CommandRun = async (context, args, options) => {
  const { output, cwd } = context;
  const home = await context.openHome();
  const level = choiceOption({ what: args[0] }, 'what', SHARE_LEVELS) ?? 'nothing';
  const wanted = textOption(options, 'project');
  const project = wanted === undefined ? home.openProject(cwd) : resolveProject(home, wanted, cwd);
  shareProject(home, project, level, textOption(options, 'as'));
  const name = sanitiseLine(project.info.displayName);
  if (flagOption(options, 'json')) output.json({ project: project.info.projectHash, share: level });
  else
    output.lines(
      `${SHARE_TEXTS[level]} ${name} ${level === 'nothing' ? 'is' : 'are'} shared from the next sync on.`,
      output.style.dim('To exchange records now: yore sync'),
    );
};

/** `yore team status`, and `yore team` alone. */
export const runTeamStatus: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const { style } = output;
  const status = await readTeamStatus(await context.openHome());
  if (flagOption(options, 'json')) {
    output.json(status);
    return;
  }
  const { membership, server, members, problem, name } = status;
  if (membership === undefined) {
    output.lines(
      'This home belongs to no team.',
      style.dim('Join one: yore team join URL, or create one: yore team init URL'),
    );
    return;
  }
  output.lines(
    `${style.bold(sanitiseLine(membership.teamName))}, as ${sanitiseLine(name ?? membership.author)}`,
    ...(members === undefined
      ? output.wrap(`${sanitiseLine(server ?? 'No server')}: ${sanitiseLine(problem ?? '')}`)
      : [`${sanitiseLine(server ?? '')}, ${formatCount(members.length, 'member')}`]),
  );
  if (members !== undefined) {
    const shown = members.slice(0, MAX_MEMBERS);
    const isYou = ({ author }: { readonly author: string }): boolean => author === membership.author;
    output.lines(
      '',
      ...output.table([
        { cells: shown.map((member) => sanitiseLine(member.name ?? member.author)) },
        { cells: shown.map((member) => (isYou(member) ? style.cyan('you') : '')) },
        { cells: shown.map(({ joinedAt }) => style.dim(`joined ${relativeTime(joinedAt, context.now())}`)) },
      ]),
      ...(shown.length < members.length ? [style.dim(`and ${members.length - shown.length} more (--json)`)] : []),
    );
  }
  const known = status.projects.filter(({ isRecognised }) => isRecognised);
  if (known.length === 0) return;
  const syncTime = (at: string | undefined): string =>
    at === undefined ? 'never synced' : `synced ${relativeTime(at, context.now())}`;
  output.lines(
    '',
    ...output.table([
      { cells: known.map((project) => sanitiseLine(project.name)) },
      { cells: known.map(({ share }) => style.cyan(share)) },
      { cells: known.map(({ syncedAt }) => style.dim(syncTime(syncedAt))) },
    ]),
  );
};

/** `yore team remove`. */
export const runRemove: CommandRun = async (context, args, options) => {
  const [member = '', given] = args;
  const url = await readUrl(given, ADMIN_URL_VARIABLE, context);
  await expelMember(url, member, textOption(options, 'team'));
  if (flagOption(options, 'json')) context.output.json({ removed: member });
  else context.output.lines(`${sanitiseLine(member)} has no access any more. Their records stay.`);
};

/** `yore team leave`. */
export const runLeave: CommandRun = async (context, _args, options) => {
  const { output } = context;
  const home = await context.openHome();
  const isForgetting = flagOption(options, 'forget');
  const question = isForgetting
    ? 'Delete all that you have shared from the server and from the machines of others, and leave the team?'
    : 'Leave the team and delete the copies of what others shared?';
  if (!flagOption(options, 'yes') && !(await confirm(question, output))) {
    output.notice('Nothing was changed.');
    return;
  }
  const { team, deleted, problem } = await leaveTeam(home, { isForgetting, now: context.now });
  if (problem !== undefined) output.warn(`The server was not told: ${problem}`);
  if (flagOption(options, 'json')) output.json({ team, deleted });
  else
    output.lines(
      `You left ${sanitiseLine(team)}.${isForgetting ? ` ${formatCount(deleted, 'record')} deleted from the server.` : ''}`,
    );
};

/** The connection string: the argument, standard input for `-`, or the environment. It is never printed. */
async function readUrl(given: string | undefined, variable: string, { env }: CommandContext): Promise<string> {
  if (given === '-') return readInput();
  const url = given ?? env[variable];
  if (url !== undefined && url !== '') return url;
  throw new YoreError(
    'USAGE',
    `A connection string is needed: as an argument, in ${variable}, or - for standard input.`,
  );
}

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) text += String(chunk);
  return text.trim();
}
