import { COMMAND_FACTS, type CommandFact, type Ecosystem } from '../facts/commands/command-table.ts';
import { joinFolders } from '../facts/commands/recognise-commands.ts';
import { compareText } from '../text/compare-text.ts';
import type { Detector, Finding, FindingSource } from './detector.ts';
import { DOTNET, GO, RUST, SWIFT } from './ecosystems/compiled.ts';
import { JVM } from './ecosystems/jvm.ts';
import { NATIVE } from './ecosystems/native.ts';
import { DENO, NODE } from './ecosystems/node.ts';
import { PYTHON } from './ecosystems/python.ts';
import { ELIXIR, PHP, RUBY } from './ecosystems/scripting.ts';
import { fileExtension, type ProjectFiles, type ProjectFolder, walkFolders } from './project-files.ts';
import type { Fact, ProjectStack, StackEvidence } from './project-stack.ts';
import { CONTINUOUS_INTEGRATION, GIT_HOOKS } from './tooling/automation.ts';
import { INSTRUCTIONS } from './tooling/instructions.ts';
import { FILE_MARKERS, TASK_RUNNERS } from './tooling/task-runners.ts';

/** The findings of one detector in one folder. */
interface FolderFindings {
  readonly detector: Detector;
  readonly folder: ProjectFolder;
  readonly findings: readonly Finding[];
}

/** A finding with its file relative to the project. */
interface Candidate extends Finding {
  readonly folder: string;
  readonly ecosystem: Ecosystem;
}

const SOURCES: readonly FindingSource[] = ['declared', 'target', 'documented', 'configured', 'ci', 'default'];
/** Sources that say how the project does it, whatever else was run. */
const STATED: ReadonlySet<FindingSource> = new Set(['declared', 'target', 'documented']);

/**
 * Detects the tech stack of a project from its manifests, lock files, task runners, continuous integration and git
 * hooks. Never throws; unreadable files are ignored. Deterministic.
 *
 * All ecosystems are reported; commands, package manager and conventions are those of the main one. That is the one with
 * commands to test or build, in the folder nearest to the root, with the most source files; of equals the first one.
 */
export function detectStack(files: ProjectFiles): ProjectStack {
  const folders = walkFolders(cacheReads(files));
  const parts = folders.flatMap((folder) => runDetectors(ECOSYSTEMS, folder)).sort(compareImportance);
  const main = parts[0];
  const nearby = folders.filter((folder) => folder.path === '' || folder === main?.folder);
  const tooling = nearby.flatMap((folder) => runDetectors(TOOLING, folder));
  const [root] = folders;
  const candidates = [...parts, ...tooling].flatMap(toCandidates);
  if (main) candidates.push(...toCandidates(detectConventions(main)));
  if (root)
    candidates.push(...toCandidates({ detector: NO_ECOSYSTEM, folder: root, findings: [...detectLanguages(root)] }));
  return assemble(candidates, main);
}

const NO_ECOSYSTEM: Detector = { id: 'any', extensions: [], detect: () => [] };

function runDetectors(detectors: readonly Detector[], folder: ProjectFolder): FolderFindings[] {
  return detectors
    .map((detector): FolderFindings => ({ detector, folder, findings: [...detector.detect(folder)] }))
    .filter((part) => part.findings.length > 0);
}

function detectConventions({ detector, folder }: FolderFindings): FolderFindings {
  const findings = [...(detector.conventions?.(folder) ?? []), ...detectTestPattern(folder, detector.extensions)];
  return { detector, folder, findings };
}

function compareImportance(a: FolderFindings, b: FolderFindings): number {
  return (
    Number(hasCommands(b)) - Number(hasCommands(a)) ||
    a.folder.depth - b.folder.depth ||
    b.folder.countSources(b.detector.extensions) - a.folder.countSources(a.detector.extensions) ||
    ECOSYSTEMS.indexOf(a.detector) - ECOSYSTEMS.indexOf(b.detector) ||
    compareText(a.folder.path, b.folder.path)
  );
}

