import { COMMAND_FACTS } from '../command-table.ts';
import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';
import { findScript } from '../script-command.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks: {
    Rails: ['rails'],
    Sinatra: ['sinatra'],
    Hanami: ['hanami'],
    Grape: ['grape'],
    Jekyll: ['jekyll'],
    Hotwire: ['turbo-rails', 'stimulus-rails'],
  },
  tools: {
    RSpec: ['rspec', 'rspec-rails', 'rspec-core'],
    Minitest: ['minitest'],
    Cucumber: ['cucumber', 'cucumber-rails'],
    RuboCop: ['rubocop', 'rubocop-rails', 'rubocop-rails-omakase'],
    Standard: ['standard'],
    Sorbet: ['sorbet', 'sorbet-runtime'],
    Sidekiq: ['sidekiq'],
    Redis: ['redis'],
    PostgreSQL: ['pg'],
  },
};
const GEM = /^[ \t]*(?:gem|\w+\.add_(?:development_|runtime_)?dependency)[\s(]+["']([\w-]+)["']/gm;
const TASK =
  /^[ \t]*(?:task|(?:RSpec::Core|Rake|Minitest)::\w*Task(?:\.new|\.create))[\s(]*:?["']?([\w:-]+)?/gm;

/** Ruby with Bundler. */
export const RUBY: Detector = {
  id: 'ruby',
  extensions: ['rb', 'rake', 'erb', 'haml', 'slim'],
  *detect(place) {
    const gemspec = place.files.find((name) => name.endsWith('.gemspec'));
    const file = place.first(['Gemfile', 'gems.rb']) ?? gemspec ?? place.first(['Rakefile']);
    if (file === undefined) return;
    const text = `${place.read(file) ?? ''}\n${gemspec === undefined ? '' : (place.read(gemspec) ?? '')}`;
    const gems = new Set([...text.matchAll(GEM)].map((match) => match[1] ?? ''));
    yield { fact: 'language', value: 'Ruby', file };
    yield* knownDependencies(gems, DEPENDENCIES, file);
    if (file !== 'Rakefile') yield { fact: 'packageManager', value: 'bundler', file };
    const rspec = place.has('.rspec')
      ? '.rspec'
      : [...gems].some((gem) => gem.startsWith('rspec'))
        ? file
        : undefined;
    const isRails = gems.has('rails');
    if (rspec !== undefined) yield { fact: 'testCommand', value: 'bundle exec rspec', file: rspec };
    else if (isRails) yield { fact: 'testCommand', value: 'bin/rails test', file, strength: 'usual' };
    const tasks = [...(place.read('Rakefile') ?? '').matchAll(TASK)].map((match) => match[1] ?? 'test');
    for (const fact of COMMAND_FACTS) {
      const task = findScript(tasks, fact);
      const value = `bundle exec rake ${task}`;
      // A Rakefile nearly always has a test task that only calls what the gems bring.
      if (task !== undefined) yield { fact, value, file: 'Rakefile', strength: 'configured' };
    }
    const linter = [...gems].some((gem) => gem.startsWith('rubocop')) || place.has('.rubocop.yml');
    const evidence = place.has('.rubocop.yml') ? '.rubocop.yml' : file;
    if (linter) {
      yield { fact: 'tool', value: 'RuboCop', file: evidence };
      yield { fact: 'lintCommand', value: 'bundle exec rubocop', file: evidence };
      yield { fact: 'formatCommand', value: 'bundle exec rubocop -a', file: evidence };
      yield { fact: 'formatter', value: 'rubocop', file: evidence };
    } else if (gems.has('standard')) {
      yield { fact: 'lintCommand', value: 'bundle exec standardrb', file };
      yield { fact: 'formatCommand', value: 'bundle exec standardrb --fix', file };
      yield { fact: 'formatter', value: 'standard', file };
    }
    if (gemspec !== undefined)
      yield { fact: 'buildCommand', value: `gem build ${gemspec}`, file: gemspec, strength: 'usual' };
  },
};
