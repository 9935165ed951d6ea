// Redaction over JSON lines: {"type":"redact","text"} -> {"text"}, one reply per line.
import { createInterface } from 'node:readline';
import { redact } from '../../dist/redact/index.js';

function parseText(line) {
  const request = JSON.parse(line);
  if (request?.type !== 'redact' || typeof request.text !== 'string') {
    throw new TypeError('expected {"type":"redact","text":string}');
  }
  return request.text;
}

function reply(line) {
  try {
    return { text: redact(parseText(line)) };
  } catch (error) {
    console.error(`adapter redact: ${error.message}`);
    return { error: error.message };
  }
}

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  if (line.trim() !== '') process.stdout.write(`${JSON.stringify(reply(line))}\n`);
});
