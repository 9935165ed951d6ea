import type { FailureWarning } from '../../memory/index.ts';
import type { Home, Project } from '../../project/index.ts';
import { type CallPlace, type CheckedCall, readCheckedCall, toolCallOf } from '../checked-call.ts';
import { projectInQuestion } from '../choose-project.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { flagOption, textOption } from '../option-values.ts';
import { sanitiseLine } from '../output/sanitise.ts';
import { sureness, warningLines } from '../output/warning-text.ts';
import { wrap } from '../output/width.ts';

/** `yore check`. */
export async function runCheck(
  context: CommandContext,
  args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const call = readCheckedCall(args, options);
  const home = await context.openHome();
  const project = projectInQuestion(home, options, context.cwd);
  const silence = silenceOf(project, context);
  const warning =
    project === undefined || silence !== undefined
      ? undefined
      : check(project, call, placeOf(project, home, context), options);
  if (flagOption(options, 'json')) {
    output.json({
      warns: warning !== undefined,
      project: project?.info.projectHash ?? null,
      call,
      ...(warning === undefined ? {} : { warning: toJson(warning) }),
    });
  } else if (warning === undefined) {
    output.lines(...wrap(silence ?? 'No warning: nothing that is known speaks against it.', output.columns));
  } else {
    output.lines(...warningLines(warning, output), '', ...evidenceLines(warning, context));
  }
  return warning === undefined ? EXIT.ok : EXIT.warning;
}

function check(
  project: Project,
  call: CheckedCall,
  place: CallPlace,
  options: OptionValues,
): FailureWarning | undefined {
  const recorder = project.recorder(place.root);
  try {
    return recorder.check(toolCallOf(call, { ...place, agent: textOption(options, 'agent') }));
  } finally {
    recorder.close();
  }
}

/** Why nothing is warned about here at all. */
function silenceOf(project: Project | undefined, { cwd }: CommandContext): string | undefined {
  if (project === undefined) return `No warning: nothing is recorded for ${sanitiseLine(cwd)} yet.`;
  const off = (['retrieval.enabled', 'retrieval.warnOnDuplicateFailure'] as const).find(
    (key) => !project.config.get(key),
  );
  if (off === undefined && !project.isRecording()) return 'No warning: recording is off here (yore resume).';
  return off === undefined ? undefined : `No warning: warnings are switched off by the setting ${off}.`;
}

/** In the checkout you are in, or in the main folder of a project that was named. */
function placeOf(project: Project, home: Home, { cwd, now }: CommandContext): CallPlace {
  const { projectHash, projectPath } = project.info;
  if (home.findProject(cwd)?.info.projectHash !== projectHash) {
    return { folder: projectPath, root: projectPath, now: now() };
  }
  return { folder: cwd, root: home.checkoutOf(cwd), now: now() };
}

function evidenceLines(warning: FailureWarning, { output }: CommandContext): string[] {
  const { style, symbols, columns } = output;
  const id = sanitiseLine(warning.hazardId);
  const facts = [
    sureness(warning.confidence),
    style.yellow(id),
    ...(warning.sessionId === '' ? [] : [`evidence: yore show ${sanitiseLine(warning.sessionId)}`]),
  ];
  const separator = ` ${symbols.separator} `;
  return [
    ...wrap(facts.join(separator), columns),
    ...wrap(`Not so? yore dismiss ${id}${separator}keep warning: yore pin ${id}`, columns).map(style.dim),
  ];
}

function toJson({
  hazardId,
  key: _key,
  signature: _signature,
  attemptId: _id,
  ...rest
}: FailureWarning): object {
  return { failure: hazardId, ...rest };
}
