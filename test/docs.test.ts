import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { drawDiagram } from '../scripts/architecture-picture.mjs';
import { loadInstallableAgents } from '../src/install/find-agents.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sourceFolders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name);

describe('the architecture picture', () => {
  const diagram = JSON.parse(read('docs/architecture.diagram.json'));

  it.each(['light', 'dark'])('is drawn from its source (%s); `npm run architecture` draws it', (theme) => {
    expect(read(`docs/architecture-${theme}.svg`)).toBe(drawDiagram(diagram, theme));
  });

  it('names folders that exist', () => {
    const named = Object.values<{ folder?: string }>(diagram.boxes).flatMap(({ folder }) => folder ?? []);
    expect(sourceFolders).toEqual(expect.arrayContaining(named));
  });
});

describe('the documentation', () => {
  it('gives each folder of src/ one row in the table of layers, and one in the rule for imports', () => {
    const rows = Array.from(read('AGENTS.md').matchAll(/^\| `(\w+)\/` \|/gm), ([, name = '']) => name);
    const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
      readonly forbidden: readonly { readonly name: string }[];
    };
    const ruled = forbidden.flatMap(({ name }) => /^imports-of-(\w+)$/.exec(name)?.[1] ?? []);
    expect(rows.toSorted()).toEqual(sourceFolders.toSorted());
    expect(ruled.toSorted()).toEqual(sourceFolders.toSorted());
  });

  it('lists every decision with its date and status', () => {
    const index = read('docs/decisions/README.md');
    for (const name of readdirSync(join(root, 'docs', 'decisions'))) {
      if (name === 'README.md') continue;
      expect(index, name).toContain(`](${name})`);
      expect(read(`docs/decisions/${name}`), name).toMatch(/^# .+\n\n\*(?:Accepted|Superseded|Rejected) on \d{4}-/);
    }
  });

  it('names the versions of the agents that yore is tested with', async () => {
    for (const { title, tested } of await loadInstallableAgents()) {
      if (tested === undefined) continue;
      const version = tested.version.replaceAll('.', '\\.');
      expect(read('docs/agents.md')).toMatch(new RegExp(`^\\| ${title} \\| ${version}\\b`, 'm'));
      expect(read('docs/tested-agents.md')).toMatch(new RegExp(`^\\| ${title}[^|]* ${version} \\|`, 'm'));
    }
  });

  const pages = [
    'README.md',
    'AGENTS.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    ...pagesIn('docs'),
    ...pagesIn('docs/decisions'),
  ];

  it.each(pages)('has no dead links to files in %s', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)|(?:src|srcset)="([^"]+)"/g)];
    const targets = links.map(([, link, image]) => link ?? image ?? '').filter((link) => !/^[a-z]+:/.test(link));
    const missing = targets.filter((link) => !existsSync(join(root, page, '..', link)));
    expect(missing).toEqual([]);
  });
});

describe('docs/sources.md', () => {
  const rows = read('docs/sources.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| requirement |'))
    .map((line) => line.slice(2, -2).split(' | '));

  it('has a requirement, a place in yore and proof of it in every row', () => {
    expect(rows.length).toBeGreaterThan(300);
    expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
  });

  it('names tests and benchmarks that exist', () => {
    const figures = read('docs/benchmarks.md');
    const proofs = new Set(rows.flatMap(([, , proof = '']) => proof.split('<br>')));
    const exists = (proof: string): boolean => {
      const [, figure] = /^benchmark `([^`]+)`$/.exec(proof) ?? [];
      if (figure !== undefined) return figures.includes(`\n${figure} `);
      const [, file = '', name = ''] = /^`([^`]+\.test\.ts)` (.+)$/.exec(proof) ?? [];
      if (!existsSync(join(root, 'test', file))) return false;
      const text = read(`test/${file}`);
      const isTitle = (title: string) => ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote},`));
      const parts = name.split(': ');
      const isGroupAndTest = (_: string, n: number) =>
        isTitle(parts.slice(0, n).join(': ')) && isTitle(parts.slice(n).join(': '));
      return isTitle(name) || parts.some(isGroupAndTest);
    };
    expect([...proofs].filter((proof) => !exists(proof))).toEqual([]);
  });

  it('names source files that exist', () => {
    const paths = rows.flatMap(([, place = '']) =>
      [...place.matchAll(/`([\w/-]+\.(?:tsx?|mjs))`/g)].map(([, path = '']) => path),
    );
    const inRepository = (path: string) => (/^(?:web|bench)\//.test(path) ? path : `src/${path}`);
    expect(paths.filter((path) => !existsSync(join(root, inRepository(path))))).toEqual([]);
  });
});

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}
