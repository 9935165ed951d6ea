import { getOrAdd } from '../../record/once.ts';
import { compareText } from '../../text/compare-text.ts';
import { type CachedTier, nameOfKey, sumTokens, type TrackedItem } from './tiers.ts';

/** Which file refers to which, by path. */
export type ReferenceGraph = ReadonlyMap<string, readonly string[]>;

/** What is known about a repository before the first request. */
export interface InitialTierOptions {
  /** Files that refer to each other are placed in the same tier. */
  readonly graph?: ReferenceGraph;
  /** How often each path is referred to; used without a graph. Default: all equal. */
  readonly counts?: ReadonlyMap<string, number>;
}

const INITIAL_TIERS: readonly CachedTier[] = ['L1', 'L2', 'L3'];

interface Cluster {
  readonly items: TrackedItem[];
  readonly references: number;
  readonly tokens: number;
}

/**
 * Assigns each item an initial tier. Clusters of files that refer to each other, or single files, are ordered by how
 * often they are referred to and spread over L1 to L3 so that each tier holds about the same. Deterministic.
 */
export function assignInitialTiers(
  items: readonly TrackedItem[],
  { graph, counts }: InitialTierOptions = {},
): Map<TrackedItem, CachedTier> {
  const placeable = items.filter(({ key }) => !key.startsWith('history:'));
  const references = graph === undefined ? (counts ?? new Map()) : countReferences(graph);
  const clusterOf = graph === undefined ? undefined : mutualClusters(graph);
  const clusters = groupItems(placeable, references, clusterOf);
  const total = sumTokens(clusters);
  const tiers = new Map<TrackedItem, CachedTier>();
  let before = 0;
  for (const cluster of clusters) {
    // By its middle, so that a cluster goes where most of it belongs.
    const share = total === 0 ? 0 : (before + cluster.tokens / 2) / total;
    const index = Math.min(INITIAL_TIERS.length - 1, Math.floor(share * INITIAL_TIERS.length));
    for (const item of cluster.items) tiers.set(item, INITIAL_TIERS[index] ?? 'L3');
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
    const name = clusterOf === undefined ? item.key : clusterOf(nameOfKey(item.key));
    getOrAdd(groups, name, () => []).push(item);
  }
  const clusters = [...groups].map(([name, members]) => ({
    name,
    items: members,
    references: Math.max(...members.map(({ key }) => references.get(nameOfKey(key)) ?? 0)),
    tokens: sumTokens(members),
  }));
  return clusters.sort((a, b) => b.references - a.references || compareText(a.name, b.name));
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

/**
 * Clusters files that refer to each other, directly or through other such files, with a union-find. Returns a function
 * from a path to the name of its cluster: the path in it that sorts first.
 */
function mutualClusters(graph: ReferenceGraph): (path: string) => string {
  const targets = new Map([...graph].map(([path, list]) => [path, new Set(list)]));
  const parent = new Map<string, string>();
  const findRoot = (path: string): string => {
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
      const [a, b] = [findRoot(path), findRoot(target)].sort() as [string, string];
      if (a !== b) parent.set(b, a);
    }
  }
  return findRoot;
}
