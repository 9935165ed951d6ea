/** `T` with the properties that may be undefined made optional. */
export type OmitUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * A copy of the object without its undefined properties. Optional fields of records and options are absent rather than
 * undefined, so that JSON, equality and spreading agree.
 */
export function omitUndefined<T extends object>(fields: T): OmitUndefined<T> {
  const kept: Record<string, unknown> = {};
  // Not by deleting from a copy: that makes every later access slow, and imports build millions of these.
  for (const key of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept as OmitUndefined<T>;
}
