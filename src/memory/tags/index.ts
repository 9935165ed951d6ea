export { stem } from './stem.ts';
export { MOST_TAGS, type Taggable, tagsOf, tagsOfWord } from './tags-of.ts';
export { type Word, wordsOf } from './words.ts';
