import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as context from '../../src/context/index.ts';

const docs = ['context.md', 'tokens.md'].map((page) =>
  readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8'),
);

/** The names that do not occur in the pages as whole words. */
function undocumented(names: readonly string[]): string[] {
  const words = new Set(docs.join('\n').match(/\w+/g));
  return names.filter((name) => !words.has(name));
}

describe('the documentation of yore/context', () => {
  it('names every exported function, class and constant', () => {
    expect(undocumented(Object.keys(context))).toEqual([]);
  });

  it('names every method of ContextManager, FileContext and StabilityTracker', () => {
    const classes = [context.ContextManager, context.FileContext, context.StabilityTracker];
    const methods = classes.flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor'),
    );
    expect(undocumented(methods)).toEqual([]);
  });
});
