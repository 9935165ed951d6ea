const EXIT =
  /^[\W_]*(?:the )?(?:process |command )?(?:(?:failed|finished|completed|ended) )?(?:with )?exit(?:ed)?(?: with)?(?: code| status)?[\s:=]+(-?\d{1,5})[\W_]*$/i;
const WORD =
  /^[\W_]*(?:status|result|outcome)?[\s:=]*(failed|failure|error|succeeded|success|passed|ok|done)[\W_]*$/i;
const BAD = /^(?:failed|failure|error)$/i;
const LOOKS_FAILED =
  /^(?:FAIL\b|--- FAIL|(?:\S+: )?(?:error|fatal|panic)(?:\[\w+\])?:|error(?:\[\w+\]| TS\d+):?|npm (?:ERR!|error) |Traceback |Exception\b|AssertionError|E {3})|command not found|: No such file or directory|\b[1-9]\d* (?:failed|failing|errors?)\b|\bFAILED\b/i;
const LONGEST = 80;

/** What a line by itself says of how a command ended; undefined when it says nothing of that. */
export function verdictOf(line: string): boolean | undefined {
  if (line.length > LONGEST) return undefined;
  const exit = EXIT.exec(line);
  if (exit) return Number(exit[1]) !== 0;
  const word = WORD.exec(line);
  return word ? BAD.test(word[1] ?? '') : undefined;
}

/** Does a line of output look as if something had failed? For commands of which nobody said how they ended. */
export function looksFailed(line: string): boolean {
  return LOOKS_FAILED.test(line.slice(0, 500));
}
