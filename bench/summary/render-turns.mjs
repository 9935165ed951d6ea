const OUTPUT_LINES = 40;
const STEPS_IN_A_TURN = 6;
const MAX_INPUT_LENGTH = 2_000;

/**
 * @typedef {import('./replayed-sessions.mjs').Step} Step
 * @typedef {{role: 'user' | 'assistant', content: string, step: number}} RenderedTurn `step`: index of its first step
 */

/**
 * Ways in which agents render a session as turns. A summary has to understand all of them.
 * @type {Record<string, (steps: Step[]) => RenderedTurn[]>}
 */
export const RENDERINGS = {
  /** `$ command` with its output, `Edited path`. */
  shell: eachStep(shell),
  /** The same, with several steps in a turn. */
  joined: (steps) => joined(eachStep(shell)(steps)),
  /** Calls as turns of the agent, results as turns of the user. */
  answered: (steps) => steps.flatMap((step, index) => answered(step, index)),
  /** Sentences with fenced blocks. */
  fences: eachStep((step) => {
    const output = `\`\`\`\n${truncateOutput(step.output)}\n\`\`\``;
    if (step.kind === 'command') return `\`\`\`bash\n${step.text}\n\`\`\`\n${output}${failure(step)}`;
    if (step.kind === 'edit') return `I changed ${step.paths.map((path) => `\`${path}\``).join(' and ')}.\n${output}`;
    return `I used ${step.tool} on ${step.text}.\n${output}`;
  }),
  /** Labelled lines. */
  ran: eachStep((step) => {
    const end = step.failed ? 'Failed' : 'Succeeded';
    const label = { command: 'Ran', edit: 'Edited' }[step.kind] ?? step.tool;
    const what = step.kind === 'edit' ? step.paths.join(', ') : step.text;
    return `${label}: ${what}\nOutput:\n${truncateOutput(step.output)}\n${end}`;
  }),
  /** Calls and results as lines of JSON. */
  json: eachStep((step) =>
    [
      { type: 'tool_use', name: step.tool, input: shortenValues(step.input) },
      { type: 'tool_result', is_error: step.failed, content: truncateOutput(step.output) },
    ]
      .map((block) => JSON.stringify(block))
      .join('\n'),
  ),
  /** Calls and results in tags. */
  tags: eachStep(
    (step) =>
      `${tagged(step)}\n<result${step.failed ? ' error="true"' : ''}>\n${truncateOutput(step.output)}\n</result>`,
  ),
};

/** @param {(step: Step) => string} render @returns {(steps: Step[]) => RenderedTurn[]} */
function eachStep(render) {
  return (steps) =>
    steps.map((step, index) =>
      step.kind === 'prompt'
        ? { role: 'user', content: step.text, step: index }
        : { role: 'assistant', content: render(step), step: index },
    );
}

function shell(step) {
  const output = truncateOutput(step.output);
  if (step.kind === 'command') return `$ ${step.text}\n${output}${failure(step)}`;
  if (step.kind === 'edit') return `Edited ${step.paths.join(', ')}\n${output}`;
  return `${step.tool} ${step.text}\n${output}`;
}

function joined(turns) {
  const result = [];
  for (const turn of turns) {
    const last = result.at(-1);
    const fits = last?.role === 'assistant' && turn.role === 'assistant' && turn.step - last.step < STEPS_IN_A_TURN;
    if (fits) last.content += `\n${turn.content}`;
    else result.push({ ...turn });
  }
  return result;
}

function answered(step, index) {
  if (step.kind === 'prompt') return [{ role: 'user', content: step.text, step: index }];
  const result = `<tool_result${step.failed ? ' is_error="true"' : ''}>\n${truncateOutput(step.output)}\n</tool_result>`;
  return [
    { role: 'assistant', content: tagged(step), step: index },
    { role: 'user', content: result, step: index },
  ];
}

function tagged({ tool, input }) {
  const parameters = Object.entries(shortenValues(input)).map(
    ([key, value]) =>
      `<parameter name="${key}">${typeof value === 'string' ? value : JSON.stringify(value)}</parameter>`,
  );
  return `<invoke name="${tool}">\n${parameters.join('\n')}\n</invoke>`;
}

function failure({ failed }) {
  return failed ? '\n(exit code 1)' : '';
}

function truncateOutput(output = '') {
  const lines = output.split('\n');
  if (lines.length <= OUTPUT_LINES) return output;
  const half = OUTPUT_LINES / 2;
  return [...lines.slice(0, half), '…', ...lines.slice(-half)].join('\n');
}

function shortenValues(input) {
  const isLong = (value) => typeof value === 'string' && value.length > MAX_INPUT_LENGTH;
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, isLong(value) ? `${value.slice(0, MAX_INPUT_LENGTH)}…` : value]),
  );
}
