import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Home } from '../project/index.ts';
import type { CommandContext, CommandSpec, OptionValues } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { Output, type Sink } from './output/output.ts';
import { createStyle } from './output/style.ts';
import { detectTerminal } from './output/terminal.ts';
import { parseCommandLine } from './parse-command-line.ts';
import { PROGRAM } from './program.ts';
import { reportError } from './report-error.ts';

/** Runs the command line in this process and resolves to its exit code. */
export async function runCli(argv: readonly string[]): Promise<number> {
  endQuietlyWhenReaderLeaves();
  const noColour = argv.includes('--no-color');
  const out = createSink(process.stdout, noColour);
  const output = new Output(out, createSink(process.stderr, noColour), Date.now);
  const look = { columns: Math.min(out.terminal.columns, 100), style: createStyle(out.terminal.colour) };

  const line = parseCommandLine(argv, PROGRAM, look);
  if (line.kind === 'help') {
    out.write(line.text);
    return EXIT.ok;
  }
  if (line.kind === 'mistake') {
    output.error.write(`${output.errorStyle.red('yore:')} ${line.message}\n`);
    output.error.write(`${output.errorStyle.dim(`      ${line.hint}`)}\n`);
    return EXIT.usage;
  }
  if (line.options.version === true) {
    output.lines(readVersion());
    return EXIT.ok;
  }
  return await runCommand(line.spec, line.args, line.options, output);
}

async function runCommand(
  spec: CommandSpec,
  args: readonly string[],
  options: OptionValues,
  output: Output,
): Promise<number> {
  let home: Home | undefined;
  const homeOption = typeof options.home === 'string' ? resolve(options.home) : undefined;
  const context: CommandContext = {
    output,
    env: process.env,
    cwd: process.cwd(),
    now: Date.now,
    homeOption,
    openHome: async () => {
      const { openHome } = await import('../project/index.ts');
      home ??= openHome({ env: process.env, ...(homeOption === undefined ? {} : { home: homeOption }) });
      return home;
    },
  };
  try {
    const run = await spec.load();
    return (await run(context, args, options)) ?? EXIT.ok;
  } catch (error) {
    return reportError(error, output, options.debug === true, `yore ${spec.name} --help`);
  } finally {
    home?.close();
  }
}

function createSink(stream: NodeJS.WriteStream, noColour: boolean): Sink {
  return {
    write: (text) => stream.write(text),
    drained: () => new Promise((done) => stream.once('drain', done)),
    terminal: detectTerminal({
      isTerminal: stream.isTTY === true,
      columns: stream.columns,
      env: process.env,
      platform: process.platform,
      noColour,
    }),
  };
}

/** `yore search x | head -1`: when the reader has seen enough, there is nothing left to do or to say. */
function endQuietlyWhenReaderLeaves(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.storage);
    });
  }
}

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  const fields: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof fields === 'object' && fields !== null && 'version' in fields
    ? String(fields.version)
    : 'unknown';
}
