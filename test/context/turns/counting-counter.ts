import { TokenCounter } from '../../../src/context/tokens/token-counter.ts';

/** A counter that records what it counted. */
export class CountingCounter extends TokenCounter {
  readonly counted: string[] = [];

  constructor(modelName = 'gpt-4o') {
    super(modelName);
  }

  override count(text: string): number {
    this.counted.push(text);
    return super.count(text);
  }
}
