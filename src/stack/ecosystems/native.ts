import {
  type DependencyTable,
  type Detector,
  type Finding,
  findAll,
  findDependencies,
  toFindings,
} from '../detector.ts';
import { objectAt, readJson } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';
import { makeTargets } from '../tooling/task-runners.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks:
    'Qt: qt5 qt6 qt qtbase; Boost: boost; SDL: sdl2 sdl3 sdl; gRPC: grpc; OpenCV: opencv opencv4; ' +
    'CUDA: cuda cudatoolkit',
  tools:
    'GoogleTest: gtest googletest; Catch2: catch2; doctest: doctest; fmt: fmt; Protobuf: protobuf; ' +
    'OpenSSL: openssl',
};
const C = ['c'];
const CPP = ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'cu', 'ixx'];

/** C and C++ with CMake, Meson, Make, autotools or Bazel; Conan and vcpkg. */
export const NATIVE: Detector = {
  id: 'native',
  extensions: [...C, ...CPP, 'h'],
  *detect(folder) {
    const builds = [...cmake(folder), ...meson(folder), ...make(folder)];
    const packages = [...packageManagers(folder)];
    if (builds.length === 0 && packages.length === 0) return;
    yield* languages(folder, [...builds, ...packages][0]?.file ?? '');
    yield* builds;
    yield* packages;
    if (folder.has('.clang-format')) {
      yield* toFindings('.clang-format', { tool: 'clang-format', formatter: 'clang-format' });
    }
    if (folder.has('.clang-tidy')) yield { fact: 'tool', value: 'clang-tidy', file: '.clang-tidy' };
  },
};

function* languages(folder: ProjectFolder, file: string): Generator<Finding> {
  const text = folder.read('CMakeLists.txt') ?? folder.read('meson.build') ?? '';
  const plain = folder.countSources(C);
  const plus = folder.countSources(CPP);
  const named = /\bproject\s*\([^)]{0,300}\b(CXX)\b|'cpp'/.test(text);
  if (plus > 0 || named || plain === 0) yield { fact: 'language', value: 'C++', file };
  if (plain > 0 && plain * 5 >= plus) yield { fact: 'language', value: 'C', file };
}

function* cmake(folder: ProjectFolder): Generator<Finding> {
  const file = 'CMakeLists.txt';
  const text = folder.read(file);
  // Subfolders of a CMake project have such files too, but only the root declares a project.
  if (text === undefined || !/^[ \t]*project\s*\(/im.test(text)) return;
  yield { fact: 'tool', value: 'CMake', file };
  const packages = findAll(text.toLowerCase(), /\b(?:find_package|fetchcontent_declare)\s*\(\s*(\w+)/g);
  yield* findDependencies(packages, DEPENDENCIES, file);
  yield { fact: 'buildCommand', value: 'cmake -B build && cmake --build build', file, source: 'default' };
  const tests = /\b(enable_testing|add_test|gtest_discover_tests|include\s*\(\s*CTest)\b/i.test(text);
  if (tests) yield { fact: 'testCommand', value: 'ctest --test-dir build', file, source: 'default' };
}

function* meson(folder: ProjectFolder): Generator<Finding> {
  const file = 'meson.build';
  const text = folder.read(file);
  if (text === undefined || !/^[ \t]*project\s*\(/m.test(text)) return;
  yield { fact: 'tool', value: 'Meson', file };
  const names = findAll(text.toLowerCase(), /\bdependency\s*\(\s*'([\w.-]+)'/g);
  yield* findDependencies(names, DEPENDENCIES, file);
  yield {
    fact: 'buildCommand',
    value: 'meson setup build && meson compile -C build',
    file,
    source: 'default',
  };
  yield { fact: 'testCommand', value: 'meson test -C build', file, source: 'default' };
}

/** A Makefile counts only with C or C++ sources; its targets are detected as those of a task runner. */
function* make(folder: ProjectFolder): Generator<Finding> {
  const file = folder.first(['configure.ac', 'GNUmakefile', 'Makefile', 'makefile']);
  if (file === undefined || folder.countSources([...C, ...CPP]) === 0) return;
  const text = folder.read(file);
  if (text === undefined) return;
  if (file === 'configure.ac') {
    yield { fact: 'tool', value: 'Autotools', file };
    yield* toFindings(file, { buildCommand: './configure && make', testCommand: 'make check' }, 'default');
    return;
  }
  if (!/\b(CC|CXX|CFLAGS|CXXFLAGS|gcc|g\+\+|clang)\b/.test(text)) return;
  yield { fact: 'tool', value: 'Make', file };
  yield { fact: 'buildCommand', value: 'make', file, source: 'default' };
  if (makeTargets(text).includes('check')) yield { fact: 'testCommand', value: 'make check', file, source: 'default' };
}

function* packageManagers(folder: ProjectFolder): Generator<Finding> {
  const conan = folder.first(['conanfile.py', 'conanfile.txt']);
  if (conan !== undefined) {
    yield { fact: 'tool', value: 'Conan', file: conan };
    const names = findAll(folder.read(conan) ?? '', /\b([a-z][\w.+-]{0,60})\/\[?[\d>~^]/g);
    yield* findDependencies(names, DEPENDENCIES, conan);
    yield { fact: 'packageManager', value: 'conan', file: conan };
  }
  const manifest = readJson(folder.read('vcpkg.json'));
  if (!manifest) return;
  yield { fact: 'tool', value: 'vcpkg', file: 'vcpkg.json' };
  const listed = Array.isArray(manifest.dependencies) ? (manifest.dependencies as unknown[]) : [];
  const names = listed.map((entry) =>
    typeof entry === 'string' ? entry : String(objectAt({ entry }, 'entry').name ?? ''),
  );
  yield* findDependencies(new Set(names), DEPENDENCIES, 'vcpkg.json');
  yield { fact: 'packageManager', value: 'vcpkg', file: 'vcpkg.json' };
}
