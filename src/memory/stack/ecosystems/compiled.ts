import { type DependencyTable, type Detector, knownDependencies } from '../detector.ts';
import { readToml, type Toml } from '../formats/toml.ts';
import type { Place } from '../place.ts';

const RUST_DEPENDENCIES: DependencyTable = {
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
const CARGO_GROUPS = ['dependencies', 'dev-dependencies', 'build-dependencies', 'workspace.dependencies'];
const CARGO_MANIFEST = 'Cargo.toml';

/** Rust with Cargo. */
export const RUST: Detector = {
  id: 'rust',
  extensions: ['rs'],
  *detect(place) {
    const text = place.read(CARGO_MANIFEST);
    if (text === undefined) return;
    const manifest = readToml(text);
    if (!manifest.has('package') && !manifest.has('workspace')) return;
    const file = CARGO_MANIFEST;
    yield { fact: 'language', value: 'Rust', file };
    yield* knownDependencies(cargoDependencies(manifest), RUST_DEPENDENCIES, file);
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

function cargoDependencies(manifest: Toml): ReadonlySet<string> {
  return new Set(CARGO_GROUPS.flatMap((group) => manifest.names(group)));
}

const GO_DEPENDENCIES: DependencyTable = {
  frameworks: {
    Gin: ['github.com/gin-gonic/gin*'],
    Echo: ['github.com/labstack/echo*'],
    Fiber: ['github.com/gofiber/fiber*'],
    chi: ['github.com/go-chi/chi*'],
    'gorilla/mux': ['github.com/gorilla/mux*'],
    gRPC: ['google.golang.org/grpc'],
    Cobra: ['github.com/spf13/cobra'],
    'Bubble Tea': ['github.com/charmbracelet/bubbletea*', 'charm.land/bubbletea*'],
    'controller-runtime': ['sigs.k8s.io/controller-runtime'],
  },
  tools: {
    GORM: ['gorm.io/gorm'],
    ent: ['entgo.io/ent'],
    Testify: ['github.com/stretchr/testify'],
    Ginkgo: ['github.com/onsi/ginkgo*'],
    Redis: ['github.com/redis/go-redis*', 'github.com/go-redis/redis*'],
    PostgreSQL: ['github.com/jackc/pgx*', 'github.com/lib/pq'],
  },
};
const GO_LINTER_FILES = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];
/** Modules in indented `require` lists and in lines of their own; those marked indirect are other people's. */
const GO_REQUIREMENT = /^(?:require[ \t]+|[ \t]+)([\w.-]+\.[\w-]+\/\S+)[ \t]+v\S+(?!.*\/\/ indirect)/gm;

/** Go with modules. */
export const GO: Detector = {
  id: 'go',
  extensions: ['go'],
  *detect(place) {
    const file = place.first(['go.mod', 'go.work']);
    const text = file === undefined ? undefined : place.read(file);
    if (file === undefined || text === undefined || !/^(module|go|use)\b/m.test(text)) return;
    yield { fact: 'language', value: 'Go', file };
    const modules = new Set([...text.matchAll(GO_REQUIREMENT)].map((match) => match[1] ?? ''));
    yield* knownDependencies(modules, GO_DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'go', file };
    const release = place.first(['.goreleaser.yml', '.goreleaser.yaml']);
    if (release !== undefined) yield { fact: 'tool', value: 'GoReleaser', file: release };
    const all = file === 'go.work' ? workspaceModules(text) : './...';
    yield { fact: 'testCommand', value: `go test ${all}`, file, strength: 'usual' };
    yield { fact: 'buildCommand', value: `go build ${all}`, file, strength: 'usual' };
    const linter = place.first(GO_LINTER_FILES);
    if (linter !== undefined) {
      yield { fact: 'tool', value: 'golangci-lint', file: linter };
      yield { fact: 'lintCommand', value: 'golangci-lint run', file: linter };
    }
    yield { fact: 'lintCommand', value: `go vet ${all}`, file, strength: 'usual' };
    yield { fact: 'formatCommand', value: 'gofmt -w .', file, strength: 'usual' };
    yield { fact: 'formatter', value: 'gofmt', file, strength: 'usual' };
  },
};

/** In a folder with only go.work, `./...` matches nothing: the modules of the workspace have to be named. */
function workspaceModules(text: string): string {
  const used = [...text.matchAll(/^(?:use[ \t]+|[ \t]+)(\.{1,2}\/[\w./-]*|\.)[ \t\r]*(?:\/\/.*)?$/gm)];
  const modules = used.map((match) => `${(match[1] ?? '.').replace(/\/$/, '')}/...`);
  return modules.length === 0 ? './...' : modules.join(' ');
}

const DOTNET_DEPENDENCIES: DependencyTable = {
  frameworks: {
    'ASP.NET Core': ['Microsoft.NET.Sdk.Web', 'Microsoft.AspNetCore.*'],
    Blazor: ['Microsoft.NET.Sdk.BlazorWebAssembly', 'Microsoft.AspNetCore.Components*'],
    MAUI: ['Microsoft.Maui*'],
    Avalonia: ['Avalonia'],
    'Entity Framework Core': ['Microsoft.EntityFrameworkCore*'],
    Giraffe: ['Giraffe'],
    '.NET Aspire': ['Aspire.*'],
  },
  tools: {
    'xUnit.net': ['xunit*'],
    NUnit: ['NUnit'],
    MSTest: ['MSTest*'],
    Moq: ['Moq'],
    NSubstitute: ['NSubstitute'],
    Dapper: ['Dapper'],
    Serilog: ['Serilog*'],
    CSharpier: ['CSharpier*'],
  },
};
const DOTNET_LANGUAGES: readonly (readonly [extension: string, language: string])[] = [
  ['csproj', 'C#'],
  ['fsproj', 'F#'],
  ['vbproj', 'Visual Basic'],
];
const PROJECT = /\.(cs|fs|vb)proj$/;
const SOLUTION = /\.slnx?$/;
/** Enough to know what a solution is made of. */
const MAX_PROJECTS = 40;
const DOTNET_REFERENCE =
  /<(?:PackageReference|PackageVersion|FrameworkReference)\s[^>]{0,300}?(?:Include|Update)="([^"]{1,200})"|\bSdk="([\w.-]+)/g;

