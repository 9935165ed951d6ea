import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createPlace } from '../cli/built/run-yore.ts';
import { connect } from './serve.ts';

const docs = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');

/** The text from the heading of a tool to the next heading. */
function sectionOf(tool: string): string {
  return docs.split(/^### /m).find((section) => section.startsWith(`\`${tool}\``)) ?? '';
}

/** The names of all fields of a JSON schema, also within objects and lists. */
function fieldsOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { readonly properties?: object };
  return [...Object.keys(properties), ...[...Object.values(properties), ...Object.values(rest)].flatMap(fieldsOf)];
}

it('docs/mcp.md describes every tool with its parameters and data, every resource and every prompt', async () => {
  const { client } = await connect(createPlace());
  const missing = (await client.listTools()).tools.flatMap(({ name, inputSchema, outputSchema }) => {
    const section = sectionOf(name);
    const names = new Set([...Object.keys(inputSchema.properties ?? {}), ...fieldsOf(outputSchema)]);
    names.delete('notice'); // In the data of every tool.
    return [...names].filter((field) => !section.includes(`\`${field}\``)).map((field) => `${name}: ${field}`);
  });
  expect(missing).toEqual([]);
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
