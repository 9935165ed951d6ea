import { once } from '../once.ts';
import { feedbackOf } from './feedback-of.ts';
import { startsAs } from './starts-as.ts';

/** Answers that go on with the request before: consent, refusal, thanks. Whole texts, not beginnings. */
const answers = once(
  () =>
    /^(?:(?:ok(?:ay)?|yes|yeah|yep|yup|y|no|nope|n|sure|right|correct|exactly|great|cool|nice|fine|good|thanks?(?: you)?|thx|please|do (?:it|that|so)|go (?:ahead|on|for it)|continue|proceed|carry on|keep going|next|both|all|the (?:first|second|last)(?: one)?|option \w+|\d{1,2}|undo(?: that| it)?|stop|wait|ja|nein|weiter|sí|oui|non|はい|好的|继续)[\s,.!:;…-]*)+$/i,
);
/** How one of them may start. */
const STARTS =
  'ok|y|n|sure|right|correct|exactly|great|cool|fine|good|than|thx|please|do |go |continue|proceed|carry on|keep going|both|all|the first|the second|the last|option |0|1|2|3|4|5|6|7|8|9|undo|stop|wait|ja|weiter|sí|oui|はい|好的|继续';
const LONGEST = 60;

/** Whether a prompt says something of the request before rather than asking for something of its own. */
export function goesOn(prompt: string): boolean {
  const text = prompt.trim();
  return isAnswer(text) || feedbackOf(prompt) !== undefined;
}

function isAnswer(text: string): boolean {
  return text.length <= LONGEST && startsAs(text.toLowerCase(), STARTS) && answers().test(text);
}
