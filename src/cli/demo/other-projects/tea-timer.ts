import {
  asks,
  commits,
  day,
  edits,
  fails,
  type Moment,
  reads,
  remembers,
  runs,
  says,
  session,
  writes,
} from '../script.ts';

const claude = { agent: 'claude-code', model: 'claude-sonnet-4-5', branch: 'main' } as const;
const codex = { agent: 'codex', model: 'gpt-5-codex', branch: 'main' } as const;

/** A gadget in Python that beeps when the tea is ready. */
export const TEA_TIMER: readonly Moment[] = [
  session(
    { name: 'timer: start', when: day(33, '19:30'), ...claude },
    asks('A tea timer for a Raspberry Pi: a button, a buzzer, three minutes.'),
    writes('timer/main.py', 'from gpiozero import Button, Buzzer'),
    fails(
      'pip install gpiozero',
      'error: externally-managed-environment\n\n× This environment is externally managed',
    ),
    runs('uv add gpiozero', 'Installed 2 packages in 12ms'),
    runs('uv run pytest', '4 passed in 0.21s'),
    commits('Beeps after three minutes', 'main', 3),
    says(
      'It beeps. The system Python refuses `pip install`, so the project has an environment of its own: `uv add`, `uv run`.',
    ),
  ),
  session(
    { name: 'timer: loud', when: day(29, '20:10'), ...codex },
    asks('The buzzer wakes the neighbours. Make it polite.'),
    reads('timer/main.py'),
    edits('timer/main.py', 'buzzer.on()', 'buzzer.beep(on_time=0.05, n=2)'),
    runs('uv run pytest', '5 passed in 0.22s'),
    commits('Two short beeps', 'main', 1),
    says('Two short beeps instead of one long one.'),
  ),
  session(
    { name: 'timer: green tea', when: day(11, '19:00'), ...claude },
    asks('Press twice for green tea: two minutes.'),
    edits('timer/main.py', 'MINUTES = 3', 'MINUTES = {1: 3, 2: 2}'),
    fails(
      'uv run pytest',
      'FAILED tests/test_presses.py::test_two_presses - assert 1 == 2\n1 failed, 5 passed in 0.30s',
    ),
    edits('timer/main.py', 'hold_time=1', 'hold_time=0.3'),
    runs('uv run pytest', '6 passed in 0.25s'),
    commits('Two presses for green tea', 'main', 2),
    says('The second press came while the first was still "held". Holding is 0.3 s now.'),
  ),
  remembers(day(11, '19:40'), 'Test on the real button before a release: it bounces'),
];

/** The files of its folder. */
export const TEA_TIMER_FILES: Readonly<Record<string, string>> = {
  'pyproject.toml':
    '[project]\nname = "tea-timer"\nversion = "0.3.0"\ndependencies = ["gpiozero"]\n\n[dependency-groups]\ndev = ["pytest"]\n',
  'uv.lock': 'version = 1\n',
  'timer/main.py': 'from gpiozero import Button, Buzzer\n\nMINUTES = {1: 3, 2: 2}\n',
  'tests/test_presses.py': 'def test_two_presses():\n    assert True\n',
};
