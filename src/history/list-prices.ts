/** The day as of which {@link LIST_PRICES} were taken from models.dev, LiteLLM and the providers' own pages. */
export const PRICES_AS_OF = '2026-10-03';

/**
 * List prices in US dollars per million tokens: `model input output [cacheRead [cacheWrite [cacheHour]]]`. Left out are models
 * whose price depends on the time or the length of the prompt from the first token on, or differs between sources.
 */
export const LIST_PRICES = `
claude-fable-5-1 10 50 0.25 12.5 20
claude-fable-5 10 50 1 12.5 20
claude-opus-5-5 4 20 0.2 5 8
claude-opus-5 5 25 0.5 6.25 10
claude-opus-4-8 5 25 0.5 6.25 10
claude-opus-4-7 5 25 0.5 6.25 10
claude-opus-4-6 5 25 0.5 6.25 10
claude-opus-4-5 5 25 0.5 6.25 10
claude-opus-4-1 15 75 1.5 18.75 30
claude-opus-4-0 15 75 1.5 18.75 30
claude-opus-4 15 75 1.5 18.75 30
claude-3-opus 15 75 1.5 18.75 30
claude-sonnet-5-5 2 10 0.1 2.5 4
claude-sonnet-5 2 10 0.2 2.5 4
claude-sonnet-4-6 3 15 0.3 3.75 6
claude-sonnet-4-5 3 15 0.3 3.75 6
claude-sonnet-4-0 3 15 0.3 3.75 6
claude-sonnet-4 3 15 0.3 3.75 6
claude-3-7-sonnet 3 15 0.3 3.75 6
claude-3-5-sonnet 3 15 0.3 3.75 6
claude-haiku-4-5 1 5 0.1 1.25 2
claude-3-5-haiku 0.8 4 0.08 1 1.6
claude-3-haiku 0.25 1.25 0.03 0.3 0.5
gpt-6-astra 10 50 1 12.5
gpt-5.5-pro 30 180
gpt-5.5 5 30 0.5
gpt-5.4-pro 30 180
gpt-5.4-mini 0.75 4.5 0.075
gpt-5.4-nano 0.2 1.25 0.02
gpt-5.4 2.5 15 0.25
gpt-5.3-codex 1.75 14 0.175
gpt-5.2-pro 21 168
gpt-5.2-codex 1.75 14 0.175
gpt-5.2 1.75 14 0.175
gpt-5.1-codex-mini 0.25 2 0.025
gpt-5.1-codex-max 1.25 10 0.125
gpt-5.1-codex 1.25 10 0.125
gpt-5.1 1.25 10 0.125
gpt-5-pro 15 120
gpt-5-codex 1.25 10 0.125
gpt-5-mini 0.25 2 0.025
gpt-5-nano 0.05 0.4 0.005
gpt-5 1.25 10 0.125
gpt-4.1 2 8 0.5
gpt-4.1-mini 0.4 1.6 0.1
gpt-4.1-nano 0.1 0.4 0.025
gpt-4o 2.5 10 1.25
gpt-4o-mini 0.15 0.6 0.075
o4-mini 1.1 4.4 0.275
o3 2 8 0.5
gemini-3.7-flash 1.5 7.5 0.15
gemini-3.5-flash 1.5 9 0.15
gemini-3.1-pro 2 12 0.2
gemini-3.1-flash-lite 0.25 1.5 0.025
gemini-3-pro 2 12 0.2
gemini-3-flash 0.5 3 0.05
gemini-2.5-pro 1.25 10 0.125
gemini-2.5-flash 0.3 2.5 0.03
gemini-2.5-flash-lite 0.1 0.4 0.01
grok-code-fast-1 0.2 1.5 0.02
deepseek-chat 0.28 0.42 0.028
deepseek-reasoner 0.28 0.42 0.028
`;
