import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPlace } from '../cli/built/run-yore.ts';
import { connect } from './serve.ts';

const docs = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

/** The text from the heading of a tool to the next heading. */
function sectionOf(tool: string): string {
  return docs.split(/^### /m).find((section) => section.startsWith(`\`${tool}\``)) ?? '';
}

it('docs/mcp.md describes every tool with its parameters, every resource and every prompt', async () => {
  const { client } = await connect(createPlace());
  for (const { name, inputSchema } of (await client.listTools()).tools) {
    const section = sectionOf(name);
    expect(section).not.toBe('');
    for (const parameter of Object.keys(inputSchema.properties ?? {})) expect(section).toContain(`\`${parameter}\``);
  }
  const { resources } = await client.listResources();
  const { resourceTemplates } = await client.listResourceTemplates();
  const { prompts } = await client.listPrompts();
  for (const { uri } of resources) expect(docs).toContain(`\`${uri}\``);
  for (const { uriTemplate } of resourceTemplates) expect(docs).toContain(`\`${uriTemplate}\``);
  for (const { name, arguments: parameters = [] } of prompts) {
    expect(docs).toContain(`\`${name}\``);
    for (const parameter of parameters) expect(docs).toContain(`\`${parameter.name}\``);
  }
});
