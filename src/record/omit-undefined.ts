/** `T` without `undefined` as a value: properties that may be undefined become optional. */
export type OmitUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * The same object without the properties that are undefined. Optional fields of records and options are absent rather
 * than undefined, so that JSON, equality and spreading agree on them.
 */
export function omitUndefined<T extends object>(fields: T): OmitUndefined<T> {
  const kept = { ...fields } as Record<string, unknown>;
  for (const key in kept) if (kept[key] === undefined) delete kept[key];
  return kept as OmitUndefined<T>;
}
