import type { CachedTier, TrackedItem } from './tiers.ts';

/** Which file refers to which, by path. */
export type ReferenceGraph = ReadonlyMap<string, readonly string[]>;

/** What is known of a repository before anything was sent. */
export interface InitialTierOptions {
  /** Files that refer to each other are kept in one tier. */
  readonly graph?: ReferenceGraph;
  /** How often each path is referred to; used without a graph. Default: all alike. */
  readonly counts?: ReadonlyMap<string, number>;
}

const SPREAD: readonly CachedTier[] = ['L1', 'L2', 'L3'];

interface Cluster {
  readonly items: TrackedItem[];
  readonly references: number;
  readonly tokens: number;
}

/**
 * The tier that each item begins with: clusters of files that refer to each other, or single files, those that are
 * referred to most first, spread over L1 to L3 so that each holds about the same. The same items give the same tiers.
 */
export function assignInitialTiers(
  items: readonly TrackedItem[],
  { graph, counts }: InitialTierOptions = {},
): Map<TrackedItem, CachedTier> {
  const placeable = items.filter(({ key }) => !key.startsWith('history:'));
  const references = graph === undefined ? (counts ?? new Map()) : countReferences(graph);
  const clusterOf = graph === undefined ? undefined : mutualClusters(graph);
  const clusters = groupItems(placeable, references, clusterOf);
  const all = clusters.reduce((sum, { tokens }) => sum + tokens, 0);
  const tiers = new Map<TrackedItem, CachedTier>();
  let before = 0;
  for (const cluster of clusters) {
    // By its middle, so that a cluster goes where most of it belongs.
    const share = all === 0 ? 0 : (before + cluster.tokens / 2) / all;
    const tier = SPREAD[Math.min(SPREAD.length - 1, Math.floor(share * SPREAD.length))] ?? 'L3';
    for (const item of cluster.items) tiers.set(item, tier);
    before += cluster.tokens;
  }
  return tiers;
}

function groupItems(
  items: readonly TrackedItem[],
  references: ReadonlyMap<string, number>,
  clusterOf: ((path: string) => string) | undefined,
): Cluster[] {
  const groups = new Map<string, TrackedItem[]>();
  for (const item of items) {
    const name = clusterOf === undefined ? item.key : clusterOf(pathOf(item));
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  const clusters = [...groups].map(([name, members]) => ({
    name,
    items: members,
    references: Math.max(...members.map((item) => references.get(pathOf(item)) ?? 0)),
    tokens: members.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
  return clusters.sort((a, b) => b.references - a.references || (a.name < b.name ? -1 : 1));
}

function countReferences(graph: ReferenceGraph): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [from, targets] of graph) {
    for (const target of new Set(targets)) {
      if (target !== from) counts.set(target, (counts.get(target) ?? 0) + 1);
    }
  }
  return counts;
}

/** Files that refer to each other, directly or over others that do. Returns the least path of the cluster of a path. */
function mutualClusters(graph: ReferenceGraph): (path: string) => string {
  const targets = new Map([...graph].map(([path, list]) => [path, new Set(list)]));
  const parent = new Map<string, string>();
  const rootOf = (path: string): string => {
    let root = path;
    for (let up = parent.get(root); up !== undefined; up = parent.get(root)) root = up;
    for (let step = path; step !== root; ) {
      const up = parent.get(step) ?? root;
      parent.set(step, root);
      step = up;
    }
    return root;
  };
  for (const [path, list] of targets) {
    for (const target of list) {
      if (!targets.get(target)?.has(path)) continue;
      const [a, b] = [rootOf(path), rootOf(target)].sort() as [string, string];
      if (a !== b) parent.set(b, a);
    }
  }
  return rootOf;
}

function pathOf({ key }: TrackedItem): string {
  return key.slice(key.indexOf(':') + 1);
}
