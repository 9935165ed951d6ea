import { type DependencyTable, type Detector, findAll, findDependencies, toFindings } from '../detector.ts';
import { hasPath, type Manifest, objectAt, readToml } from '../manifest.ts';

const RUST_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Axum: axum; Actix Web: actix-web; Rocket: rocket; Warp: warp; Tauri: tauri; Leptos: leptos; ' +
    'Yew: yew; Dioxus: dioxus; Bevy: bevy; Tokio: tokio; Ratatui: ratatui; clap: clap; PyO3: pyo3; ' +
    'napi-rs: napi',
  tools:
    'Serde: serde; SQLx: sqlx; Diesel: diesel; tonic: tonic; Criterion: criterion; proptest: proptest; ' +
    'wasm-bindgen: wasm-bindgen',
};
const CARGO_GROUPS = ['dependencies', 'dev-dependencies', 'build-dependencies', 'workspace.dependencies'];
const CARGO_MANIFEST = 'Cargo.toml';

/** Rust with Cargo. */
export const RUST: Detector = {
  id: 'rust',
  extensions: ['rs'],
  *detect(folder) {
    const text = folder.read(CARGO_MANIFEST);
    if (text === undefined) return;
    const manifest = readToml(text);
    if (!hasPath(manifest, 'package') && !hasPath(manifest, 'workspace')) return;
    const file = CARGO_MANIFEST;
    yield { fact: 'language', value: 'Rust', file };
    yield* findDependencies(cargoDependencies(manifest), RUST_DEPENDENCIES, file);
    yield* toFindings(file, { tool: 'Cargo', packageManager: 'cargo' });
    const everything = hasPath(manifest, 'workspace') && hasPath(manifest, 'package') ? ' --workspace' : '';
    const nextest = folder.list('.config').includes('nextest.toml');
    if (nextest) yield { fact: 'testCommand', value: `cargo nextest run${everything}`, file: '.config/nextest.toml' };
    // Without the option, a package that is also the root of a workspace tests only itself.
    yield* toFindings(
      file,
      { testCommand: `cargo test${everything}`, buildCommand: `cargo build${everything}` },
      'default',
    );
    const clippy = folder.first(['clippy.toml', '.clippy.toml']);
    yield {
      fact: 'lintCommand',
      value: 'cargo clippy',
      file: clippy ?? file,
      ...(clippy ? {} : { source: 'default' }),
    };
    const rustfmt = folder.first(['rustfmt.toml', '.rustfmt.toml']);
    yield* toFindings(rustfmt ?? file, { formatCommand: 'cargo fmt', formatter: 'rustfmt' }, 'default');
  },
};

function cargoDependencies(manifest: Manifest): ReadonlySet<string> {
  return new Set(CARGO_GROUPS.flatMap((group) => Object.keys(objectAt(manifest, ...group.split('.')))));
}

const GO_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Gin: github.com/gin-gonic/gin*; Echo: github.com/labstack/echo*; ' +
    'Fiber: github.com/gofiber/fiber*; chi: github.com/go-chi/chi*; ' +
    'gorilla/mux: github.com/gorilla/mux*; gRPC: google.golang.org/grpc; ' +
    'Cobra: github.com/spf13/cobra; ' +
    'Bubble Tea: github.com/charmbracelet/bubbletea* charm.land/bubbletea*; ' +
    'controller-runtime: sigs.k8s.io/controller-runtime',
  tools:
    'GORM: gorm.io/gorm; ent: entgo.io/ent; Testify: github.com/stretchr/testify; ' +
    'Ginkgo: github.com/onsi/ginkgo*; Redis: github.com/redis/go-redis* github.com/go-redis/redis*; ' +
    'PostgreSQL: github.com/jackc/pgx* github.com/lib/pq',
};
const GO_LINTER_FILES = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];
/** Modules in `require` lists and single lines, without indirect ones. */
const GO_REQUIREMENT = /^(?:require[ \t]+|[ \t]+)([\w.-]+\.[\w-]+\/\S+)[ \t]+v\S+(?!.*\/\/ indirect)/gm;

/** Go with modules. */
export const GO: Detector = {
  id: 'go',
  extensions: ['go'],
  *detect(folder) {
    const file = folder.first(['go.mod', 'go.work']);
    const text = file === undefined ? undefined : folder.read(file);
    if (file === undefined || text === undefined || !/^(module|go|use)\b/m.test(text)) return;
    yield { fact: 'language', value: 'Go', file };
    yield* findDependencies(findAll(text, GO_REQUIREMENT), GO_DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'go', file };
    const release = folder.first(['.goreleaser.yml', '.goreleaser.yaml']);
    if (release !== undefined) yield { fact: 'tool', value: 'GoReleaser', file: release };
    const all = file === 'go.work' ? workspaceModules(text) : './...';
    yield* toFindings(file, { testCommand: `go test ${all}`, buildCommand: `go build ${all}` }, 'default');
    const linter = folder.first(GO_LINTER_FILES);
    if (linter !== undefined) {
      yield* toFindings(linter, { tool: 'golangci-lint', lintCommand: 'golangci-lint run' });
    }
    yield* toFindings(
      file,
      { lintCommand: `go vet ${all}`, formatCommand: 'gofmt -w .', formatter: 'gofmt' },
      'default',
    );
  },
};

