import { type CommandFact, scriptCommand } from '../../facts/commands/command-table.ts';
import {
  type DependencyTable,
  type Detector,
  findAll,
  findDependencies,
  findScripts,
  toFindings,
} from '../detector.ts';
import { objectAt, readJson } from '../manifest.ts';

const ELIXIR_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Phoenix: phoenix; Phoenix LiveView: phoenix_live_view; Nerves: nerves; Absinthe: absinthe; ' +
    'Ash: ash; Plug: plug plug_cowboy',
  tools: 'Ecto: ecto ecto_sql; Credo: credo; Dialyxir: dialyxir; Oban: oban',
};

/** Elixir with Mix. */
export const ELIXIR: Detector = {
  id: 'elixir',
  extensions: ['ex', 'exs', 'heex', 'eex'],
  *detect(folder) {
    const file = 'mix.exs';
    const text = folder.read(file);
    if (text === undefined) return;
    const names = findAll(text, /\{:(\w+),/g);
    yield { fact: 'language', value: 'Elixir', file };
    yield* findDependencies(names, ELIXIR_DEPENDENCIES, file);
    yield* toFindings(file, { tool: 'Mix', packageManager: 'mix' });
    const aliases = findAll(text, /^[ \t]*"?([\w.]+)"?:[ \t]*(?:\[|&|")/gm);
    yield* findScripts([...aliases], file, (alias) => `mix ${alias}`);
    yield* toFindings(file, { testCommand: 'mix test', buildCommand: 'mix compile' }, 'default');
    if (names.has('credo')) yield { fact: 'lintCommand', value: 'mix credo', file };
    const formatter = folder.has('.formatter.exs') ? '.formatter.exs' : file;
    yield* toFindings(formatter, { formatCommand: 'mix format', formatter: 'mix format' }, 'default');
  },
};

const RUBY_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Rails: rails; Sinatra: sinatra; Hanami: hanami; Grape: grape; Jekyll: jekyll; ' +
    'Hotwire: turbo-rails stimulus-rails',
  tools:
    'RSpec: rspec rspec-rails rspec-core; Minitest: minitest; Cucumber: cucumber cucumber-rails; ' +
    'RuboCop: rubocop rubocop-rails rubocop-rails-omakase; Standard: standard; ' +
    'Sorbet: sorbet sorbet-runtime; Sidekiq: sidekiq; Redis: redis; PostgreSQL: pg',
};
const GEM = /^[ \t]*(?:gem|\w+\.add_(?:development_|runtime_)?dependency)[\s(]+["']([\w-]+)["']/gm;
const TASK = /^[ \t]*(?:task|(?:RSpec::Core|Rake|Minitest)::\w*Task(?:\.new|\.create))[\s(]*:?["']?([\w:-]+)?/gm;

/** Ruby with Bundler. */
export const RUBY: Detector = {
  id: 'ruby',
  extensions: ['rb', 'rake', 'erb', 'haml', 'slim'],
  *detect(folder) {
    const gemspec = folder.files.find((name) => name.endsWith('.gemspec'));
    const file = folder.first(['Gemfile', 'gems.rb']) ?? gemspec ?? folder.first(['Rakefile']);
    if (file === undefined) return;
    const text = `${folder.read(file) ?? ''}\n${gemspec === undefined ? '' : (folder.read(gemspec) ?? '')}`;
    const gems = findAll(text, GEM);
    yield { fact: 'language', value: 'Ruby', file };
    yield* findDependencies(gems, RUBY_DEPENDENCIES, file);
    if (file !== 'Rakefile') yield { fact: 'packageManager', value: 'bundler', file };
    const rspec = folder.has('.rspec') ? '.rspec' : [...gems].some((gem) => gem.startsWith('rspec')) ? file : undefined;
    const isRails = gems.has('rails');
    if (rspec !== undefined) yield { fact: 'testCommand', value: 'bundle exec rspec', file: rspec };
    else if (isRails) yield { fact: 'testCommand', value: 'bin/rails test', file, source: 'default' };
    const tasks = [...(folder.read('Rakefile') ?? '').matchAll(TASK)].map((match) => match[1] ?? 'test');
    // A Rakefile nearly always has a test task, which only calls the test gem.
    yield* findScripts(tasks, 'Rakefile', (task) => `bundle exec rake ${task}`, 'configured');
    const linter = [...gems].some((gem) => gem.startsWith('rubocop')) || folder.has('.rubocop.yml');
    const evidence = folder.has('.rubocop.yml') ? '.rubocop.yml' : file;
    if (linter) {
      yield* toFindings(evidence, {
        tool: 'RuboCop',
        lintCommand: 'bundle exec rubocop',
        formatCommand: 'bundle exec rubocop -a',
        formatter: 'rubocop',
      });
    } else if (gems.has('standard')) {
      yield* toFindings(file, {
        lintCommand: 'bundle exec standardrb',
        formatCommand: 'bundle exec standardrb --fix',
        formatter: 'standard',
      });
    }
    if (gemspec !== undefined)
      yield { fact: 'buildCommand', value: `gem build ${gemspec}`, file: gemspec, source: 'default' };
  },
};

const PHP_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Laravel: laravel/framework; Symfony: symfony/framework-bundle symfony/symfony; Slim: slim/slim; ' +
    'CodeIgniter: codeigniter4/framework; CakePHP: cakephp/cakephp; Yii: yiisoft/yii2; ' +
    'Livewire: livewire/livewire; Drupal: drupal/core drupal/core-recommended; ' +
    'WordPress: johnpbloch/wordpress roots/wordpress',
  tools:
    'PHPUnit: phpunit/phpunit; Pest: pestphp/pest; Codeception: codeception/codeception; ' +
    'PHPStan: phpstan/phpstan larastan/larastan nunomaduro/larastan; Psalm: vimeo/psalm; ' +
    'PHP-CS-Fixer: friendsofphp/php-cs-fixer; Pint: laravel/pint; ' +
    'PHP_CodeSniffer: squizlabs/php_codesniffer; Doctrine: doctrine/orm',
};

/** Commands of required tools; of two for the same purpose, the first counts. */
const PHP_TOOLS: readonly (readonly [requirement: string, CommandFact, command: string, formatter?: string])[] = [
  ['laravel/framework', 'testCommand', 'php artisan test'],
  ['pestphp/pest', 'testCommand', 'vendor/bin/pest'],
  ['phpunit/phpunit', 'testCommand', 'vendor/bin/phpunit'],
  ['codeception/codeception', 'testCommand', 'vendor/bin/codecept run'],
  ['phpstan/phpstan', 'lintCommand', 'vendor/bin/phpstan analyse'],
  ['larastan/larastan', 'lintCommand', 'vendor/bin/phpstan analyse'],
  ['vimeo/psalm', 'lintCommand', 'vendor/bin/psalm'],
  ['squizlabs/php_codesniffer', 'lintCommand', 'vendor/bin/phpcs'],
  ['laravel/pint', 'formatCommand', 'vendor/bin/pint', 'pint'],
  ['friendsofphp/php-cs-fixer', 'formatCommand', 'vendor/bin/php-cs-fixer fix', 'php-cs-fixer'],
  ['squizlabs/php_codesniffer', 'formatCommand', 'vendor/bin/phpcbf', 'phpcbf'],
];

/** PHP with Composer. */
export const PHP: Detector = {
  id: 'php',
  extensions: ['php', 'twig'],
  *detect(folder) {
    const file = 'composer.json';
    const manifest = readJson(folder.read(file));
    if (!manifest) return;
    const required = new Set(['require', 'require-dev'].flatMap((group) => Object.keys(objectAt(manifest, group))));
    yield { fact: 'language', value: 'PHP', file };
    yield* findDependencies(required, PHP_DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'composer', file };
    const scripts = Object.keys(objectAt(manifest, 'scripts'));
    yield* findScripts(scripts, file, (script) => scriptCommand('composer', script));
    for (const [requirement, fact, value, formatter] of PHP_TOOLS) {
      if (!required.has(requirement)) continue;
      yield { fact, value, file };
      if (formatter !== undefined) yield { fact: 'formatter', value: formatter, file };
    }
    const tests = folder.first(['phpunit.xml', 'phpunit.xml.dist']);
    if (tests !== undefined) yield { fact: 'testCommand', value: 'vendor/bin/phpunit', file: tests, source: 'default' };
  },
};
