import { type Clue, type DependencyTable, type Detector, knownDependencies } from '../detector.ts';
import { objectAt, readJson } from '../formats/json.ts';
import { makeTargets } from '../formats/make.ts';
import type { Place } from '../place.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks: {
    Qt: ['qt5', 'qt6', 'qt', 'qtbase'],
    Boost: ['boost'],
    SDL: ['sdl2', 'sdl3', 'sdl'],
    gRPC: ['grpc'],
    OpenCV: ['opencv', 'opencv4'],
    CUDA: ['cuda', 'cudatoolkit'],
  },
  tools: {
    GoogleTest: ['gtest', 'googletest'],
    Catch2: ['catch2'],
    doctest: ['doctest'],
    fmt: ['fmt'],
    Protobuf: ['protobuf'],
    OpenSSL: ['openssl'],
  },
};
const C = ['c'];
const CPP = ['cpp', 'cc', 'cxx', 'hpp', 'hh', 'cu', 'ixx'];

/** C and C++ with CMake, Meson, Make, autotools or Bazel; Conan and vcpkg. */
export const NATIVE: Detector = {
  id: 'native',
  extensions: [...C, ...CPP, 'h'],
  *detect(place) {
    const builds = [...cmake(place), ...meson(place), ...make(place)];
    const packages = [...packageManagers(place)];
    if (builds.length === 0 && packages.length === 0) return;
    yield* languages(place, [...builds, ...packages][0]?.file ?? '');
    yield* builds;
    yield* packages;
    if (place.has('.clang-format')) {
      yield { fact: 'tool', value: 'clang-format', file: '.clang-format' };
      yield { fact: 'formatter', value: 'clang-format', file: '.clang-format' };
    }
    if (place.has('.clang-tidy')) yield { fact: 'tool', value: 'clang-tidy', file: '.clang-tidy' };
  },
};

function* languages(place: Place, file: string): Generator<Clue> {
  const text = place.read('CMakeLists.txt') ?? place.read('meson.build') ?? '';
  const plain = place.countSources(C);
  const plus = place.countSources(CPP);
  const named = /\bproject\s*\([^)]{0,300}\b(CXX)\b|'cpp'/.test(text);
  if (plus > 0 || named || plain === 0) yield { fact: 'language', value: 'C++', file };
  if (plain > 0 && plain * 5 >= plus) yield { fact: 'language', value: 'C', file };
}

function* cmake(place: Place): Generator<Clue> {
  const file = 'CMakeLists.txt';
  const text = place.read(file);
  // Folders of a CMake project have files of their own; only one that names a project stands for itself.
  if (text === undefined || !/^[ \t]*project\s*\(/im.test(text)) return;
  yield { fact: 'tool', value: 'CMake', file };
  const packages = text.matchAll(/\b(?:find_package|FetchContent_Declare)\s*\(\s*(\w+)/gi);
  yield* knownDependencies(
    new Set([...packages].map((match) => (match[1] ?? '').toLowerCase())),
    DEPENDENCIES,
    file,
  );
  yield { fact: 'buildCommand', value: 'cmake -B build && cmake --build build', file, strength: 'usual' };
  const tests = /\b(enable_testing|add_test|gtest_discover_tests|include\s*\(\s*CTest)\b/i.test(text);
  if (tests) yield { fact: 'testCommand', value: 'ctest --test-dir build', file, strength: 'usual' };
}

function* meson(place: Place): Generator<Clue> {
  const file = 'meson.build';
  const text = place.read(file);
  if (text === undefined || !/^[ \t]*project\s*\(/m.test(text)) return;
  yield { fact: 'tool', value: 'Meson', file };
  const names = [...text.matchAll(/\bdependency\s*\(\s*'([\w.-]+)'/g)].map((match) =>
    (match[1] ?? '').toLowerCase(),
  );
  yield* knownDependencies(new Set(names), DEPENDENCIES, file);
  yield {
    fact: 'buildCommand',
    value: 'meson setup build && meson compile -C build',
    file,
    strength: 'usual',
  };
  yield { fact: 'testCommand', value: 'meson test -C build', file, strength: 'usual' };
}

/** A Makefile alone is a build of C or C++ only where there are such sources; its targets are the task runners'. */
function* make(place: Place): Generator<Clue> {
  const file = place.first(['configure.ac', 'GNUmakefile', 'Makefile', 'makefile']);
  if (file === undefined || place.countSources([...C, ...CPP]) === 0) return;
  const text = place.read(file);
  if (text === undefined) return;
  if (file === 'configure.ac') {
    yield { fact: 'tool', value: 'Autotools', file };
    yield { fact: 'buildCommand', value: './configure && make', file, strength: 'usual' };
    yield { fact: 'testCommand', value: 'make check', file, strength: 'usual' };
    return;
  }
  if (!/\b(CC|CXX|CFLAGS|CXXFLAGS|gcc|g\+\+|clang)\b/.test(text)) return;
  yield { fact: 'tool', value: 'Make', file };
  yield { fact: 'buildCommand', value: 'make', file, strength: 'usual' };
  if (makeTargets(text).includes('check'))
    yield { fact: 'testCommand', value: 'make check', file, strength: 'usual' };
}

function* packageManagers(place: Place): Generator<Clue> {
  const conan = place.first(['conanfile.py', 'conanfile.txt']);
  if (conan !== undefined) {
    yield { fact: 'tool', value: 'Conan', file: conan };
    const names = [...(place.read(conan) ?? '').matchAll(/\b([a-z][\w.+-]{0,60})\/\[?[\d>~^]/g)].map(
      (match) => match[1] ?? '',
    );
    yield* knownDependencies(new Set(names), DEPENDENCIES, conan);
    yield { fact: 'packageManager', value: 'conan', file: conan };
  }
  const manifest = readJson(place.read('vcpkg.json'));
  if (!manifest) return;
  yield { fact: 'tool', value: 'vcpkg', file: 'vcpkg.json' };
  const listed = Array.isArray(manifest.dependencies) ? (manifest.dependencies as unknown[]) : [];
  const names = listed.map((entry) =>
    typeof entry === 'string' ? entry : String(objectAt({ entry }, 'entry').name ?? ''),
  );
  yield* knownDependencies(new Set(names), DEPENDENCIES, 'vcpkg.json');
  yield { fact: 'packageManager', value: 'vcpkg', file: 'vcpkg.json' };
}
