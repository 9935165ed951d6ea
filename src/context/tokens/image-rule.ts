/** How a provider counts a picture. */
export type ImageRule =
  /** Squares of so many pixels, after scaling it down to a longest side and to `maxTokens` of them. */
  | {
      readonly kind: 'grid';
      readonly side: number;
      readonly maxSide: number;
      readonly maxTokens: number;
    }
  /** A base, and something for each square of 512 pixels. */
  | { readonly kind: 'tiles'; readonly base: number; readonly perTile: number }
  /** Squares of 32 pixels, at most `maxPatches` of them, times a factor. */
  | {
      readonly kind: 'patches';
      readonly maxSide: number;
      readonly maxPatches: number;
      readonly factor: number;
    }
  /** Something for each crop of up to 768 pixels. */
  | { readonly kind: 'crops'; readonly perCrop: number }
  /** The same for every picture. */
  | { readonly kind: 'flat'; readonly tokens: number };
