// Imports go in one direction. Each folder of src/ may import only the folders listed for it here:
//   record <- {files, text} <- {config, redact, sqlite} <- log <- facts <- {history, prompts, stack} <- store <- ask <- search <- agents
//     <- registry <- recording <- {hook, project with backup} <- {import, install, mcp} <- chat <- server <- cli
//   {record, config} <- embedding <- project
//   context stands beside them: {record, files, text, config, facts, ask} <- context <- chat
const LOG = ['record', 'files', 'text', 'config', 'redact', 'log'];
const STORES = [...LOG, 'sqlite', 'facts', 'history', 'prompts', 'stack', 'store', 'ask'];
const FOLDERS = {
  record: [],
  files: ['record'],
  text: ['record'],
  config: ['record', 'files', 'text'],
  redact: ['record', 'text'],
  sqlite: ['record', 'files'],
  log: ['record', 'files', 'text', 'config', 'redact'],
  history: [...LOG, 'facts'],
  prompts: LOG,
  facts: LOG,
  stack: ['record', 'files', 'text', 'facts'],
  store: [...LOG, 'sqlite', 'history', 'facts'],
  ask: [...LOG, 'sqlite', 'facts', 'history', 'stack', 'store'],
  search: [...LOG, 'sqlite', 'history', 'facts', 'store', 'ask'],
  embedding: ['record', 'config'],
  postgres: [...LOG, 'facts', 'history', 'store', 'ask', 'search'],
  agents: [...LOG, 'sqlite', 'facts'],
  registry: LOG,
  backup: [...LOG, 'registry'],
  recording: [...STORES, 'agents', 'registry'],
  hook: [...STORES, 'search', 'agents', 'registry', 'recording'],
  project: [...STORES, 'search', 'embedding', 'agents', 'registry', 'recording', 'backup'],
  team: [...STORES, 'search', 'postgres', 'registry', 'recording', 'project'],
  import: [...STORES, 'agents', 'registry', 'recording', 'project'],
  install: [...STORES, 'agents', 'project'],
  mcp: [...STORES, 'search', 'project'],
  context: ['record', 'files', 'text', 'config', 'facts', 'ask'],
  chat: [...STORES, 'context', 'search', 'project'],
  server: [...STORES, 'search', 'agents', 'recording', 'project', 'hook', 'mcp', 'chat', 'team'],
  cli: [
    ...STORES,
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
    'team',
  ],
};

// Within a folder: each sub-folder may import only the sub-folders listed for it here. Files that are directly in the
// folder may import all of them.
const SUBFOLDERS = {
  facts: {
    shell: [],
    tags: [],
    call: ['shell'],
    commands: ['shell', 'call'],
    failure: ['shell', 'call'],
    attempt: ['tags', 'call', 'failure'],
    statements: ['call'],
  },
  stack: { tooling: [], ecosystems: ['tooling'] },
  ask: { guard: [] },
  search: { rank: [], query: ['rank'], recall: ['query'] },
  recording: { transcript: [] },
  context: {
    tokens: [],
    topics: [],
    turns: ['tokens'],
    files: ['tokens'],
    cache: ['tokens'],
    assembly: ['tokens', 'files', 'cache'],
    compaction: ['tokens', 'topics', 'turns'],
  },
  chat: { models: [], 'memory-responder': [] },
  mcp: { tools: [] },
  server: {
    rpc: [],
    workers: ['rpc'],
    chat: ['rpc', 'workers'],
    http: ['rpc', 'workers'],
    methods: ['rpc', 'workers', 'chat'],
    live: ['rpc', 'methods'],
  },
  cli: { output: [], demo: [], chat: ['output'], commands: ['output', 'demo', 'chat'] },
};

/** Entry point of a thread, which runs what its folder only starts. */
const WORKER_ENTRY = '^src/server/workers/server-worker\\.ts$';
const API_TYPES = '^src/server/rpc/api\\.ts$';
const WORD_MATCHING = '^src/text/(fold-case|letters|stop-words|word-matches)\\.ts$';

function subfolderRules([folder, table]) {
  return [
    ...Object.entries(table).map(([name, allowed]) => ({
      name: `imports-of-${folder}-${name}`,
      comment: `of its own folder, src/${folder}/${name} may import only ${[name, ...allowed].join(', ')} and files directly in src/${folder}`,
      severity: 'error',
      from: { path: `^src/${folder}/${name}/`, pathNot: WORKER_ENTRY },
      to: { path: `^src/${folder}/[^/]+/`, pathNot: `^src/${folder}/(${[name, ...allowed].join('|')})/` },
    })),
    {
      name: `listed-subfolders-of-${folder}`,
      comment: `a sub-folder of src/${folder} that has no place in the order`,
      severity: 'error',
      from: {
        path: `^src/${folder}/[^/]+/`,
        pathNot: `^src/${folder}/(${Object.keys(table).join('|')})/`,
      },
      to: {},
    },
  ];
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(FOLDERS).map(([folder, allowed]) => ({
      name: `imports-of-${folder}`,
      comment: `src/${folder} may import only ${['itself', ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
    ...Object.entries(SUBFOLDERS).flatMap(subfolderRules),
    {
      name: 'listed-folders',
      comment: 'a folder of src/ that has no place in the order',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(FOLDERS).join('|')})/` },
      to: {},
    },
    {
      name: 'no-cycles',
      comment: 'loading a command when it runs is not a cycle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'web-imports-api-only',
      comment: 'the browser app shares the types of the API with the server, and how words are matched, which is pure',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^src/', pathNot: [API_TYPES, WORD_MATCHING] },
    },
    {
      name: 'web-imports-types-only',
      comment: 'code of the server must not get into the browser app',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: API_TYPES, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-web-in-src',
      comment: 'the package contains the browser app as built files only',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'sqlite-in-one-place',
      comment: 'SQLite is loaded in src/sqlite only',
      severity: 'error',
      from: { pathNot: '^src/sqlite/' },
      to: { path: 'node_modules/.*sqlite|^(node:)?sqlite$' },
    },
    {
      name: 'no-barrels-in-hooks',
      comment: 'a hook starts in milliseconds: a barrel would load a whole folder (test/hook/loaded-modules.test.ts)',
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
