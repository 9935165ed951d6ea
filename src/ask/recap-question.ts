import { findRecapQuestion } from '../facts/recap-question.ts';
import type { TimeSpan } from './timeline.ts';

/**
 * Recognises a prompt that asks what was worked on, and returns the time span that it asks about, in this machine's time
 * zone. Undefined for any other prompt.
 */
export function parseRecapQuestion(prompt: string, now: number): TimeSpan | undefined {
  const text = findRecapQuestion(prompt);
  if (text === undefined) return undefined;
  return { ...parseSpan(text.toLowerCase(), now), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

function parseSpan(text: string, now: number): TimeSpan {
  const today = new Date(now);
  today.setHours(0, 0, 0, 0);
  const back = (days: number): number => new Date(today).setDate(today.getDate() - days);
  const monday = (today.getDay() + 6) % 7;
  if (/\b(?:today|heute)\b/.test(text)) return { since: today.getTime() };
  if (/\b(?:yesterday|gestern)\b/.test(text)) return { since: back(1), until: today.getTime() };
  if (/\bthis week\b/.test(text)) return { since: back(monday) };
  if (/\b(?:last week|letzte woche)\b/.test(text)) return { since: back(monday + 7), until: back(monday) };
  if (/\b(?:past|last|previous) (?:few days|week|\d+ days)\b/.test(text)) return { since: back(parseDays(text)) };
  if (/\bmonth\b/.test(text)) return { since: back(31) };
  return {};
}

function parseDays(text: string): number {
  const number = /(\d+) days/.exec(text)?.[1];
  return number === undefined ? 7 : Math.min(3650, Number(number));
}
