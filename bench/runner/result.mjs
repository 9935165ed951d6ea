/**
 * @typedef {object} Result one line of the table
 * @property {string} name group and figure, e.g. `append.ratio`
 * @property {number | null} value null when it could not be measured
 * @property {string} unit
 * @property {number | null} limit null if the value is only reported
 * @property {boolean} ok
 * @property {'min' | 'max' | undefined} bound whether the limit is a minimum or a maximum
 */

/** @returns {Result} a value that must not be below `limit` */
export function atLeast(name, value, unit, limit) {
  return { name, value, unit, limit, ok: value >= limit, bound: 'min' };
}

/** @returns {Result} a value that must not be above `limit` */
export function atMost(name, value, unit, limit) {
  return { name, value, unit, limit, ok: value <= limit, bound: 'max' };
}

/** @returns {Result} a value without a limit */
export function info(name, value, unit) {
  return { name, value, unit, limit: null, ok: true, bound: undefined };
}

/** @returns {Result} a benchmark that threw an error */
export function failed(group) {
  return { name: group, value: null, unit: 'failed', limit: null, ok: false, bound: undefined };
}
