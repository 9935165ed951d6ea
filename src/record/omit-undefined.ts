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
  const kept = { ...fields } as Record<string, unknown>;
  for (const key in kept) if (kept[key] === undefined) delete kept[key];
  return kept as OmitUndefined<T>;
}
