import { describe, expect, it } from 'vitest';
import { withIrregularForms } from '../../src/text/irregular-forms.ts';

describe('withIrregularForms', () => {
  it.each(['throw', 'throws', 'throwing', 'threw', 'thrown'])('has the base and the irregular forms of %s', (word) => {
    expect(withIrregularForms(word)).toEqual(['throw', 'threw', 'thrown']);
  });

  it.each(['index', 'indexes', 'indexing', 'indices'])('has the irregular plural of %s', (word) => {
    expect(withIrregularForms(word)).toEqual(['index', 'indices']);
  });

  it.each(['deploy', 'com', 'left', 'leaves', 'bit', 'saw', 'founded', '数据库', ''])(
    'has nothing but %j itself',
    (word) => {
      expect(withIrregularForms(word)).toEqual([word]);
    },
  );
});
