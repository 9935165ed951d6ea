export { stem } from './stem.ts';
export { MOST_TAGS, tagsOf, tagsOfWord } from './tags-of.ts';
export { wordsOf } from './words.ts';
