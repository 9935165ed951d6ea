// The product's redaction behind JSON lines: {"type":"redact","text"} -> {"text"}, one reply per line.
import { createInterface } from 'node:readline';
import { redact } from '../../dist/redact/index.js';

/** The text of a request; an error says what is wrong with the line. */
function textOf(line) {
  const request = JSON.parse(line);
  if (request?.type !== 'redact' || typeof request.text !== 'string') {
    throw new TypeError('expected {"type":"redact","text":string}');
  }
  return request.text;
}

function answer(line) {
  try {
    return { text: redact(textOf(line)) };
  } catch (error) {
    console.error(`adapter redact: ${error.message}`);
    return { error: error.message };
  }
}

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  if (line.trim() !== '') process.stdout.write(`${JSON.stringify(answer(line))}\n`);
});
