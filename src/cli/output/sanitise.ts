// What commands print is made safe here; exports, which other doors offer too, use the same functions.
export { sanitise, sanitiseLine, toJson } from '../../text/sanitise.ts';
