import { once } from '../record/once.ts';

export interface IdentifierOptions {
  /** Whether letters and digits are separate parts: `sha256` has sha, 256. Default: they stay together. */
  readonly splitDigits?: boolean;
}

const JOINER = /[-_.]/;
const CASE_BORDER = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const CASE_OR_DIGIT_BORDER = /(?<=[a-z])(?=[A-Z\d])|(?<=[A-Z])(?=[A-Z][a-z]|\d)|(?<=\d)(?=[A-Za-z])/;
/** Random text (hashes, keys) changes between cases and digits all the time; identifiers rarely do. */
const MIN_AVERAGE_PART = 2.5;
/** Names that are one word in spite of the capital inside. */
const oneWordNames: () => ReadonlySet<string> = once(
  () =>
    new Set(
      'github gitlab bitbucket javascript typescript coffeescript postgresql mysql mongodb dynamodb graphql openai macos devops websocket websockets oauth iphone ipad ios youtube linkedin whatsapp paypal fastapi nextjs nodejs vscode jetbrains'.split(
        ' ',
      ),
    ),
);

/**
 * The parts of an identifier or joined word, in lower case: `getUserById` has get, user, by, id; `pre-commit` has pre,
 * commit. A plain word and random text are one part.
 */
export function identifierParts(identifier: string, options: IdentifierOptions = {}): readonly string[] {
  if (!JOINER.test(identifier)) return partsOfPiece(identifier, options);
  return identifier.split(JOINER).flatMap((piece) => (piece === '' ? [] : partsOfPiece(piece, options)));
}

function partsOfPiece(piece: string, { splitDigits = false }: IdentifierOptions): readonly string[] {
  const whole = piece.toLowerCase();
  if (piece === whole && !splitDigits) return [whole];
  const parts = piece.split(splitDigits ? CASE_OR_DIGIT_BORDER : CASE_BORDER);
  if (parts.length === 1 || piece.length / parts.length < MIN_AVERAGE_PART || oneWordNames().has(whole)) return [whole];
  return parts.map((part) => part.toLowerCase());
}
