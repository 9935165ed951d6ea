const COLOURS = { green: 32, red: 31, dim: 2 };

/**
 * The results as an aligned table; with colours on a terminal.
 * @param {import('./result.mjs').Result[]} results
 * @param {{isTTY?: boolean}} stream
 */
export function formatTable(results, stream) {
  const paint = painter(stream);
  const rows = results.map((result) => [
    result.name,
    formatNumber(result.value),
    result.unit,
    formatLimit(result),
    result.limit === null && result.ok ? ' ' : result.ok ? '✓' : '✗',
  ]);
  const header = ['name', 'value', 'unit', 'limit', 'ok'];
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) =>
        column === 1 || column === 3 ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
      )
      .join('  ');
  const lines = rows.map((row, index) => {
    const text = line(row).trimEnd();
    if (!results[index].ok) return paint('red', text);
    return results[index].limit === null ? text : text.replace(/✓$/, paint('green', '✓'));
  });
  return [paint('dim', line(header).trimEnd()), ...lines].join('\n');
}

/** What `--list` prints. */
export function formatList(benchmarks) {
  return benchmarks
    .map(({ group, description, names }) => {
      const width = Math.max(...Object.keys(names).map((name) => name.length));
      const lines = Object.entries(names).map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`);
      return `${group}: ${description}\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

/**
 * Prints lines of progress with the time since the start. No progress bar, so that the output is readable in a log.
 * @param {NodeJS.WritableStream & {isTTY?: boolean}} stream
 */
export function createProgress(stream) {
  const started = performance.now();
  const paint = painter(stream);
  let group = '';
  const log = (text) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
    stream.write(`${paint('dim', `${seconds} s  ${group.padEnd(8)}`)}  ${text}\n`);
  };
  return {
    log,
    begin(name) {
      group = name;
    },
    end() {
      group = '';
      log('done');
    },
  };
}

/** Three significant digits or so: 0.12, 12.3, 1,234. */
function formatNumber(value) {
  if (value === null) return '–';
  if (Number.isInteger(value) || Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

function formatLimit({ limit, bound }) {
  return limit === null ? '' : `${bound === 'min' ? '≥' : '≤'} ${limit.toLocaleString('en-US')}`;
}

function painter(stream) {
  return (colour, text) => (stream.isTTY ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text);
}

/** Prints a result. @param {string} text @returns {number} the exit code of success */
export function print(text) {
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Prints what is wrong. @param {string} problem @param {number} [code] @returns {number} the exit code */
export function fail(problem, code = 2) {
  process.stderr.write(`${problem}\n`);
  return code;
}
