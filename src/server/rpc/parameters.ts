/** What a parameter must be. */
export interface Parameter<T, Required extends boolean> {
  /** For the message to whoever sent something else. */
  readonly expected: string;
  readonly required: Required;
  readonly fits: (value: unknown) => value is T;
}

/** What each parameter of a method must be. */
export type ParameterTable<P> = {
  readonly [K in keyof P]-?: Record<never, never> extends Pick<P, K>
    ? Parameter<Exclude<P[K], undefined>, false>
    : Parameter<P[K], true>;
};

/** Parameters that were checked, or what is wrong with them. */
export type CheckedParameters<P> =
  | { readonly ok: true; readonly value: P }
  | { readonly ok: false; readonly problem: string };

/** Checks what came over the wire: by name, none that is unknown, none missing, all of their type. */
export function checkParameters<P>(given: unknown, table: ParameterTable<P>): CheckedParameters<P> {
  const values = given ?? {};
  if (typeof values !== 'object' || Array.isArray(values)) {
    return { ok: false, problem: 'Give the parameters by name, as an object.' };
  }
  const rules = Object.entries<Parameter<unknown, boolean>>(table);
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(table, name)) continue;
    const known =
      rules.length > 0 ? `There are: ${rules.map(([rule]) => rule).join(', ')}.` : 'There are none.';
    return { ok: false, problem: `There is no parameter "${name.slice(0, 40)}". ${known}` };
  }
  const found = values as Readonly<Record<string, unknown>>;
  for (const [name, { expected, required, fits }] of rules) {
    const value = Object.hasOwn(found, name) ? found[name] : undefined;
    if (value === undefined && !required) continue;
    if (value === undefined)
      return { ok: false, problem: `The parameter "${name}" is missing: ${expected}.` };
    if (!fits(value)) return { ok: false, problem: `The parameter "${name}" is not ${expected}.` };
  }
  return { ok: true, value: values as P };
}

/** A text of at most so many UTF-16 units. */
export function text(most: number): Parameter<string, true> {
  return {
    expected: `a text of at most ${most} characters`,
    required: true,
    fits: (value): value is string => typeof value === 'string' && value.length <= most,
  };
}

/** A whole number within bounds. */
export function count(least: number, most: number): Parameter<number, true> {
  return {
    expected: `a whole number from ${least} to ${most}`,
    required: true,
    fits: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  };
}

/** One of some words. */
export function oneOf<T extends string>(...words: readonly T[]): Parameter<T, true> {
  return {
    expected: `one of ${words.join(', ')}`,
    required: true,
    fits: (value): value is T => words.some((word) => word === value),
  };
}

/** A list of at most so many texts. */
export function texts(most: number, longest: number): Parameter<readonly string[], true> {
  const { fits } = text(longest);
  return {
    expected: `a list of at most ${most} texts`,
    required: true,
    fits: (value): value is readonly string[] =>
      Array.isArray(value) && value.length <= most && value.every(fits),
  };
}

/** A date or time in ISO 8601. */
export const time: Parameter<string, true> = {
  expected: 'a time such as 2026-11-15T10:00:00Z',
  required: true,
  fits: (value): value is string =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
};

/** The id of a project. */
export const projectId: Parameter<string, true> = {
  expected: 'the id of a project, as project.list has it',
  required: true,
  fits: (value): value is string => typeof value === 'string' && PROJECT_ID.test(value),
};

const PROJECT_ID = /^[0-9a-f]{8,64}$/;

/** The same, where it may be left out. */
export function optional<T>(parameter: Parameter<T, true>): Parameter<T, false> {
  return { ...parameter, required: false };
}
