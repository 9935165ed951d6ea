import { describe, expect, it } from 'vitest';
import { stackOf } from './project-folder.ts';

describe('Ruby', () => {
  it('detects Rails with RSpec and RuboCop', () => {
    const stack = stackOf({
      Gemfile:
        "source 'https://registry.example'\ngem 'rails', '~> 8.0'\ngem \"pg\"\ngroup :test do\n  gem 'rspec-rails'\nend\n",
      Rakefile: "require_relative 'config/application'\n",
      '.rubocop.yml': '',
      'spec/models/user_spec.rb': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['Ruby'],
      frameworks: ['Rails'],
      tools: ['RSpec', 'PostgreSQL', 'RuboCop'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'bundle exec rspec',
      lintCommand: 'bundle exec rubocop',
      formatCommand: 'bundle exec rubocop -a',
      packageManager: 'bundler',
    });
    expect(stack.conventions).toEqual({ testPattern: '*_spec.rb', formatter: 'rubocop' });
  });

  it('detects a gem with a test task', () => {
    const stack = stackOf({
      Gemfile: 'gemspec\n',
      'x.gemspec': "spec.add_development_dependency 'minitest'\n",
      Rakefile: 'Rake::TestTask.new(:test) do |t|\nend\n',
    });
    expect(stack.techStack.tools).toEqual(['Minitest']);
    expect(stack.commands).toMatchObject({
      testCommand: 'bundle exec rake test',
      buildCommand: 'gem build x.gemspec',
    });
  });
});

describe('PHP', () => {
  it('detects the scripts of Composer, or else required tools', () => {
    const required = { 'laravel/framework': '^12' };
    const tools = { 'pestphp/pest': '^3', 'laravel/pint': '^1', 'phpstan/phpstan': '^2' };
    const stack = stackOf({
      'composer.json': { require: required, 'require-dev': tools, scripts: { test: 'pest' } },
      'tests/Feature/LoginTest.php': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['PHP'],
      frameworks: ['Laravel'],
      tools: ['Pest', 'PHPStan', 'Pint'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'composer test',
      lintCommand: 'vendor/bin/phpstan analyse',
      formatCommand: 'vendor/bin/pint',
      packageManager: 'composer',
    });
    expect(stack.conventions).toEqual({ testPattern: '*Test.php', formatter: 'pint' });
  });
});

describe('Elixir', () => {
  it('detects Mix and Phoenix', () => {
    const stack = stackOf({
      'mix.exs':
        'defp deps do\n  [\n    {:phoenix, "~> 1.7"},\n    {:ecto_sql, "~> 3.10"},\n    {:credo, "~> 1.7"}\n  ]\nend\n',
      '.formatter.exs': '[]',
      'test/page_test.exs': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['Elixir'],
      frameworks: ['Phoenix'],
      tools: ['Ecto', 'Credo', 'Mix'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'mix test',
      buildCommand: 'mix compile',
      lintCommand: 'mix credo',
      formatCommand: 'mix format',
      packageManager: 'mix',
    });
    expect(stack.conventions.testPattern).toBe('*_test.exs');
  });
});
