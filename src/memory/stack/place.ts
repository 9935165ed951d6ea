import type { ProjectFiles } from './project-files.ts';

/** A folder of the project, as detectors see it. Names and paths are relative to it. */
export interface Place {
  /** Relative to the project; `''` is the root. */
  readonly folder: string;
  readonly depth: number;
  /** Names of the files in it, sorted. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  has(name: string): boolean;
  /** The first of the names that is there. */
  first(names: readonly string[]): string | undefined;
  read(path: string): string | undefined;
  /** Names in a folder under it, also a hidden one; empty when there is none. */
  list(folder: string): readonly string[];
  modified(path: string): number | undefined;
  /** How many files in it and under it end in one of the extensions. */
  countSources(extensions: readonly string[]): number;
  /** The places under it that the walk came by, itself first. */
  readonly within: readonly Place[];
  /** The place that holds it; undefined for the root. */
  readonly parent?: Place;
}

/** How far the walk goes: manifests of a monorepo stand two or three folders down, sources a little deeper. */
const MAX_WALK_DEPTH = 5;
const MAX_FOLDERS = 250;

/** Walks the project, level by level, and returns its folders in that order, the root first. */
export function walkPlaces(files: ProjectFiles): readonly Place[] {
  const places: Growing[] = [];
  const waiting: { readonly folder: string; readonly parent?: Growing }[] = [{ folder: '' }];
  for (
    let next = waiting.shift();
    next !== undefined && places.length < MAX_FOLDERS;
    next = waiting.shift()
  ) {
    const names = files.list(next.folder);
    if (!names) continue;
    const place = makePlace(files, next.folder, names, next.parent);
    places.push(place);
    const counts = countExtensions(place.files);
    for (let holder: Growing | undefined = place; holder; holder = holder.parent) {
      holder.within.push(place);
      for (const [extension, count] of counts) {
        holder.counts.set(extension, (holder.counts.get(extension) ?? 0) + count);
      }
    }
    if (place.depth >= MAX_WALK_DEPTH) continue;
    for (const name of place.folders) {
      if (!name.startsWith('.')) waiting.push({ folder: under(next.folder, name), parent: place });
    }
  }
  return places;
}

/** `ts` of `a.test.ts`; empty when there is none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}

/** A path under a folder of the project. */
export function under(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

interface Growing extends Place {
  readonly within: Place[];
  readonly counts: Map<string, number>;
  readonly parent?: Growing;
}

function countExtensions(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) {
    const extension = extensionOf(name);
    if (extension !== '') counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return counts;
}

function makePlace(
  files: ProjectFiles,
  folder: string,
  names: readonly string[],
  parent: Growing | undefined,
): Growing {
  const own = names.filter((name) => !name.endsWith('/'));
  const known = new Set(own);
  const counts = new Map<string, number>();
  return {
    folder,
    depth: folder === '' ? 0 : folder.split('/').length,
    files: own,
    folders: names.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1)),
    has: (name) => known.has(name),
    first: (wanted) => wanted.find((name) => known.has(name)),
    read: (path) => (path.includes('/') || known.has(path) ? files.read(under(folder, path)) : undefined),
    list: (inner) => files.list(under(folder, inner)) ?? [],
    modified: (path) => files.modified?.(under(folder, path)),
    countSources: (extensions) =>
      extensions.reduce((sum, extension) => sum + (counts.get(extension) ?? 0), 0),
    within: [],
    counts,
    ...(parent ? { parent } : {}),
  };
}
