// Imports go one way: each folder may import only what stands to its left in
//   record <- {files, text} <- {config, redact, sqlite} <- log <- {history, prompts, memory} <- {search, agents} <- registry
//     <- recording <- {hook, project} <- {import, install, mcp} <- cli
//   and {record, files, config, memory} <- context, {project, context} <- chat <- cli, {chat, hook, mcp} <- server <- cli
const LOG = ['record', 'files', 'text', 'config', 'redact', 'log'];
const PARTS = [...LOG, 'history', 'prompts', 'memory'];
const ALLOWED = {
  record: [],
  files: ['record'],
  text: ['record'],
  config: ['record', 'files', 'text'],
  redact: ['record', 'text'],
  sqlite: ['record', 'files'],
  log: ['record', 'files', 'text', 'config', 'redact'],
  history: LOG,
  prompts: LOG,
  memory: LOG,
  search: [...LOG, 'sqlite', 'history'],
  agents: [...LOG, 'sqlite', 'memory'],
  registry: LOG,
  backup: [...LOG, 'registry'],
  recording: [...PARTS, 'agents', 'registry'],
  project: [...PARTS, 'search', 'registry', 'recording', 'backup'],
  import: [...PARTS, 'agents', 'registry', 'recording', 'project'],
  hook: [...PARTS, 'agents', 'registry', 'recording'],
  install: [...PARTS, 'agents', 'project'],
  mcp: [...PARTS, 'search', 'project'],
  context: ['record', 'files', 'text', 'config', 'memory'],
  chat: [...PARTS, 'context', 'search', 'project'],
  server: [...PARTS, 'search', 'recording', 'project', 'hook', 'mcp', 'chat'],
  cli: [
    ...PARTS,
    'search',
    'agents',
    'project',
    'import',
    'hook',
    'install',
    'mcp',
    'context',
    'chat',
    'server',
  ],
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(ALLOWED).map(([folder, allowed]) => ({
      name: `imports-of-${folder}`,
      comment: `src/${folder} may import only ${['itself', ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
    {
      name: 'no-cycles',
      comment: 'loading a command when it runs is no cycle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'listed-folders-only',
      comment: 'a folder of src/ that has no place in the order above',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(ALLOWED).join('|')})/` },
      to: {},
    },
    {
      name: 'sqlite-in-one-place',
      comment: 'the package is loaded in src/sqlite alone',
      severity: 'error',
      from: { pathNot: '^src/sqlite/' },
      to: { path: 'node_modules/.*sqlite|^(node:)?sqlite$' },
    },
    {
      name: 'no-sqlite-in-hooks',
      comment:
        'a hook starts in milliseconds: no index, no database (of the agents it loads the readable transcripts only: scripts/bundle-hook.mjs)',
      severity: 'error',
      from: { path: '^src/(hook|recording)/', pathNot: '^src/hook/(main|answer|http-handler|index)' },
      to: { path: '^src/(search|sqlite)/', reachable: true },
    },
    {
      name: 'no-barrels-in-hooks',
      comment:
        'a hook starts in milliseconds: a barrel would load a whole folder (test/hook/loaded-modules.test.ts)',
      severity: 'error',
      from: { path: '^src/(hook|recording)/', pathNot: '/index\\.ts$' },
      to: { path: '^src/.+/index\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
