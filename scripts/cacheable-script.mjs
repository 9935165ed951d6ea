/** Node.js modules that are slow to load and rarely needed are loaded at their first use. */
const RARE =
  /\blet (\w+)=require\("(node:(?:crypto|child_process|zlib|stream|net|readline|worker_threads|v8|timers\/promises))"\);/g;

/**
 * Makes the code of a bundle cacheable: no import(), and ASCII only, which is read fastest. It is a function already,
 * because a text that the launcher composes would take twice the memory, and a garbage collection costs a short process
 * more than anything else.
 */
export function toFunction(code) {
  return `(function(exports,require,__filename,__dirname){${toScript(code)}\n})`;
}

/** The same for a file that Node.js loads. */
export function toScript(code) {
  return code
    .replace(/^#!.*/, '')
    .replace(/\bimport\(([`"'][\w@./-]+[`"'])\)/g, 'Promise.resolve().then(()=>require($1))')
    .replace(RARE, 'let $1=new Proxy({},{get:(_,key)=>require("$2")[key]});')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
