// The topic detector over JSON lines:
// {"type":"segment","messages":[{"role","text"}]} -> {"boundaries":[index],"confidence":[0..1]}, one reply per line.
//   node bench/adapters/segment.mjs [--dist DIR]     --dist: use another build
import { createInterface } from 'node:readline';
import { loadBuilt } from '../build-modules.mjs';

const { segmentTopics } = await loadBuilt('context/topics/segment-topics.js');

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
