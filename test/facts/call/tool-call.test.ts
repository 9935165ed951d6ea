import { describe, expect, it } from 'vitest';
import { isOwnTool } from '../../../src/facts/call/tool-call.ts';

describe("yore's own tools", () => {
  it.each([
    'mcp__yore__search',
    'mcp__plugin_yore_yore__recap',
    'yore__check',
    'mcp_yore_session',
    'yore.remember',
    'yore-search',
    'mcp__yore__failures',
  ])('are recognised as %s', (tool) => expect(isOwnTool(tool)).toBe(true));

  it.each(['Bash', 'search', 'mcp__github__search', 'mcp__fyore__search', 'yore_publish', 'yoresearch'])(
    'are not %s',
    (tool) => expect(isOwnTool(tool)).toBe(false),
  );
});
