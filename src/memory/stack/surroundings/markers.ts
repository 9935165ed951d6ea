import type { Detector } from '../detector.ts';

/** Tools that a file in the root folder gives away. */
const MARKERS: readonly (readonly [tool: string, name: RegExp])[] = [
  ['Docker', /^(Dockerfile|Containerfile)(\..+)?$/],
  ['Docker Compose', /^(docker-)?compose(\..+)?\.ya?ml$/],
  ['Dev Containers', /^\.devcontainer\.json$/],
  ['Terraform', /\.tf$/],
  ['Bazel', /^(MODULE|WORKSPACE)(\.bazel)?$/],
  ['Nix', /^(flake|default|shell)\.nix$/],
  ['Turborepo', /^turbo\.json$/],
  ['Nx', /^nx\.json$/],
  ['Helm', /^Chart\.ya?ml$/],
  ['Vercel', /^vercel\.json$/],
  ['Cloudflare Workers', /^wrangler\.(toml|jsonc?)$/],
  ['Fly.io', /^fly\.toml$/],
  ['Renovate', /^(renovate\.json5?|\.renovaterc(\.json)?)$/],
];

/** Deployment and automation around the code. */
export const FILE_MARKERS: Detector = {
  id: 'any',
  extensions: [],
  *detect(place) {
    if (place.folder !== '') return;
    for (const [value, pattern] of MARKERS) {
      const file = place.files.find((name) => pattern.test(name));
      if (file !== undefined) yield { fact: 'tool', value, file };
    }
  },
};
