import { resolve } from 'node:path';
import type { Home } from '../project/index.ts';
import { YoreError } from '../record/index.ts';
import { omitUndefined } from '../record/object.ts';
import type { CommandContext } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { readVersion } from './machine.ts';
import { Output, type Sink } from './output/output.ts';
import { findPager, pageOutput } from './output/pager.ts';
import { detectTerminal } from './output/terminal.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { PROGRAM } from './program.ts';
import { reportError, reportUsageError } from './report.ts';

/** Runs the command line in this process and resolves to its exit code. Never rejects. */
export async function runCli(argv: readonly string[]): Promise<number> {
  exitOnBrokenPipe();
  const noColour = argv.includes('--no-color');
  const out = createSink(process.stdout, noColour);
  const output = new Output(out, createSink(process.stderr, noColour), Date.now);
  try {
    const look = { columns: Math.min(out.terminal.columns, 100), style: output.style };
    const line = parseCommandLine(argv, PROGRAM, look);
    if (line.kind === 'run') return await runCommand(line, output);
    if (line.kind === 'help') out.write(line.text);
    else reportUsageError(line.message, line.hint, output);
    return line.kind === 'help' ? EXIT.ok : EXIT.usage;
  } catch (error) {
    return reportError(error, output, argv.includes('--debug'), 'yore --help');
  }
}

/** Runs a command; a long listing is shown in the user's pager if standard output is a terminal. */
async function runCommand(line: CommandToRun, output: Output): Promise<number> {
  const { spec, options } = line;
  if (options.version === true) {
    output.lines(readVersion());
    return EXIT.ok;
  }
  const { out, error } = output;
  const isPaged = spec.isPaged && out.terminal.isTerminal && options.pager !== false && options.json !== true;
  const pager = isPaged ? findPager(process.env, process.platform) : undefined;
  if (pager === undefined) return await runInHome(line, output);
  const paged = pageOutput(out, error, pager, process.env);
  try {
    return await runInHome(line, new Output(paged.out, paged.error, Date.now));
  } finally {
    await paged.finish();
  }
}

type CommandToRun = Extract<CommandLine, { readonly kind: 'run' }>;

async function runInHome({ spec, path, args, options }: CommandToRun, output: Output): Promise<number> {
  let home: Home | undefined;
  try {
    const homeOption = readHomeOption(options.home);
    const context: CommandContext = {
      output,
      env: process.env,
      cwd: currentFolder(),
      now: Date.now,
      homeOption,
      openHome: async () => {
        const { describeInterruptedDeletion, openHome } = await import('../project/index.ts');
        home ??= openHome({ env: process.env, ...omitUndefined({ home: homeOption }) });
        for (const each of home.interruptedDeletions) output.notice(describeInterruptedDeletion(each));
        return home;
      },
    };
    const run = await spec.load();
    return (await run(context, args, options)) ?? EXIT.ok;
  } catch (error) {
    return reportError(error, output, options.debug === true, `${path} --help`);
  } finally {
    home?.close();
  }
}

function readHomeOption(value: unknown): string | undefined {
  if (value === '') throw new YoreError('USAGE', '--home is empty. Give a folder.');
  return typeof value === 'string' ? resolve(value) : undefined;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new YoreError('USAGE', 'The current folder no longer exists. Change to another one.', { cause });
  }
}

function createSink(stream: NodeJS.WriteStream, noColour: boolean): Sink {
  return {
    write: (text) => stream.write(text),
    drained: () => new Promise((done) => stream.once('drain', done)),
    terminal: detectTerminal({
      isTerminal: stream.isTTY === true,
      columns: stream.columns,
      rows: stream.rows,
      env: process.env,
      platform: process.platform,
      noColour,
    }),
  };
}

/**
 * Exits quietly when the reader of a pipe is gone, as in `yore search x | head -1`. Other errors, such as a full disk in
 * `yore export > file`, are reported.
 */
function exitOnBrokenPipe(): void {
  process.stderr.on('error', () => process.exit(EXIT.storage));
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    process.stderr.write(`yore: cannot write to standard output: ${error.message}.\n`);
    process.exit(EXIT.storage);
  });
}
