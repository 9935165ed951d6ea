// Writes THIRD-PARTY-NOTICES.md: the packages that are installed with yore or bundled into its app, with their licences,
// from the lock file and node_modules. With --check it writes nothing and exits with 1 if the file is out of date.
//   node scripts/third-party-notices.mjs [--check]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBundledPackages } from './build-web.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'THIRD-PARTY-NOTICES.md');
const LICENCE_FILE = /^(licen[cs]e|copying|notice)(\.\w+)?$/i;

/** Packages in dist/web, as the bundler reports them. */
const bundled = await findBundledPackages();

const wanted = notices(installedPackages());
if (!process.argv.includes('--check')) {
  writeFileSync(file, wanted);
} else if (read(file) !== wanted) {
  console.error('THIRD-PARTY-NOTICES.md is out of date: node scripts/third-party-notices.mjs');
  process.exit(1);
}

/** The packages that `npm install --omit=dev` installs and those in the app, by name. */
function installedPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && (bundled.has(path) || (!dev && !devOptional)))
    .map(([path, { version, license }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return { name, version, license, texts: licenceTexts(join(root, path)) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(withSiblingLicence);
}

/** Some packages of a scope lack the licence file that the others have. */
function withSiblingLicence(found, _index, all) {
  if (found.texts.length > 0) return found;
  const family = found.name.slice(0, found.name.indexOf('/') + 1);
  const sibling = all.find(
    ({ name, license, texts }) =>
      family !== '' && name.startsWith(family) && license === found.license && texts.length > 0,
  );
  if (sibling === undefined) throw new Error(`${found.name} has no licence file.`);
  return { ...found, texts: sibling.texts };
}

function licenceTexts(folder) {
  const names = readdirSync(folder)
    .filter((name) => LICENCE_FILE.test(name))
    .sort();
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
  return texts.length > 0 ? texts : licenceInReadme(folder);
}

/** Some packages have their licence at the end of the README only. */
function licenceInReadme(folder) {
  const readme = readdirSync(folder).find((name) => /^readme(\.\w+)?$/i.test(name));
  const text = readme && readFileSync(join(folder, readme), 'utf8').replaceAll('\r\n', '\n');
  const [, licence = ''] = /^#+ licen[cs]e\s*$([\s\S]*)/im.exec(text ?? '') ?? [];
  return /permission is hereby granted/i.test(licence) ? [licence.trim()] : [];
}

function notices(packages) {
  const byText = new Map();
  for (const { name, version, texts } of packages) {
    const text = texts.join('\n\n');
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  return [
    '# Third-party notices',
    '',
    'These packages are installed with yore or bundled into its app, each under its own licence.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
    ...[...byText].flatMap(([text, names]) => ['', `## ${names.join(', ')}`, '', '```text', text, '```']),
    '',
  ].join('\n');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
  } catch {
    return '';
  }
}
