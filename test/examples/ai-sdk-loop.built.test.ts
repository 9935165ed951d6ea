import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnthropicServer, blocksOf, startAnthropicServer, type WireRequest } from '../context/anthropic-server.ts';
import { temporaryFolder } from '../temp-folder.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const EXAMPLE = join(root, 'examples', 'ai-sdk-loop.mjs');
const REQUESTS = 8;
const PROMPTS = Array.from({ length: REQUESTS }, (_, index) => `Question ${index + 1}?`);
/** About 2,500 tokens by the server's count. */
const LONG = 'A rule that every part of this project follows. '.repeat(200);

function run(prompts: readonly string[], env: NodeJS.ProcessEnv) {
  return promisify(execFile)(process.execPath, [EXAMPLE, ...prompts], { env });
}

/** The index of the block with a file. */
function blockOf(request: WireRequest, path: string): number {
  return blocksOf(request).findIndex(({ text }) => text?.includes(`${path}\n\`\`\``));
}

function markersOf(request: WireRequest): number[] {
  return blocksOf(request).flatMap((block, index) => (block.cache_control === undefined ? [] : [index]));
}

describe('the AI SDK example', () => {
  let server: AnthropicServer;
  let project: string;
  /** Changes the project while the model answers. */
  let meanwhile: () => void;

  beforeEach(async () => {
    project = temporaryFolder();
    writeFileSync(join(project, 'guide.md'), `# Guide\n${LONG}`);
    writeFileSync(join(project, 'rules.md'), `# Rules\n${LONG}`);
    writeFileSync(join(project, 'draft.ts'), 'export const version = 0;\n');
    meanwhile = () => {};
    server = await startAnthropicServer(({ messages }) => {
      meanwhile();
      return `Answer ${messages.length}.\nCMD: npm test`;
    });
  });
  afterEach(() => server.close());

  const chat = () =>
    run(PROMPTS, {
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: server.url,
      PROJECT: project,
      FILES: 'draft.ts guide.md rules.md',
    });

  it('explains a missing key and a missing question', async () => {
    const noKey = await run(['Hello'], {}).catch((cause) => cause);
    expect(noKey.code).toBe(2);
    expect(noKey.stderr).toContain('ANTHROPIC_API_KEY');
    const noPrompt = await run([], { ANTHROPIC_API_KEY: 'none' }).catch((cause) => cause);
    expect(noPrompt.code).toBe(2);
    expect(noPrompt.stderr).toContain('Say something');
  });

  it('asks, answers and finds suggested commands, without a warning of the AI SDK', async () => {
    const { stdout, stderr } = await chat();
    expect(stderr).toBe('');
    expect(stdout.match(/^> Question \d\?$/gm)).toHaveLength(REQUESTS);
    expect(stdout.match(/^suggested: npm test$/gm)).toHaveLength(REQUESTS);
    for (const [index, request] of server.requests.entries()) {
      expect(blocksOf(request).at(-1)?.text).toBe(PROMPTS[index]);
      expect(markersOf(request).length).toBeLessThanOrEqual(4);
    }
  });

  it('marks the whole prompt while nothing changes, and pays for new messages only', async () => {
    await chat();
    const last = server.requests.at(-1) as WireRequest;
    expect(markersOf(last).at(-1)).toBe(blocksOf(last).length - 1);
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = server.usages.at(-1) ?? {};
    expect(read).toBeGreaterThan(5_000);
    expect(written).toBeLessThan(100);
  });

  it('sends stable files before the changing one and reads them from the cache', async () => {
    let version = 0;
    meanwhile = () => writeFileSync(join(project, 'draft.ts'), `export const version = ${++version};\n`);
    const { stdout } = await chat();
    expect(stdout.match(/draft\.ts has changed/g)).toHaveLength(REQUESTS - 1);
    for (const [index, request] of server.requests.entries()) {
      if (index < 3) continue;
      const stable = [blockOf(request, 'guide.md'), blockOf(request, 'rules.md')];
      const draft = blockOf(request, 'draft.ts');
      expect(draft).toBeGreaterThan(Math.max(...stable));
      expect(markersOf(request).some((marker) => marker >= Math.max(...stable))).toBe(true);
      expect(server.usages[index]?.cache_read_input_tokens).toBeGreaterThan(4_800);
      expect(server.usages[index]?.cache_creation_input_tokens).toBeLessThan(300);
    }
  });

  it("prints the hit rate that the provider's usage gives", async () => {
    const { stdout } = await chat();
    let read = 0;
    let all = 0;
    const expected = server.usages.map((usage) => {
      read += usage.cache_read_input_tokens;
      all += usage.cache_read_input_tokens + usage.cache_creation_input_tokens + usage.input_tokens;
      return Math.round((100 * read) / all);
    });
    const printed = [...stdout.matchAll(/(\d+) % of all so far from the cache/g)].map(([, rate]) => Number(rate));
    expect(printed).toEqual(expected);
    expect(printed.at(-1)).toBeGreaterThan(60);
  });
});
