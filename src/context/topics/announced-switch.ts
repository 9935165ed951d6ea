/** What a message says about leaving what was being done: given up, or gone on from. */
export type AnnouncedSwitch = 'reset' | 'switch';

const RESET =
  /\b(?:forget (?:about )?(?:that|this|it|all|everything)|never ?mind|(?:scrap|drop|ditch|discard) (?:that|this|it|all)|start(?:ing)? (?:over|afresh|fresh|from scratch|again from)|(?:try|do|work on) something (?:else|different|new|completely|entirely)|(?:new|different|another|unrelated|separate) (?:topic|task|subject|problem|matter)|change of (?:plans?|topic|subject)|(?:switch|change|shift)(?:ing)? (?:gears|topics?|subjects?)|clean slate)\b/i;
const SWITCH =
  /(?:^|[.!?;:,\n]\s{0,3}|\b(?:ok|okay|great|good|perfect|thanks|and|so),? )(?:now,? (?:let'?s|let us|we |i (?:want|need|would like)|i'?d like|can (?:you|we)|could you|please|for |on to|to the)|next(?:,| up| task| thing| i | we | let'?s| please)|moving on|on to (?:the next|something)|by the way|on (?:another|a different) note|unrelated(?:ly)?|separately|different question|another (?:thing|question|issue))|\blet'?s (?:now |next |instead )?(?:work on|move on|turn to|switch to|go on to|get started (?:on|with)|focus on)\b/i;

/** Only what stands near the beginning of a message announces anything. */
const BEGINNING = 200;

/** Whether a message announces that something else comes now; undefined when it does not. */
export function announcedSwitch(text: string): AnnouncedSwitch | undefined {
  const beginning = text.trimStart().slice(0, BEGINNING);
  if (RESET.test(beginning)) return 'reset';
  return SWITCH.test(beginning) ? 'switch' : undefined;
}