function hasCommands(part: FolderFindings): boolean {
  return part.findings.some((finding) => finding.fact === 'testCommand' || finding.fact === 'buildCommand');
}

function toCandidates({ detector, folder, findings }: FolderFindings): Candidate[] {
  return findings.map((finding) => ({
    ...finding,
    file: joinFolders(folder.path, finding.file),
    folder: finding.folder ?? folder.path,
    ecosystem: finding.ecosystem ?? detector.id,
  }));
}

function assemble(candidates: readonly Candidate[], main: FolderFindings | undefined): ProjectStack {
  const evidence: StackEvidence[] = [];
  const stated: Fact[] = [];
  const all = (fact: Fact): readonly string[] => {
    const chosen = new Map<string, string>();
    for (const { fact: said, value, file } of candidates) {
      if (said === fact && !chosen.has(value)) chosen.set(value, file);
    }
    for (const [value, file] of chosen) evidence.push({ fact, value, file });
    return [...chosen.keys()];
  };
  const one = <F extends Fact>(fact: F): { readonly [K in F]?: string } => {
    const chosen = choose(fact, candidates, main);
    if (!chosen) return {};
    const value = isCommand(fact) && chosen.folder !== '' ? `cd ${chosen.folder} && ${chosen.value}` : chosen.value;
    evidence.push({ fact, value, file: chosen.file });
    if (isStated(chosen)) stated.push(fact);
    return { [fact]: value } as { readonly [K in F]?: string };
  };
  return {
    techStack: { languages: all('language'), frameworks: all('framework'), tools: all('tool') },
    commands: {
      ...Object.fromEntries(COMMAND_FACTS.flatMap((fact) => Object.entries(one(fact)))),
      ...one('packageManager'),
    },
    conventions: { ...one('testPattern'), ...one('importStyle'), ...one('formatter') },
    beforeCommit: all('beforeCommit'),
    stated,
    evidence,
  };
}

/** A lock file says which package manager is used. */
function isStated({ fact, source = 'configured' }: Candidate): boolean {
  return STATED.has(source) || (fact === 'packageManager' && source === 'configured');
}

function isCommand(fact: Fact): fact is CommandFact {
  return (COMMAND_FACTS as readonly Fact[]).includes(fact);
}

/** The candidate nearest to the root, then by source, then by the order of the detectors. */
function choose(fact: Fact, candidates: readonly Candidate[], main: FolderFindings | undefined): Candidate | undefined {
  const [best, ...others] = candidates
    .filter((candidate) => candidate.fact === fact && isApplicable(candidate, main))
    .sort((a, b) => a.folder.length - b.folder.length || precedence(a) - precedence(b));
  if (best?.source !== 'ci') return best;
  // Continuous integration adds options of its own; if it runs the default command, that is preferred.
  const usual = others.find((other) => other.source === 'default' && other.folder === best.folder);
  return usual && isSameProgram(usual.value, best.value) ? usual : best;
}

function isApplicable(candidate: Candidate, main: FolderFindings | undefined): boolean {
  if (!main) return candidate.folder === '';
  const near = candidate.folder === '' || candidate.folder === main.folder.path;
  return near && (candidate.ecosystem === 'any' || candidate.ecosystem === main.detector.id);
}

function precedence(candidate: Candidate): number {
  return SOURCES.indexOf(candidate.source ?? 'configured');
}

function isSameProgram(one: string, other: string): boolean {
  const head = (command: string): string => command.split(' ').slice(0, 2).join(' ');
  return head(one) === head(other);
}

/** Several detectors read the same manifest. */
function cacheReads(files: ProjectFiles): ProjectFiles {
  const texts = new Map<string, string | undefined>();
  return {
    ...files,
    list: (folder) => files.list(folder),
    read: (path) => {
      if (!texts.has(path)) texts.set(path, files.read(path));
      return texts.get(path);
    },
  };
}

