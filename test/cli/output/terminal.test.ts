import { describe, expect, it } from 'vitest';
import { detectTerminal, type TerminalFacts } from '../../../src/cli/output/terminal.ts';

const facts: TerminalFacts = {
  isTerminal: true,
  rows: 40,
  columns: 120,
  env: { TERM: 'xterm-256color', LANG: 'en_GB.UTF-8' },
  platform: 'linux',
  noColour: false,
};

describe('detectTerminal', () => {
  it('uses colour on a terminal and not in a pipe', () => {
    expect(detectTerminal(facts).colour).toBe(true);
    expect(detectTerminal({ ...facts, isTerminal: false }).colour).toBe(false);
  });

  it('obeys NO_COLOR, FORCE_COLOR, --no-color and dumb terminals', () => {
    expect(detectTerminal({ ...facts, env: { NO_COLOR: '1' } }).colour).toBe(false);
    expect(detectTerminal({ ...facts, env: { NO_COLOR: '' } }).colour).toBe(true);
    expect(detectTerminal({ ...facts, isTerminal: false, env: { FORCE_COLOR: '1' } }).colour).toBe(true);
    expect(detectTerminal({ ...facts, env: { FORCE_COLOR: '0' } }).colour).toBe(false);
    expect(detectTerminal({ ...facts, noColour: true, env: { FORCE_COLOR: '1' } }).colour).toBe(false);
    expect(detectTerminal({ ...facts, env: { TERM: 'dumb' } }).colour).toBe(false);
  });

  it('uses signs outside ASCII only where the terminal can show them', () => {
    expect(detectTerminal(facts).unicode).toBe(true);
    expect(detectTerminal({ ...facts, env: { LANG: 'C.utf8' } }).unicode).toBe(true);
    expect(detectTerminal({ ...facts, env: {} }).unicode).toBe(false);
    expect(detectTerminal({ ...facts, env: { LANG: 'en_GB.UTF-8', LC_ALL: 'C' } }).unicode).toBe(false);
    expect(detectTerminal({ ...facts, platform: 'win32', env: {} }).unicode).toBe(false);
    expect(detectTerminal({ ...facts, platform: 'win32', env: { WT_SESSION: 'x' } }).unicode).toBe(true);
  });

  it('takes the width of the terminal, or COLUMNS, or a common one', () => {
    expect(detectTerminal(facts).columns).toBe(120);
    expect(detectTerminal({ ...facts, isTerminal: false, env: { COLUMNS: '40' } }).columns).toBe(40);
    expect(detectTerminal({ ...facts, isTerminal: false, env: { COLUMNS: 'x' } }).columns).toBe(
      Number.POSITIVE_INFINITY,
    );
    expect(detectTerminal({ ...facts, columns: 0 }).columns).toBe(80);
    expect(detectTerminal({ ...facts, columns: 3 }).columns).toBe(20);
  });
});
