import fc from 'fast-check';

/** White space and comments as people leave them between the parts of a JSON text. */
const trivia = (lineEnd: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.constantFrom(
        '',
        ' ',
        '  ',
        '\t',
        lineEnd,
        `${lineEnd}    `,
        '/* note */',
        `// "hooks": [${lineEnd}`,
        `// }, ${lineEnd}`,
      ),
      { maxLength: 3 },
    )
    .map((parts) => parts.join(''));

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('hooks', 'mcpServers', 'PreToolUse', '__proto__', 'constructor', '', '// no comment', 'naïve ✓ 🧵'),
);

const scalar = fc
  .oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => JSON.stringify(value));

/** What is already in a settings file: hooks of others, in the shape that the agents use. */
const foreignHooks = (lineEnd: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom('PreToolUse', 'Stop', 'SessionStart', 'Notification'), { maxLength: 3 })
    .chain((events) =>
      fc.tuple(...[...new Set(events)].map((event) => handlers(lineEnd).map((list) => `"${event}":${list}`))),
    )
    .chain((members) => wrapped('{', '}', members, lineEnd));

function handlers(lineEnd: string): fc.Arbitrary<string> {
  const one = fc.constantFrom(
    '{"matcher": "Bash", "hooks": [{"type": "command", "command": "~/bin/guard.sh"}]}',
    `{${'\n'}"hooks": [{"type":"command","command":"echo // done", "timeout": 5}]${'\n'}}`,
    '{"hooks": []}',
  );
  return fc.array(one, { maxLength: 3 }).chain((list) => wrapped('[', ']', list, lineEnd));
}

function wrapped(open: string, close: string, items: readonly string[], lineEnd: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.array(trivia(lineEnd), { minLength: 2 * items.length + 2, maxLength: 2 * items.length + 2 }),
      fc.boolean(),
    )
    .map(([gaps, hasTrailingComma]) => {
      let result = open + gaps[0];
      for (const [index, item] of items.entries()) {
        const isLast = index === items.length - 1;
        const comma = !isLast || hasTrailingComma ? ',' : '';
        result += item + gaps[2 * index + 1] + comma + gaps[2 * index + 2];
      }
      return result + close;
    });
}

function value(lineEnd: string, depth: number): fc.Arbitrary<string> {
  if (depth === 0) return scalar;
  const inner = value(lineEnd, depth - 1);
  const list = fc.array(inner, { maxLength: 3 }).chain((items) => wrapped('[', ']', items, lineEnd));
  return fc.oneof(scalar, list, object(lineEnd, depth - 1, fc.constant([])));
}

function object(lineEnd: string, depth: number, more: fc.Arbitrary<readonly string[]>): fc.Arbitrary<string> {
  const member = fc
    .tuple(text, trivia(lineEnd), trivia(lineEnd), value(lineEnd, depth))
    .filter(([key]) => !['hooks', 'mcpServers', 'version'].includes(key))
    .map(([key, before, after, content]) => `${JSON.stringify(key)}${before}:${after}${content}`);
  return fc
    .tuple(fc.array(member, { maxLength: 3 }), more)
    .chain(([members, others]) => wrapped('{', '}', [...members, ...others], lineEnd));
}

/**
 * A settings file as it may be found: an object with comments, odd white space, either line end, perhaps a byte order mark,
 * hooks and servers of others, minified or blank.
 */
export const settingsDocument: fc.Arbitrary<string> = fc.constantFrom('\n', '\r\n').chain((lineEnd) => {
  const hooks = fc.option(
    foreignHooks(lineEnd).map((content) => `"hooks":${content}`),
    { nil: undefined },
  );
  const servers = fc.option(
    fc
      .constantFrom(['"other": {"command": "other-server", "args": []}'], [])
      .chain((list) => wrapped('{', '}', list, lineEnd))
      .map((content) => `"mcpServers" : ${content}`),
    { nil: undefined },
  );
  const members = fc.tuple(hooks, servers).map((each) => each.filter((one) => one !== undefined));
  const whole = fc
    .tuple(fc.constantFrom('', '\uFEFF'), trivia(lineEnd), object(lineEnd, 2, members), trivia(lineEnd))
    .map((parts) => parts.join(''));
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: fc.constantFrom('', '\uFEFF', lineEnd, '{}', `{${lineEnd}}`, `{ }${lineEnd}`) },
  );
});
