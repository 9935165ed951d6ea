// Imports go one way: each folder may import only what stands to its left in
//   record <- files <- {config, redact} <- log <- {history, prompts, memory} <- search <- project <- cli
const ALLOWED = {
  record: [],
  files: ['record'],
  config: ['record', 'files'],
  redact: ['record'],
  log: ['record', 'files', 'config', 'redact'],
  history: ['record', 'files', 'config', 'redact', 'log'],
  prompts: ['record', 'files', 'config', 'redact', 'log'],
  memory: ['record', 'files', 'config', 'redact', 'log'],
  search: ['record', 'files', 'config', 'redact', 'log', 'history'],
  project: ['record', 'files', 'config', 'redact', 'log', 'history', 'prompts', 'memory', 'search'],
  cli: ['record', 'files', 'config', 'redact', 'log', 'history', 'prompts', 'memory', 'search', 'project'],
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
      name: 'sql-in-search-only',
      comment: 'SQLite is opened in src/search alone',
      severity: 'error',
      from: { pathNot: '^src/search/' },
      to: { path: 'sqlite' },
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
