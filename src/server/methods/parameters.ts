/** The validator of one parameter. */
export interface Parameter<T, Required extends boolean> {
  /** Completes "The parameter is not …" for a caller who sent something else. */
  readonly expected: string;
  readonly required: Required;
  readonly isValid: (value: unknown) => value is T;
}

/** The validators of all parameters of a method. */
export type ParameterTable<P> = {
  readonly [K in keyof P]-?: Record<never, never> extends Pick<P, K>
    ? Parameter<Exclude<P[K], undefined>, false>
    : Parameter<P[K], true>;
};

/** Valid parameters, or what is wrong with them. */
type CheckedParameters<P> = { readonly ok: true; readonly value: P } | { readonly ok: false; readonly problem: string };

/** Validates the parameters of a call: given by name, none unknown, none missing, each of its type. */
export function checkParameters<P>(given: unknown, table: ParameterTable<P>): CheckedParameters<P> {
  const values = given ?? {};
  if (typeof values !== 'object' || Array.isArray(values)) {
    return { ok: false, problem: 'Pass the parameters by name, as an object.' };
  }
  const rules = Object.entries<Parameter<unknown, boolean>>(table);
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(table, name)) continue;
    const known = rules.length > 0 ? rules.map(([rule]) => rule).join(', ') : 'none';
    return {
      ok: false,
      problem: `There is no parameter "${name.slice(0, 40)}". Known parameters: ${known}.`,
    };
  }
  const found = values as Readonly<Record<string, unknown>>;
  for (const [name, { expected, required, isValid }] of rules) {
    const value = Object.hasOwn(found, name) ? found[name] : undefined;
    if (value === undefined && !required) continue;
    if (value === undefined) return { ok: false, problem: `The parameter "${name}" is missing: ${expected}.` };
    if (!isValid(value)) return { ok: false, problem: `The parameter "${name}" is not ${expected}.` };
  }
  return { ok: true, value: values as P };
}

function parameter<T>(expected: string, isValid: (value: unknown) => value is T): Parameter<T, true> {
  return { expected, required: true, isValid };
}

/** A string of at most `maxLength` UTF-16 units. */
export function text(maxLength: number): Parameter<string, true> {
  return parameter(`a string of at most ${maxLength} characters`, (value): value is string => {
    return typeof value === 'string' && value.length <= maxLength;
  });
}

/** True or false. */
export const flag: Parameter<boolean, true> = parameter(
  'true or false',
  (value): value is boolean => typeof value === 'boolean',
);

/** An integer within bounds. */
export function count(min: number, max: number): Parameter<number, true> {
  return parameter(`an integer from ${min} to ${max}`, (value): value is number => {
    return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  });
}

/** One of these words. */
export function oneOf<T extends string>(...words: readonly T[]): Parameter<T, true> {
  return parameter(`one of ${words.join(', ')}`, (value): value is T => words.some((word) => word === value));
}

/** An array of at most `maxCount` strings. */
export function texts(maxCount: number, maxLength: number): Parameter<readonly string[], true> {
  const { isValid } = text(maxLength);
  return parameter(`an array of at most ${maxCount} strings`, (value): value is readonly string[] => {
    return Array.isArray(value) && value.length <= maxCount && value.every(isValid);
  });
}

/** A date or time in ISO 8601. */
export const time: Parameter<string, true> = parameter(
  'a time such as 2026-11-15T10:00:00Z',
  (value): value is string =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(T[\d:.]{5,15}(Z|[+-]\d\d:?\d\d)?)?$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
);

/** The id of a project. */
export const projectId: Parameter<string, true> = parameter(
  'the id of a project, as project.list returns it',
  (value): value is string => typeof value === 'string' && /^[0-9a-f]{8,64}$/.test(value),
);

/** The same parameter, but it may be omitted. */
export function optional<T>(parameter: Parameter<T, true>): Parameter<T, false> {
  return { ...parameter, required: false };
}
