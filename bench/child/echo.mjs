// Returns the text of every request unchanged, to measure what the scorer's transport costs without redaction.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify({ text: JSON.parse(line).text })}\n`);
});
