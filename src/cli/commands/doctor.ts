import type { AgentCheck } from '../../install/index.ts';
import { type Finding, type HomeStatus, homeFolder } from '../../project/index.ts';
import { YoreError } from '../../record/index.ts';
import { agentFinding, agentJson, examineAgents } from '../agent-health.ts';
import type { CommandContext, OptionValues } from '../command.ts';
import { EXIT, EXIT_CODES } from '../exit-codes.ts';
import { flagOption } from '../option-values.ts';
import { countOf, formatBytes } from '../output/quantity.ts';
import { sanitise, sanitiseLine } from '../output/sanitise.ts';
import { pad, wrap } from '../output/width.ts';

/** `yore doctor`. */
export async function runDoctor(
  context: CommandContext,
  _args: readonly string[],
  options: OptionValues,
): Promise<number> {
  const { output } = context;
  const { style, symbols } = output;
  const examination = await examine(context);
  const { path, status, agents } = examination;
  const findings = [...examination.findings, ...agents.map((agent) => agentFinding(agent, context))];
  const broken = findings.filter(({ ok }) => !ok);
  if (flagOption(options, 'json')) {
    output.json({ ok: broken.length === 0, home: path, ...status, findings, agents: agents.map(agentJson) });
    return exitCodeOf(broken);
  }
  const sizes = status
    ? ` ${style.dim(symbols.separator)} ${formatBytes(status.bytesOnDisk)} on disk, ${formatBytes(status.indexBytes)} of it the index`
    : '';
  output.lines(
    ...wrap(style.bold(sanitiseLine(path)) + sizes, output.columns),
    ...findings.flatMap((finding) => findingLines(finding, findings, context)),
    '',
    broken.length === 0
      ? style.green('Everything works.')
      : style.red(`${countOf(broken.length, 'problem')}.`),
  );
  return exitCodeOf(broken);
}

interface Examination {
  readonly path: string;
  readonly status?: HomeStatus;
  readonly findings: readonly Finding[];
  readonly agents: readonly AgentCheck[];
}

/** A home that cannot even be opened is a finding too. */
async function examine(context: CommandContext): Promise<Examination> {
  try {
    const home = await context.openHome();
    return {
      path: home.path,
      findings: home.check(),
      status: home.status(),
      agents: await examineAgents(context, home),
    };
  } catch (error) {
    if (!(error instanceof YoreError)) throw error;
    const area = error.code === 'CONFIG' ? 'settings' : 'home';
    const finding: Finding = { area, ok: false, message: error.message, code: error.code };
    return { path: homeFolder(context.homeOption, context.env), findings: [finding], agents: [] };
  }
}

function findingLines(finding: Finding, all: readonly Finding[], { output }: CommandContext): string[] {
  const { style, symbols, columns } = output;
  const sign = finding.ok ? style.green(symbols.success) : style.red(symbols.failure);
  const areaWidth = Math.max(...all.map(({ area }) => area.length));
  const indent = ' '.repeat(areaWidth + 6);
  const [first = '', ...rest] = wrap(sanitise(finding.message), columns - indent.length);
  return [
    `  ${sign} ${pad(finding.area, areaWidth)}  ${first}`,
    ...rest.map((line) => indent + line),
    ...(finding.fix === undefined
      ? []
      : [`${indent}${style.yellow(`Repair: ${sanitiseLine(finding.fix)}`)}`]),
  ];
}

function exitCodeOf(broken: readonly Finding[]): number {
  const [first] = broken;
  if (!first) return EXIT.ok;
  return first.code === undefined ? EXIT.storage : EXIT_CODES[first.code];
}
