const OWN = /(?:^|[^a-z0-9])yore[^a-z0-9]+(?:search|recap|check|session|remember)$/i;

/**
 * Whether a tool is yore's own, however the agent names tools of MCP servers: `mcp__yore__search`, `yore.recap`,
 * `mcp_yore_check`. What it answers is recorded history; to record it again would only repeat it.
 */
export function isOwnTool(tool: string): boolean {
  // The name is looked for first: most tools are others', and to compile the pattern takes longer than to record a call.
  return tool.toLowerCase().includes('yore') && OWN.test(tool);
}
