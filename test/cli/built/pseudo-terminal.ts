import { spawnSync } from 'node:child_process';

/** What to type, once the screen shows a text. */
export interface Typed {
  readonly when: string;
  readonly keys: string;
}

/** A command on a terminal of its own. */
export interface OnTerminal {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly typed: readonly Typed[];
  readonly columns?: number;
}

/** Whether a pseudo-terminal can be made here. */
export const hasPseudoTerminal: boolean =
  process.platform !== 'win32' && spawnSync('python3', ['-c', 'import pty']).status === 0;

/** Starts a command on a pseudo-terminal, types, and returns the screen's bytes and the exit code. */
export function runOnTerminal(run: OnTerminal): { readonly screen: string; readonly code: number } {
  const { stdout, stderr, status } = spawnSync('python3', ['-c', PROGRAM], {
    input: JSON.stringify({ columns: 80, ...run }),
    env: run.env,
    encoding: 'utf8',
    timeout: 25_000,
  });
  if (status !== 0) throw new Error(`The pseudo-terminal failed: ${stderr}`);
  return JSON.parse(stdout);
}

const PROGRAM = `
import fcntl, json, os, pty, select, struct, sys, termios, time
run = json.load(sys.stdin)
pid, fd = pty.fork()
if pid == 0:
    os.chdir(run['cwd'])
    os.execvpe(run['command'][0], run['command'], run['env'])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, run['columns'], 0, 0))
screen = b''
seen = 0
typed = list(run['typed'])
end = time.time() + 20
while time.time() < end:
    ready, _, _ = select.select([fd], [], [], 0.05)
    if ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        screen += data
    if typed:
        at = screen.find(typed[0]['when'].encode(), seen)
        if at >= 0:
            seen = len(screen)
            time.sleep(0.05)
            os.write(fd, typed[0]['keys'].encode())
            typed.pop(0)
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(json.dumps({'screen': screen.decode('utf8', 'replace'), 'code': os.waitstatus_to_exitcode(status)}))
`;
