import { COMMAND_FACTS } from '../command-table.ts';
import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';
import { objectAt, readJson } from '../formats/json.ts';
import type { CommandFact } from '../project-stack.ts';
import { findScript, scriptCommand } from '../script-command.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks: {
    Laravel: ['laravel/framework'],
    Symfony: ['symfony/framework-bundle', 'symfony/symfony'],
    Slim: ['slim/slim'],
    CodeIgniter: ['codeigniter4/framework'],
    CakePHP: ['cakephp/cakephp'],
    Yii: ['yiisoft/yii2'],
    Livewire: ['livewire/livewire'],
    Drupal: ['drupal/core', 'drupal/core-recommended'],
    WordPress: ['johnpbloch/wordpress', 'roots/wordpress'],
  },
  tools: {
    PHPUnit: ['phpunit/phpunit'],
    Pest: ['pestphp/pest'],
    Codeception: ['codeception/codeception'],
    PHPStan: ['phpstan/phpstan', 'larastan/larastan', 'nunomaduro/larastan'],
    Psalm: ['vimeo/psalm'],
    'PHP-CS-Fixer': ['friendsofphp/php-cs-fixer'],
    Pint: ['laravel/pint'],
    PHP_CodeSniffer: ['squizlabs/php_codesniffer'],
    Doctrine: ['doctrine/orm'],
  },
};

/** What a tool is good for once it is required; of two for the same purpose the first wins. */
const TOOLS: readonly (readonly [requirement: string, CommandFact, command: string, formatter?: string])[] = [
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
  *detect(place) {
    const file = 'composer.json';
    const manifest = readJson(place.read(file));
    if (!manifest) return;
    const required = new Set(
      ['require', 'require-dev'].flatMap((group) => Object.keys(objectAt(manifest, group))),
    );
    yield { fact: 'language', value: 'PHP', file };
    yield* knownDependencies(required, DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'composer', file };
    const scripts = Object.keys(objectAt(manifest, 'scripts'));
    for (const fact of COMMAND_FACTS) {
      const script = findScript(scripts, fact);
      if (script !== undefined)
        yield { fact, value: scriptCommand('composer', script), file, strength: 'declared' };
    }
    for (const [requirement, fact, value, formatter] of TOOLS) {
      if (!required.has(requirement)) continue;
      yield { fact, value, file };
      if (formatter !== undefined) yield { fact: 'formatter', value: formatter, file };
    }
    const tests = place.first(['phpunit.xml', 'phpunit.xml.dist']);
    if (tests !== undefined)
      yield { fact: 'testCommand', value: 'vendor/bin/phpunit', file: tests, strength: 'usual' };
  },
};
