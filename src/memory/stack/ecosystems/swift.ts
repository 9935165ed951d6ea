import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';

const DEPENDENCIES: DependencyTable = {
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
      DEPENDENCIES,
      'Package.swift',
    );
    yield { fact: 'packageManager', value: 'swiftpm', file: 'Package.swift' };
    yield { fact: 'testCommand', value: 'swift test', file: 'Package.swift', strength: 'usual' };
    yield { fact: 'buildCommand', value: 'swift build', file: 'Package.swift', strength: 'usual' };
  },
};
