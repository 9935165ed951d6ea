interface Row {
  /** Dotted name; the part before the dot is the section of the file it stands in. */
  readonly key: string;
  /** One sentence: what changes when it changes. */
  readonly description: string;
  /** True: refused in a project's file, because a cloned repository could carry one. */
  readonly homeOnly?: true;
}

/** One setting of the table: its name, its type, its default and what it may be. */
export type Setting =
  | (Row & { readonly type: 'boolean'; readonly default: boolean })
  | (Row & {
      readonly type: 'integer' | 'number';
      readonly default?: number;
      readonly min: number;
      readonly max: number;
    })
  | (Row & { readonly type: 'choice'; readonly default?: string; readonly allowed: readonly string[] })
  | (Row & { readonly type: 'text' | 'url'; readonly default?: string })
  | (Row & { readonly type: 'list'; readonly default: readonly string[] })
  | (Row & { readonly type: 'map'; readonly default: TextLists });

/** The value of a `map` setting: a list of texts under each name. */
export type TextLists = Readonly<Record<string, readonly string[]>>;