/** .NET: solutions, and projects that no solution above holds. */
export const DOTNET: Detector = {
  id: 'dotnet',
  extensions: ['cs', 'fs', 'vb', 'razor', 'cshtml'],
  *detect(place) {
    const solution = place.files.find((name) => SOLUTION.test(name));
    const project = place.files.find((name) => PROJECT.test(name));
    const file = solution ?? project;
    if (file === undefined) return;
    const projects = projectsUnder(place);
    for (const [extension, language] of DOTNET_LANGUAGES) {
      const first = projects.find((path) => path.endsWith(`.${extension}`));
      if (first !== undefined) yield { fact: 'language', value: language, file: first };
    }
    if (projects.length === 0) yield { fact: 'language', value: 'C#', file };
    for (const path of [...projects, 'Directory.Packages.props']) {
      const text = place.read(path) ?? '';
      const names = new Set([...text.matchAll(DOTNET_REFERENCE)].map((match) => match[1] ?? match[2] ?? ''));
      yield* knownDependencies(names, DOTNET_DEPENDENCIES, path);
    }
    yield { fact: 'packageManager', value: 'dotnet', file };
    yield { fact: 'testCommand', value: 'dotnet test', file, strength: 'usual' };
    yield { fact: 'buildCommand', value: 'dotnet build', file, strength: 'usual' };
    yield { fact: 'formatCommand', value: 'dotnet format', file, strength: 'usual' };
    yield { fact: 'formatter', value: 'dotnet format', file, strength: 'usual' };
  },
};

function projectsUnder(place: Place): readonly string[] {
  const start = place.folder === '' ? 0 : place.folder.length + 1;
  const paths = place.within.flatMap((inner) =>
    inner.files
      .filter((name) => PROJECT.test(name))
      .map((name) => (inner === place ? name : `${inner.folder.slice(start)}/${name}`)),
  );
  return paths.slice(0, MAX_PROJECTS);
}

const SWIFT_DEPENDENCIES: DependencyTable = {
  frameworks: {
    Vapor: ['vapor'],
    Hummingbird: ['hummingbird'],
    SwiftNIO: ['swift-nio'],
    'Composable Architecture': ['swift-composable-architecture'],
  },
  tools: {
    'Swift Argument Parser': ['swift-argument-parser'],
    'Swift Testing': ['swift-testing'],
    GRDB: ['GRDB.swift'],
    Fluent: ['fluent'],
  },
};

/** Swift with its package manager; an Xcode project without a package only says what it is. */
export const SWIFT: Detector = {
  id: 'swift',
  extensions: ['swift'],
  *detect(place) {
    const xcode = place.folders.find((name) => /\.(xcodeproj|xcworkspace)$/.test(name));
    const file = place.first(['Package.swift', 'Podfile']) ?? xcode;
    if (file === undefined) return;
    yield { fact: 'language', value: 'Swift', file };
    if (xcode !== undefined) yield { fact: 'tool', value: 'Xcode', file: xcode };
    if (place.has('Podfile')) yield { fact: 'tool', value: 'CocoaPods', file: 'Podfile' };
    const linter = place.first(['.swiftlint.yml', '.swiftlint.yaml']);
    if (linter !== undefined) {
      yield { fact: 'tool', value: 'SwiftLint', file: linter };
      yield { fact: 'lintCommand', value: 'swiftlint', file: linter };
    }
    const formatter = place.first(['.swiftformat', '.swift-format']);
    if (formatter !== undefined) {
      const program = formatter.slice(1);
      yield {
        fact: 'formatCommand',
        value: program === 'swiftformat' ? 'swiftformat .' : 'swift format -i -r .',
        file: formatter,
      };
      yield { fact: 'formatter', value: program, file: formatter };
    }
    const text = place.read('Package.swift');
    if (text === undefined) return;
    const urls = text.matchAll(/\burl:\s*"[^"]{0,200}\/([\w.-]+?)(?:\.git)?"/g);
    yield* knownDependencies(
      new Set([...urls].map((match) => match[1] ?? '')),
      SWIFT_DEPENDENCIES,
      'Package.swift',
    );
    yield { fact: 'packageManager', value: 'swiftpm', file: 'Package.swift' };
    yield { fact: 'testCommand', value: 'swift test', file: 'Package.swift', strength: 'usual' };
    yield { fact: 'buildCommand', value: 'swift build', file: 'Package.swift', strength: 'usual' };
  },
};