/** In a folder with only go.work, `./...` matches nothing, so the modules of the workspace are listed. */
function workspaceModules(text: string): string {
  const used = findAll(text, /^(?:use[ \t]+|[ \t]+)(\.{1,2}\/[\w./-]*|\.)[ \t\r]*(?:\/\/.*)?$/gm);
  return used.size === 0 ? './...' : [...used].map((path) => `${path.replace(/\/$/, '')}/...`).join(' ');
}

const DOTNET_DEPENDENCIES: DependencyTable = {
  frameworks:
    'ASP.NET Core: Microsoft.NET.Sdk.Web Microsoft.AspNetCore.*; ' +
    'Blazor: Microsoft.NET.Sdk.BlazorWebAssembly Microsoft.AspNetCore.Components*; ' +
    'MAUI: Microsoft.Maui*; Avalonia: Avalonia; Entity Framework Core: Microsoft.EntityFrameworkCore*; ' +
    'Giraffe: Giraffe; .NET Aspire: Aspire.*',
  tools:
    'xUnit.net: xunit*; NUnit: NUnit; MSTest: MSTest*; Moq: Moq; NSubstitute: NSubstitute; ' +
    'Dapper: Dapper; Serilog: Serilog*; CSharpier: CSharpier*',
};
const DOTNET_LANGUAGES: readonly (readonly [extension: string, language: string])[] = [
  ['csproj', 'C#'],
  ['fsproj', 'F#'],
  ['vbproj', 'Visual Basic'],
];
const PROJECT = /\.(cs|fs|vb)proj$/;
const SOLUTION = /\.slnx?$/;
const MAX_PROJECTS = 40;
const DOTNET_REFERENCE =
  /<(?:PackageReference|PackageVersion|FrameworkReference)\s[^>]{0,300}?(?:Include|Update)="([^"]{1,200})"|\bSdk="([\w.-]+)/g;

/** .NET solutions and projects. */
export const DOTNET: Detector = {
  id: 'dotnet',
  extensions: ['cs', 'fs', 'vb', 'razor', 'cshtml'],
  *detect(folder) {
    const solution = folder.files.find((name) => SOLUTION.test(name));
    const project = folder.files.find((name) => PROJECT.test(name));
    const file = solution ?? project;
    if (file === undefined) return;
    const projects = [...folder.paths()].filter((path) => PROJECT.test(path)).slice(0, MAX_PROJECTS);
    for (const [extension, language] of DOTNET_LANGUAGES) {
      const first = projects.find((path) => path.endsWith(`.${extension}`));
      if (first !== undefined) yield { fact: 'language', value: language, file: first };
    }
    if (projects.length === 0) yield { fact: 'language', value: 'C#', file };
    for (const path of [...projects, 'Directory.Packages.props']) {
      const text = folder.read(path) ?? '';
      yield* findDependencies(findAll(text, DOTNET_REFERENCE), DOTNET_DEPENDENCIES, path);
    }
    yield { fact: 'packageManager', value: 'dotnet', file };
    yield* toFindings(
      file,
      {
        testCommand: 'dotnet test',
        buildCommand: 'dotnet build',
        formatCommand: 'dotnet format',
        formatter: 'dotnet format',
      },
      'default',
    );
  },
};

const SWIFT_DEPENDENCIES: DependencyTable = {
  frameworks:
    'Vapor: vapor; Hummingbird: hummingbird; SwiftNIO: swift-nio; ' +
    'Composable Architecture: swift-composable-architecture',
  tools:
    'Swift Argument Parser: swift-argument-parser; Swift Testing: swift-testing; GRDB: GRDB.swift; ' + 'Fluent: fluent',
};

/** Swift with SwiftPM; an Xcode project without a package has no commands. */
export const SWIFT: Detector = {
  id: 'swift',
  extensions: ['swift'],
  *detect(folder) {
    const xcode = folder.folders.find((name) => /\.(xcodeproj|xcworkspace)$/.test(name));
    const file = folder.first(['Package.swift', 'Podfile']) ?? xcode;
    if (file === undefined) return;
    yield { fact: 'language', value: 'Swift', file };
    if (xcode !== undefined) yield { fact: 'tool', value: 'Xcode', file: xcode };
    if (folder.has('Podfile')) yield { fact: 'tool', value: 'CocoaPods', file: 'Podfile' };
    const linter = folder.first(['.swiftlint.yml', '.swiftlint.yaml']);
    if (linter !== undefined) {
      yield* toFindings(linter, { tool: 'SwiftLint', lintCommand: 'swiftlint' });
    }
    const formatter = folder.first(['.swiftformat', '.swift-format']);
    if (formatter !== undefined) {
      const program = formatter.slice(1);
      yield {
        fact: 'formatCommand',
        value: program === 'swiftformat' ? 'swiftformat .' : 'swift format -i -r .',
        file: formatter,
      };
      yield { fact: 'formatter', value: program, file: formatter };
    }
    const text = folder.read('Package.swift');
    if (text === undefined) return;
    const packages = findAll(text, /\burl:\s*"[^"]{0,200}\/([\w.-]+?)(?:\.git)?"/g);
    yield* findDependencies(packages, SWIFT_DEPENDENCIES, 'Package.swift');
    yield { fact: 'packageManager', value: 'swiftpm', file: 'Package.swift' };
    yield* toFindings('Package.swift', { testCommand: 'swift test', buildCommand: 'swift build' }, 'default');
  },
};
