import { type Clue, type DependencyTable, type Detector, knownDependencies } from '../detector.ts';
import { readToml } from '../formats/toml.ts';
import type { Place } from '../place.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks: {
    'Spring Boot': ['org.springframework.boot*', 'spring-boot*'],
    Spring: ['org.springframework:*', 'spring-core', 'spring-context'],
    Quarkus: ['io.quarkus*', 'quarkus*'],
    Micronaut: ['io.micronaut*', 'micronaut*'],
    Ktor: ['io.ktor*', 'ktor*'],
    'Vert.x': ['io.vertx*'],
    Android: ['com.android.application', 'com.android.library', 'androidx.*'],
    'Jetpack Compose': ['androidx.compose*', 'org.jetbrains.compose*'],
    Dropwizard: ['io.dropwizard*', 'dropwizard-core'],
    Hibernate: ['org.hibernate*', 'hibernate-core'],
  },
  tools: {
    JUnit: ['org.junit*', 'junit*'],
    TestNG: ['org.testng*', 'testng'],
    Kotest: ['io.kotest*'],
    Mockito: ['org.mockito*', 'mockito-*'],
    Testcontainers: ['org.testcontainers*'],
    Lombok: ['org.projectlombok*', 'lombok', 'io.freefair.lombok'],
    Spotless: ['com.diffplug.spotless*', 'spotless-maven-plugin'],
    ktlint: ['org.jlleitschuh.gradle.ktlint*'],
    detekt: ['io.gitlab.arturbosch.detekt*'],
    Checkstyle: ['checkstyle', 'maven-checkstyle-plugin'],
    Flyway: ['org.flywaydb*', 'flyway-core'],
  },
};

/** Java and Kotlin with Maven or Gradle. */
export const JVM: Detector = {
  id: 'jvm',
  extensions: ['java', 'kt', 'kts', 'scala', 'groovy'],
  *detect(place) {
    yield* gradle(place);
    yield* maven(place);
  },
};

const BUILD_FILES = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'];
/** `id("x")`, `id 'x'`, `implementation("g:a:v")`, `api 'g:a'`. */
const NAMED =
  /\b(?:id|alias|implementation|api|compileOnly|runtimeOnly|testImplementation|classpath|kapt|ksp)\b[\s(]*(?:platform\()?["']([\w.:-]+)["']/g;

function* gradle(place: Place): Generator<Clue> {
  const file = place.first(BUILD_FILES);
  const text = file === undefined ? undefined : place.read(file);
  if (file === undefined || text === undefined) return;
  const names = new Set([...text.matchAll(NAMED)].map((match) => match[1] ?? ''));
  const catalogue = 'gradle/libs.versions.toml';
  const catalogued = place.folders.includes('gradle')
    ? catalogueNames(place.read(catalogue))
    : new Set<string>();
  yield* jvmLanguages(place, file, [text, ...catalogued].join('\n'));
  yield* knownDependencies(names, DEPENDENCIES, file);
  yield* knownDependencies(catalogued, DEPENDENCIES, catalogue);
  yield { fact: 'tool', value: 'Gradle', file };
  yield { fact: 'packageManager', value: 'gradle', file };
  const run = wrapper(place, 'gradlew', 'gradle');
  yield { fact: 'testCommand', value: `${run} test`, file, strength: 'usual' };
  yield { fact: 'buildCommand', value: `${run} build`, file, strength: 'usual' };
  const all = new Set([...names, ...catalogued]);
  const has = (start: string): boolean => [...all].some((name) => name.startsWith(start));
  if (has('com.diffplug.spotless')) {
    yield { fact: 'lintCommand', value: `${run} spotlessCheck`, file };
    yield { fact: 'formatCommand', value: `${run} spotlessApply`, file };
    yield { fact: 'formatter', value: 'spotless', file };
  }
  if (has('org.jlleitschuh.gradle.ktlint')) {
    yield { fact: 'lintCommand', value: `${run} ktlintCheck`, file };
    yield { fact: 'formatCommand', value: `${run} ktlintFormat`, file };
    yield { fact: 'formatter', value: 'ktlint', file };
  }
  if (has('io.gitlab.arturbosch.detekt')) yield { fact: 'lintCommand', value: `${run} detekt`, file };
}

/** Modules and plugins of a version catalogue. */
function catalogueNames(text: string | undefined): Set<string> {
  if (text === undefined) return new Set();
  const read = readToml(text);
  const entries = ['libraries', 'plugins'].flatMap((table) =>
    read
      .names(table)
      .flatMap((name) => [...read.strings(table, name), read.text(`${table}.${name}`, 'module') ?? '']),
  );
  return new Set(entries.filter((entry) => entry.includes('.')));
}

function* maven(place: Place): Generator<Clue> {
  const file = 'pom.xml';
  const text = place.read(file);
  if (text === undefined || !text.includes('<project')) return;
  const elements = [...text.matchAll(/<(?:artifactId|groupId)>\s*([\w.-]+)\s*</g)];
  const names = new Set(elements.map((match) => match[1] ?? ''));
  yield* jvmLanguages(place, file, text);
  yield* knownDependencies(names, DEPENDENCIES, file);
  yield { fact: 'tool', value: 'Maven', file };
  yield { fact: 'packageManager', value: 'maven', file };
  const run = wrapper(place, 'mvnw', 'mvn');
  yield { fact: 'testCommand', value: `${run} test`, file, strength: 'usual' };
  yield { fact: 'buildCommand', value: `${run} package`, file, strength: 'usual' };
  if (names.has('spotless-maven-plugin')) {
    yield { fact: 'lintCommand', value: `${run} spotless:check`, file };
    yield { fact: 'formatCommand', value: `${run} spotless:apply`, file };
    yield { fact: 'formatter', value: 'spotless', file };
  }
  if (names.has('maven-checkstyle-plugin'))
    yield { fact: 'lintCommand', value: `${run} checkstyle:check`, file };
}

function* jvmLanguages(place: Place, file: string, text: string): Generator<Clue> {
  const kotlin = place.countSources(['kt']);
  const java = place.countSources(['java']);
  const scala = place.countSources(['scala']);
  const usesKotlin = kotlin > 0 || /\bkotlin\s*\(|org\.jetbrains\.kotlin|kotlin-maven-plugin/.test(text);
  if (java > 0 || (!usesKotlin && scala === 0)) yield { fact: 'language', value: 'Java', file };
  if (usesKotlin) yield { fact: 'language', value: 'Kotlin', file };
  if (scala > 0) yield { fact: 'language', value: 'Scala', file };
}

function wrapper(place: Place, script: string, program: string): string {
  return place.has(script) ? `./${script}` : program;
}
