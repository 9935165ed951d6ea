/** Round values from 0 to at least `highest`, at most five of them, whole numbers only. */
export function niceSteps(highest: number): readonly number[] {
  const wanted = Math.max(highest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max([1, 2, 5, 10].map((times) => times * power).find((size) => size >= wanted) ?? 1, 1);
  const count = Math.max(Math.ceil(highest / step), 1);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
