import { COMMAND_FACTS, type Ecosystem } from './command-table.ts';
import type { Clue, Detector, Strength } from './detector.ts';
import { ECOSYSTEMS, SURROUNDINGS } from './detectors.ts';
import { type Place, walkPlaces } from './place.ts';
import { joinFolders } from './programs-run.ts';
import type { ProjectFiles } from './project-files.ts';
import type { CommandFact, Fact, ProjectStack, StackEvidence } from './project-stack.ts';
import { sourceLanguages } from './source-languages.ts';
import { testPattern } from './test-patterns.ts';

/** What one detector says of one folder. */
interface Part {
  readonly detector: Detector;
  readonly place: Place;
  readonly clues: readonly Clue[];
}

/** A clue with what decides whether it is chosen; its file is relative to the project. */
interface Candidate extends Clue {
  readonly folder: string;
  readonly ecosystem: Ecosystem;
}

const STRENGTHS: readonly Strength[] = ['declared', 'target', 'configured', 'integration', 'usual'];

/**
 * Says what a project is made of, from its manifests, lock files, task runners, continuous integration and git
 * hooks. Never throws; what cannot be read is passed over. The same files give the same answer.
 *
 * All ecosystems are reported; the commands, package manager and conventions are those of the main one. Main is
 * the one that can be tested or built, in the folder nearest to the root, with the most source files under it;
 * of equals the first in the table of ecosystems.
 */
export function detectStack(files: ProjectFiles): ProjectStack {
  const places = walkPlaces(readOnce(files));
  const parts = places.flatMap((place) => partsOf(ECOSYSTEMS, place)).sort(byImportance);
  const main = parts[0];
  const around = places.filter((place) => place.folder === '' || place === main?.place);
  const surroundings = around.flatMap((place) => partsOf(SURROUNDINGS, place));
  const [root] = places;
  const candidates = [...parts, ...surroundings].flatMap(candidatesOf);
  if (main) candidates.push(...candidatesOf(conventionsOf(main)));
  if (root)
    candidates.push(
      ...candidatesOf({ detector: NO_ECOSYSTEM, place: root, clues: [...sourceLanguages(root)] }),
    );
  return assemble(candidates, main);
}

const NO_ECOSYSTEM: Detector = { id: 'any', extensions: [], detect: () => [] };

function partsOf(detectors: readonly Detector[], place: Place): Part[] {
  return detectors
    .map((detector): Part => ({ detector, place, clues: [...detector.detect(place)] }))
    .filter((part) => part.clues.length > 0);
}

function conventionsOf({ detector, place }: Part): Part {
  const clues = [...(detector.conventions?.(place) ?? []), ...testPattern(place, detector.extensions)];
  return { detector, place, clues };
}

function byImportance(a: Part, b: Part): number {
  return (
    Number(canRun(b)) - Number(canRun(a)) ||
    a.place.depth - b.place.depth ||
    b.place.countSources(b.detector.extensions) - a.place.countSources(a.detector.extensions) ||
    ECOSYSTEMS.indexOf(a.detector) - ECOSYSTEMS.indexOf(b.detector) ||
    (a.place.folder < b.place.folder ? -1 : 1)
  );
}

function canRun(part: Part): boolean {
  return part.clues.some((clue) => clue.fact === 'testCommand' || clue.fact === 'buildCommand');
}

function candidatesOf({ detector, place, clues }: Part): Candidate[] {
  return clues.map((clue) => ({
    ...clue,
    file: joinFolders(place.folder, clue.file),
    folder: clue.folder ?? place.folder,
    ecosystem: clue.ecosystem ?? detector.id,
  }));
}

function assemble(candidates: readonly Candidate[], main: Part | undefined): ProjectStack {
  const evidence: StackEvidence[] = [];
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
    const value =
      isCommand(fact) && chosen.folder !== '' ? `cd ${chosen.folder} && ${chosen.value}` : chosen.value;
    evidence.push({ fact, value, file: chosen.file });
    return { [fact]: value } as { readonly [K in F]?: string };
  };
  return {
    techStack: { languages: all('language'), frameworks: all('framework'), tools: all('tool') },
    patterns: {
      ...one('testCommand'),
      ...one('buildCommand'),
      ...one('lintCommand'),
      ...one('formatCommand'),
      ...one('packageManager'),
    },
    conventions: { ...one('testPattern'), ...one('importStyle'), ...one('formatter') },
    beforeCommit: all('beforeCommit'),
    evidence,
  };
}

function isCommand(fact: Fact): fact is CommandFact {
  return (COMMAND_FACTS as readonly Fact[]).includes(fact);
}

/** Nearest to the root first, then the surest, then in the order in which detectors found them. */
function choose(fact: Fact, candidates: readonly Candidate[], main: Part | undefined): Candidate | undefined {
  const [best, ...others] = candidates
    .filter((candidate) => candidate.fact === fact && fits(candidate, main))
    .sort((a, b) => a.folder.length - b.folder.length || strengthOf(a) - strengthOf(b));
  if (best?.strength !== 'integration') return best;
  // Continuous integration adds options for itself: where it runs what is usual, the usual form is the command.
  const usual = others.find((other) => other.strength === 'usual' && other.folder === best.folder);
  return usual && sameProgram(usual.value, best.value) ? usual : best;
}

function fits(candidate: Candidate, main: Part | undefined): boolean {
  if (!main) return candidate.folder === '';
  const near = candidate.folder === '' || candidate.folder === main.place.folder;
  return near && (candidate.ecosystem === 'any' || candidate.ecosystem === main.detector.id);
}

function strengthOf(candidate: Candidate): number {
  return STRENGTHS.indexOf(candidate.strength ?? 'configured');
}

function sameProgram(one: string, other: string): boolean {
  const head = (command: string): string => command.split(' ').slice(0, 2).join(' ');
  return head(one) === head(other);
}

/** Several detectors look into the same manifest. */
function readOnce(files: ProjectFiles): ProjectFiles {
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
