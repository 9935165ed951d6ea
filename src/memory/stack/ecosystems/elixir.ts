import { COMMAND_FACTS } from '../command-table.ts';
import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';
import { findScript } from '../script-command.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks: {
    Phoenix: ['phoenix'],
    'Phoenix LiveView': ['phoenix_live_view'],
    Nerves: ['nerves'],
    Absinthe: ['absinthe'],
    Ash: ['ash'],
    Plug: ['plug', 'plug_cowboy'],
  },
  tools: { Ecto: ['ecto', 'ecto_sql'], Credo: ['credo'], Dialyxir: ['dialyxir'], Oban: ['oban'] },
};

/** Elixir with Mix. */
export const ELIXIR: Detector = {
  id: 'elixir',
  extensions: ['ex', 'exs', 'heex', 'eex'],
  *detect(place) {
    const file = 'mix.exs';
    const text = place.read(file);
    if (text === undefined) return;
    const names = new Set([...text.matchAll(/\{:(\w+),/g)].map((match) => match[1] ?? ''));
    yield { fact: 'language', value: 'Elixir', file };
    yield* knownDependencies(names, DEPENDENCIES, file);
    yield { fact: 'tool', value: 'Mix', file };
    yield { fact: 'packageManager', value: 'mix', file };
    const aliases = [...text.matchAll(/^[ \t]*"?([\w.]+)"?:[ \t]*(?:\[|&|")/gm)].map(
      (match) => match[1] ?? '',
    );
    for (const fact of COMMAND_FACTS) {
      const alias = findScript(aliases, fact);
      if (alias !== undefined) yield { fact, value: `mix ${alias}`, file, strength: 'declared' };
    }
    yield { fact: 'testCommand', value: 'mix test', file, strength: 'usual' };
    yield { fact: 'buildCommand', value: 'mix compile', file, strength: 'usual' };
    if (names.has('credo')) yield { fact: 'lintCommand', value: 'mix credo', file };
    const formatter = place.has('.formatter.exs') ? '.formatter.exs' : file;
    yield { fact: 'formatCommand', value: 'mix format', file: formatter, strength: 'usual' };
    yield { fact: 'formatter', value: 'mix format', file: formatter, strength: 'usual' };
  },
};
