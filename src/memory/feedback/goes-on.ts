import { once } from '../once.ts';
import { feedbackOf } from './feedback-of.ts';

/** Answers that go on with the request before: consent, refusal, thanks. Whole texts, not beginnings. */
const answers = once(
  () =>
    /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|y|no|nope|n|sure|right|correct|exactly|great|cool|nice|fine|good|thanks?(?: you)?|thx|please|do (?:it|that|so)|go (?:ahead|on|for it)|continue|proceed|carry on|keep going|next|both|all|the (?:first|second|last)(?: one)?|option \w+|\d{1,2}|undo(?: that| it)?|stop|wait|ja|nein|weiter|sí|oui|non|はい|好的|继续)[\s,.!:;…-]*)+$/iu,
);
const LONGEST = 60;

/** Whether a prompt says something of the request before rather than asking for something of its own. */
export function goesOn(prompt: string): boolean {
  const text = prompt.trim();
  return (text.length <= LONGEST && answers().test(text)) || feedbackOf(prompt) !== undefined;
}
