/** A whole number with thousands separators: `12,345`. */
export function formatNumber(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A number with its noun in singular or plural: `1 session`, `3 sessions`, `2 matches`. */
export function formatCount(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}
