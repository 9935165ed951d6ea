// The topic detector over JSON lines:
// {"type":"segment","messages":[{"role","text"}]} -> {"boundaries":[index],"confidence":[0..1]}, one reply per line.
//   node bench/adapters/segment.mjs [--dist DIR]     --dist: use another build
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { dist: { type: 'string', default: fileURLToPath(new URL('../../dist', import.meta.url)) } },
});
const { segmentTopics } = await import(
  pathToFileURL(resolve(values.dist, 'context', 'topics', 'segment-topics.js')).href
);

function parseMessages(line) {
  const request = JSON.parse(line);
  if (request?.type !== 'segment' || !Array.isArray(request.messages)) {
    throw new TypeError('expected {"type":"segment","messages":[{"role","text"}]}');
  }
  return request.messages;
}

function reply(line) {
  try {
    const starts = segmentTopics(parseMessages(line));
    return {
      boundaries: starts.map(({ index }) => index),
      confidence: starts.map(({ confidence }) => confidence),
    };
  } catch (error) {
    console.error(`adapter segment: ${error.message}`);
    return { error: error.message };
  }
}

createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
  if (line.trim() !== '') process.stdout.write(`${JSON.stringify(reply(line))}\n`);
});
