/** The filters that may be typed into a query: `branch:main`. */
const TYPED_FILTERS = ['session', 'project', 'branch', 'file', 'agent', 'before', 'after'] as const;
/** A filter as it was typed. */
export interface TypedFilter {
  readonly name: (typeof TYPED_FILTERS)[number];
  readonly value: string;
  /** `branch:main` */
  readonly typed: string;
}

const PIECE = /"[^"]*"?|\S+/g;
const FILTER = new RegExp(`^(${TYPED_FILTERS.join('|')}):([^\\s"]+)$`, 'i');

/** Separates the filters of a query from its text. What is in quotes is text. */
export function splitFilters(query: string): { readonly text: string; readonly filters: readonly TypedFilter[] } {
  const filters: TypedFilter[] = [];
  const text = query.replace(PIECE, (piece) => {
    const [typed, name, value = ''] = FILTER.exec(piece) ?? [];
    const known = TYPED_FILTERS.find((each) => each === name?.toLowerCase());
    if (typed === undefined || known === undefined) return piece;
    filters.push({ name: known, value, typed });
    return '';
  });
  return filters.length === 0 ? { text: query, filters } : { text: text.replace(/\s+/g, ' ').trim(), filters };
}
