import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';
import { readToml, type Toml } from '../formats/toml.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks: {
    Axum: ['axum'],
    'Actix Web': ['actix-web'],
    Rocket: ['rocket'],
    Warp: ['warp'],
    Tauri: ['tauri'],
    Leptos: ['leptos'],
    Yew: ['yew'],
    Dioxus: ['dioxus'],
    Bevy: ['bevy'],
    Tokio: ['tokio'],
    Ratatui: ['ratatui'],
    clap: ['clap'],
    PyO3: ['pyo3'],
    'napi-rs': ['napi'],
  },
  tools: {
    Serde: ['serde'],
    SQLx: ['sqlx'],
    Diesel: ['diesel'],
    tonic: ['tonic'],
    Criterion: ['criterion'],
    proptest: ['proptest'],
    'wasm-bindgen': ['wasm-bindgen'],
  },
};
const GROUPS = ['dependencies', 'dev-dependencies', 'build-dependencies', 'workspace.dependencies'];
const MANIFEST = 'Cargo.toml';

/** Rust with Cargo. */
export const RUST: Detector = {
  id: 'rust',
  extensions: ['rs'],
  *detect(place) {
    const text = place.read(MANIFEST);
    if (text === undefined) return;
    const manifest = readToml(text);
    if (!manifest.has('package') && !manifest.has('workspace')) return;
    const file = MANIFEST;
    yield { fact: 'language', value: 'Rust', file };
    yield* knownDependencies(dependencyNames(manifest), DEPENDENCIES, file);
    yield { fact: 'tool', value: 'Cargo', file };
    yield { fact: 'packageManager', value: 'cargo', file };
    const everything = manifest.has('workspace') && manifest.has('package') ? ' --workspace' : '';
    const nextest = place.list('.config').includes('nextest.toml');
    if (nextest)
      yield { fact: 'testCommand', value: `cargo nextest run${everything}`, file: '.config/nextest.toml' };
    // A package that is also the root of a workspace tests only itself when not told otherwise.
    yield { fact: 'testCommand', value: `cargo test${everything}`, file, strength: 'usual' };
    yield { fact: 'buildCommand', value: `cargo build${everything}`, file, strength: 'usual' };
    const clippy = place.first(['clippy.toml', '.clippy.toml']);
    yield {
      fact: 'lintCommand',
      value: 'cargo clippy',
      file: clippy ?? file,
      ...(clippy ? {} : { strength: 'usual' }),
    };
    const rustfmt = place.first(['rustfmt.toml', '.rustfmt.toml']);
    yield { fact: 'formatCommand', value: 'cargo fmt', file: rustfmt ?? file, strength: 'usual' };
    yield { fact: 'formatter', value: 'rustfmt', file: rustfmt ?? file, strength: 'usual' };
  },
};

function dependencyNames(manifest: Toml): ReadonlySet<string> {
  return new Set(GROUPS.flatMap((group) => manifest.names(group)));
}
