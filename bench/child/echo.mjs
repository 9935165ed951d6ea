// Answers every request with the text it got: what the scorer's transport costs without any redaction.
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify({ text: JSON.parse(line).text })}\n`);
});