/** In order of precedence between equals: those that often only assist others come last. */
const ECOSYSTEMS: readonly Detector[] = [DENO, RUST, GO, JVM, DOTNET, SWIFT, ELIXIR, RUBY, PHP, NODE, PYTHON, NATIVE];

/** Tooling that is independent of the ecosystem. */
const TOOLING: readonly Detector[] = [TASK_RUNNERS, INSTRUCTIONS, CONTINUOUS_INTEGRATION, GIT_HOOKS, FILE_MARKERS];

/** Languages by file extension, for projects without manifests and for additional languages. */
const LANGUAGES: readonly string[] = (
  'TypeScript: ts tsx mts cts; JavaScript: js jsx mjs cjs; Python: py; Rust: rs; Go: go; Java: java; ' +
  'Kotlin: kt; Scala: scala; C#: cs; F#: fs; Ruby: rb; PHP: php; C++: cpp cc cxx hpp; C: c; ' +
  'Elixir: ex exs; Swift: swift; Dart: dart; Zig: zig; Haskell: hs; OCaml: ml; Lua: lua; R: r R; ' +
  'Julia: jl; Shell: sh bash; SQL: sql; HTML: html'
).split('; ');
/** A language counts from this share of the sources on, so that a single script does not. */
const MIN_SHARE = 0.2;

/** The languages of a considerable share of the sources, the largest first. */
function* detectLanguages(root: ProjectFolder): Generator<Finding> {
  const counted = LANGUAGES.map((row) => {
    const [language = '', extensions = ''] = row.split(': ');
    return { language, extensions: extensions.split(' '), count: root.countSources(extensions.split(' ')) };
  }).filter(({ count }) => count > 0);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  for (const { language, extensions, count } of counted.sort((a, b) => b.count - a.count)) {
    if (count / total < MIN_SHARE) continue;
    yield {
      fact: 'language',
      value: language,
      file: [...root.paths()].find((path) => extensions.includes(fileExtension(path))) ?? '',
    };
  }
}

/** Naming patterns of test files. */
const PATTERNS: readonly (readonly [name: RegExp, pattern: (extension: string) => string])[] = [
  [/\.test\.[cm]?[jt]sx?$/, (extension) => `*.test.${extension}`],
  [/\.spec\.[cm]?[jt]sx?$/, (extension) => `*.spec.${extension}`],
  [/^test_.+\.py$/, () => 'test_*.py'],
  [/_test\.(py|go|exs|dart|ts|rb|cpp|cc|c)$/, (extension) => `*_test.${extension}`],
  [/_spec\.rb$/, () => '*_spec.rb'],
  [/[a-z0-9]Test\.(java|kt|php|scala)$/, (extension) => `*Test.${extension}`],
  [/[a-z0-9]Spec\.(kt|scala|groovy)$/, (extension) => `*Spec.${extension}`],
  [/[a-z0-9]Tests\.(swift|cs|fs|java|kt)$/, (extension) => `*Tests.${extension}`],
];

/** The most common naming pattern of test files with one of the extensions. */
function* detectTestPattern(folder: ProjectFolder, extensions: readonly string[]): Generator<Finding> {
  const found = new Map<string, { count: number; readonly file: string }>();
  for (const file of folder.paths()) {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const extension = fileExtension(name);
    if (!extensions.includes(extension)) continue;
    const pattern = PATTERNS.find(([expression]) => expression.test(name))?.[1](extension);
    if (pattern === undefined) continue;
    const known = found.get(pattern);
    if (known) known.count++;
    else found.set(pattern, { count: 1, file });
  }
  const [most] = [...found].sort(([a, first], [b, second]) => second.count - first.count || compareText(a, b));
  if (most) yield { fact: 'testPattern', value: most[0], file: most[1].file };
}
