import { describe, expect, it } from 'vitest';
import { typedTerminal } from './typed-terminal.ts';

/** Lets the keys arrive. */
function arrive(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

describe('the prompter', () => {
  it('returns what is entered, and what was entered while something ran', async () => {
    const { prompter, type } = typedTerminal();
    const first = prompter.read();
    type('one\r');
    expect(await first).toEqual({ kind: 'text', text: 'one' });
    type('two\r');
    await arrive();
    expect(await prompter.read()).toEqual({ kind: 'text', text: 'two' });
  });

  it('interrupts what runs with Ctrl-C', async () => {
    const { prompter, type } = typedTerminal();
    let end = (): void => undefined;
    const job = new Promise<void>((resolve) => {
      end = resolve;
    });
    const running = prompter.during(job, () => end());
    type('\x03');
    await running;
  });

  it('leaves after what runs when Ctrl-D is pressed meanwhile', async () => {
    const { prompter, type } = typedTerminal();
    await prompter.during(
      (async () => {
        type('\x04');
        await arrive();
      })(),
      () => undefined,
    );
    expect(await prompter.ask('Run it?', 'yn')).toBe('n');
    expect(await prompter.read()).toEqual({ kind: 'leave' });
  });

  it('takes only the keys of a question for an answer', async () => {
    const { prompter, type } = typedTerminal();
    const answer = prompter.ask('Run it?', 'yen');
    await arrive();
    type('E');
    expect(await answer).toBe('e');
  });

  it('takes no letter of a word for an answer', async () => {
    const { prompter, type } = typedTerminal();
    type('wh');
    await arrive();
    const answer = prompter.ask('Run it?', 'yen');
    type('y');
    await arrive();
    type('\x03');
    expect(await answer).toBe('n');
  });
});
