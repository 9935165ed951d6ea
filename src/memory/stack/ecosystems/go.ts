import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';

const DEPENDENCIES: DependencyTable = {
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
const LINTER_FILES = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'];
/** Modules in indented `require` lists and in lines of their own; those marked indirect are other people's. */
const REQUIREMENT = /^(?:require[ \t]+|[ \t]+)([\w.-]+\.[\w-]+\/\S+)[ \t]+v\S+(?!.*\/\/ indirect)/gm;

/** Go with modules. */
export const GO: Detector = {
  id: 'go',
  extensions: ['go'],
  *detect(place) {
    const file = place.first(['go.mod', 'go.work']);
    const text = file === undefined ? undefined : place.read(file);
    if (file === undefined || text === undefined || !/^(module|go|use)\b/m.test(text)) return;
    yield { fact: 'language', value: 'Go', file };
    const modules = new Set([...text.matchAll(REQUIREMENT)].map((match) => match[1] ?? ''));
    yield* knownDependencies(modules, DEPENDENCIES, file);
    yield { fact: 'packageManager', value: 'go', file };
    const release = place.first(['.goreleaser.yml', '.goreleaser.yaml']);
    if (release !== undefined) yield { fact: 'tool', value: 'GoReleaser', file: release };
    const all = file === 'go.work' ? workspaceModules(text) : './...';
    yield { fact: 'testCommand', value: `go test ${all}`, file, strength: 'usual' };
    yield { fact: 'buildCommand', value: `go build ${all}`, file, strength: 'usual' };
    const linter = place.first(LINTER_FILES);
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
