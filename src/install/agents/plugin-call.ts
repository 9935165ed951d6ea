import { hookFile, isDefaultHome, type Machine, type Scope } from '../machine.ts';
import { SIGNATURE } from '../ours.ts';

/**
 * The beginning of a plugin that runs inside of an agent: `ask` starts the hook with a question and resolves to its
 * answer, or to nothing when there is none. It never throws and never takes longer than ten seconds. Plain JavaScript
 * without any package, because that is what every agent can load.
 */
export function pluginHead(machine: Machine, scope: Scope, agent: string): string {
  const isShared = scope.kind === 'project' && isDefaultHome(machine);
  const file = isShared
    ? `join(homedir(), '.yore', 'bin', process.platform === 'win32' ? 'yore-hook.cmd' : 'yore-hook')`
    : JSON.stringify(hookFile(machine));
  return `// ${SIGNATURE}; \`yore init --uninstall\` removes it.
import { spawn } from 'node:child_process';
${isShared ? "import { homedir } from 'node:os';\nimport { join } from 'node:path';\n" : ''}
const FILE = ${file};
const TIMEOUT_MS = 10_000;
const LONGEST_TEXT = 1_000_000;

function ask(question) {
  return new Promise((resolve) => {
    let isOver = false;
    const end = (answer) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      resolve(answer);
    };
    let child;
    const timer = setTimeout(() => {
      child?.kill();
      end();
    }, TIMEOUT_MS);
    try {
      const stdio = ['pipe', 'pipe', 'ignore'];
      child =
        process.platform === 'win32'
          ? spawn('"' + FILE + '" ${agent}', { stdio, shell: true, windowsHide: true })
          : spawn(FILE, ['${agent}'], { stdio });
      let text = '';
      child.on('error', () => end());
      child.stdin.on('error', () => {});
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (part) => {
        if (text.length < LONGEST_TEXT) text += part;
      });
      child.on('close', () => end(parse(text)));
      child.stdin.end(JSON.stringify(question));
    } catch {
      end();
    }
  });
}

function parse(text) {
  try {
    const answer = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

function short(value) {
  return typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : undefined;
}
`;
}
