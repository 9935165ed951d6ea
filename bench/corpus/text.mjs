import { inventWord } from './vocabulary.mjs';

/**
 * Generates prose, code and tool output like that of coding agents and their users.
 * @param {ReturnType<typeof import('./vocabulary.mjs').createVocabulary>} vocabulary
 * @param {ReturnType<typeof import('./random.mjs').createRandom>} random
 */
export function createTextMaker(vocabulary, random) {
  const { words, identifiers, paths, flags, errorCodes, accented, cjk } = vocabulary;
  const word = () => words.sample(random);
  const identifier = () => identifiers.sample(random);
  const path = () => paths.sample(random);

  function token() {
    const kind = random.below(1000);
    if (kind < 892) return word();
    // Names and typos: words that occur only once, so that the vocabulary grows with the history.
    if (kind < 895) return inventWord(random);
    if (kind < 940) return identifier();
    if (kind < 962) return `\`${path()}\``;
    if (kind < 972) return random.pick(flags);
    if (kind < 982) return random.pick(errorCodes);
    if (kind < 990) return String(random.below(5_000));
    if (kind < 995) return random.hex(random.chance(0.5) ? 7 : 40);
    return random.pick(accented);
  }

  function sentence() {
    if (random.chance(0.01)) return cjkSentence();
    const parts = [];
    for (let count = random.between(5, 16); count > 0; count--) parts.push(token());
    const text = parts.join(' ');
    return `${text[0].toUpperCase()}${text.slice(1)}${random.pick(['.', '.', '.', '.', ':', '?'])}`;
  }

  function cjkSentence() {
    let text = '';
    for (let count = random.between(4, 9); count > 0; count--) text += random.pick(cjk);
    return `${text}。`;
  }

  function sentences(count) {
    const parts = [];
    for (let index = 0; index < count; index++) {
      parts.push(sentence(), random.chance(0.2) ? '\n\n' : ' ');
    }
    return parts.join('').trimEnd();
  }

  function codeBlock() {
    const lines = [];
    for (let count = random.between(3, 9); count > 0; count--) {
      lines.push(`  const ${word()} = await ${identifier()}(${word()}, { ${word()}: ${identifier()} });`);
    }
    return `\n\n\`\`\`ts\n// ${path()}\nexport async function ${identifier()}() {\n${lines.join('\n')}\n}\n\`\`\`\n`;
  }

  return {
    request: () => (random.chance(0.15) ? `${sentence().slice(0, -1)} in ${path()}` : sentences(random.between(1, 4))),
    reply: () => sentences(random.between(2, 13)) + (random.chance(0.3) ? codeBlock() : ''),
    command: () =>
      random.pick([
        () => `npm test -- ${path()}`,
        () => `git commit -m "${word()} ${word()} ${word()}" ${random.pick(flags)}`,
        () => `npx vitest run ${path()} ${random.pick(flags)}`,
        () => `grep -rn "${identifier()}" ${path()}`,
        () => `python -m pytest ${path()} -k ${word()}`,
        () => `docker compose up ${word()} ${random.pick(flags)}`,
        () => `npm install ${word()}-${word()}@${random.below(9)}.${random.below(20)}.0`,
      ])(),
    failure: () =>
      `Error: ${random.pick(errorCodes)}: ${sentence()}\n    at ${identifier()} (${path()}:${random.below(900)}:${random.below(80)})\n    at ${identifier()} (${path()}:${random.below(900)}:${random.below(80)})`,
    output: () => `✓ ${path()} (${random.below(60)} tests) ${random.below(900)}ms\n${sentence()}`,
    path,
    word,
  };
}
