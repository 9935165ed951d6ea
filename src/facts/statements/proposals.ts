import { oneLine } from '../../text/one-line.ts';
import { MAX_STATEMENT_LENGTH, type ProposalFact } from './statement.ts';

/** The end of a reply is what the user answers. */
const MAX_READ = 3_000;
const MARKUP = /\*\*|__|^[#>\s]+/g;
const OPTION = /^[-*\s]*(?:\*\*)?(?:option\s+)?([a-e]|[1-9])(?:[.):]|\s[–—-])\s*(\S.*)$/i;
/** How an agent recommends something rather than tell what it does. */
const RECOMMENDED =
  /\b(?:i['’]d|i would|i (?:recommend|suggest|propose)|my (?:take|recommendation|suggestion)|recommended|the (?:right|better|cleaner|simplest) \w+|the fix (?:would|is))\b/i;
/** A question, an introduction, or an offer that nothing depends on. */
const NO_PROPOSAL = /[?:]$|^(?:if|would|do) you\b/i;
const MIN_WORDS = 8;

/** What a reply of an agent proposes: the items of its lists, and the last sentence that recommends something. */
export function findProposals(content: string): readonly ProposalFact[] {
  const lines = content
    .slice(-MAX_READ)
    .split('\n')
    .map((line) => line.trim());
  const options = new Map<string, string>();
  for (const line of lines) {
    const [, label = '', text = ''] = OPTION.exec(line) ?? [];
    if (label !== '') options.set(label.toLowerCase(), text);
  }
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+/));
  const recommended = sentences.findLast(
    (each) => RECOMMENDED.test(each) && !NO_PROPOSAL.test(each) && each.split(/\s+/).length >= MIN_WORDS,
  );
  if (recommended !== undefined) options.set('yes', recommended);
  return [...options].map(([label, text]) => ({
    label,
    text: oneLine(text.replace(MARKUP, '').trim(), MAX_STATEMENT_LENGTH),
  }));
}

const ASSENT = '(?:yes|yeah|yep|ok|okay|sure|perfect|agreed|sounds good)';
/** "Let's do B", "yes, option 2", "I like 3". */
const PICK = new RegExp(
  `^(?:${ASSENT}[,.!]? +)?(?:let['’]?s |please )*(?:do |go (?:with|for) |take |use |i (?:like|prefer) |option |number |#)+([a-e]|[1-9])\\b`,
  'i',
);
const YES = new RegExp(
  `^${ASSENT}(?:[,.! ]+(?:please|do (?:it|that|so)|go (?:for it|ahead)|let['’]?s do (?:it|that|this)|agreed|sounds good))*[.! ]*$`,
  'i',
);
const MAX_REPLY = 80;

/** Which part of a proposal a short reply chooses. */
export function findPick(content: string): string | undefined {
  const text = content.trim();
  if (text.length > MAX_REPLY) return undefined;
  if (YES.test(text)) return 'yes';
  return PICK.exec(text)?.[1]?.toLowerCase();
}
