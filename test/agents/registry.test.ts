import { describe, expect, it } from 'vitest';
import { AGENT_NAMES } from '../../src/agents/agent-name.ts';
import { AGENTS, findAgent, loadTranscripts } from '../../src/agents/registry.ts';
import { temporaryFolder } from '../temp-folder.ts';

describe('the registry', () => {
  it('lists every agent under its own name', () => {
    expect(Object.keys(AGENTS)).toEqual([...AGENT_NAMES]);
    for (const name of AGENT_NAMES) expect(findAgent(name)?.name).toBe(name);
    expect(findAgent('constructor')).toBeUndefined();
  });

  it('loads the readers of the named agents in its own order', async () => {
    const loaded = await loadTranscripts(['m31a', 'codex']);
    expect(loaded.map(({ agent }) => agent)).toEqual(['codex', 'm31a']);
    expect(await loadTranscripts()).toHaveLength(AGENT_NAMES.length);
  });
});

describe.each(Object.values(AGENTS).map((agent) => [agent.title, agent] as const))('%s', (_, agent) => {
  it('has a reader of its own that finds nothing on an empty machine', async () => {
    const transcripts = await agent.loadTranscripts();
    const home = temporaryFolder();
    expect(transcripts.agent).toBe(agent.name);
    expect(transcripts.find({ home, env: {}, platform: 'linux', projects: [home] })).toEqual([]);
    expect(transcripts.recognises(`${home}/missing.jsonl`)).toBe(false);
  });

  it('has hooks that reject a malformed payload, if it has any', async () => {
    const protocol = await agent.hooks?.loadProtocol();
    for (const payload of [undefined, null, 'text', [], {}]) {
      expect(protocol?.decode(payload)).toBeUndefined();
    }
  });

  it('has an installation for its hooks', async () => {
    const installation = await agent.loadInstallation?.();
    if (agent.hooks) expect(installation).toBeDefined();
  });
});
