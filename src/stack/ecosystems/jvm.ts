import {
  type DependencyTable,
  type Detector,
  type Finding,
  findAll,
  findDependencies,
  toFindings,
} from '../detector.ts';
import { readToml, stringsAt } from '../manifest.ts';
import type { ProjectFolder } from '../project-files.ts';

const DEPENDENCIES: DependencyTable = {
  frameworks:
    'Spring Boot: org.springframework.boot* spring-boot*; ' +
    'Spring: org.springframework:* spring-core spring-context; Quarkus: io.quarkus* quarkus*; ' +
    'Micronaut: io.micronaut* micronaut*; Ktor: io.ktor* ktor*; Vert.x: io.vertx*; ' +
    'Android: com.android.application com.android.library androidx.*; ' +
    'Jetpack Compose: androidx.compose* org.jetbrains.compose*; ' +
    'Dropwizard: io.dropwizard* dropwizard-core; Hibernate: org.hibernate* hibernate-core',
  tools:
    'JUnit: org.junit* junit*; TestNG: org.testng* testng; Kotest: io.kotest*; ' +
    'Mockito: org.mockito* mockito-*; Testcontainers: org.testcontainers*; ' +
    'Lombok: org.projectlombok* lombok io.freefair.lombok; ' +
    'Spotless: com.diffplug.spotless* spotless-maven-plugin; ktlint: org.jlleitschuh.gradle.ktlint*; ' +
    'detekt: io.gitlab.arturbosch.detekt*; Checkstyle: checkstyle maven-checkstyle-plugin; ' +
    'Flyway: org.flywaydb* flyway-core',
};

/** Java and Kotlin with Maven or Gradle. */
export const JVM: Detector = {
  id: 'jvm',
  extensions: ['java', 'kt', 'kts', 'scala', 'groovy'],
  *detect(folder) {
    yield* gradle(folder);
    yield* maven(folder);
  },
};

const BUILD_FILES = ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'];
/** `id("x")`, `id 'x'`, `implementation("g:a:v")`, `api 'g:a'`. */
const NAMED =
  /\b(?:id|alias|implementation|api|compileOnly|runtimeOnly|testImplementation|classpath|kapt|ksp)\b[\s(]*(?:platform\()?["']([\w.:-]+)["']/g;

function* gradle(folder: ProjectFolder): Generator<Finding> {
  const file = folder.first(BUILD_FILES);
  const text = file === undefined ? undefined : folder.read(file);
  if (file === undefined || text === undefined) return;
  const names = findAll(text, NAMED);
  const catalogue = 'gradle/libs.versions.toml';
  const catalogued = folder.folders.includes('gradle') ? catalogueNames(folder.read(catalogue)) : new Set<string>();
  yield* jvmLanguages(folder, file, [text, ...catalogued].join('\n'));
  yield* findDependencies(names, DEPENDENCIES, file);
  yield* findDependencies(catalogued, DEPENDENCIES, catalogue);
  yield* toFindings(file, { tool: 'Gradle', packageManager: 'gradle' });
  const run = wrapper(folder, 'gradlew', 'gradle');
  yield* toFindings(file, { testCommand: `${run} test`, buildCommand: `${run} build` }, 'default');
  const all = new Set([...names, ...catalogued]);
  const has = (start: string): boolean => [...all].some((name) => name.startsWith(start));
  if (has('com.diffplug.spotless')) {
    yield* toFindings(file, {
      lintCommand: `${run} spotlessCheck`,
      formatCommand: `${run} spotlessApply`,
      formatter: 'spotless',
    });
  }
  if (has('org.jlleitschuh.gradle.ktlint')) {
    yield* toFindings(file, {
      lintCommand: `${run} ktlintCheck`,
      formatCommand: `${run} ktlintFormat`,
      formatter: 'ktlint',
    });
  }
  if (has('io.gitlab.arturbosch.detekt')) yield { fact: 'lintCommand', value: `${run} detekt`, file };
}

/** The modules and plugins of a version catalogue. */
function catalogueNames(text: string | undefined): Set<string> {
  const catalogue = readToml(text);
  const entries = ['libraries', 'plugins'].flatMap((table) => stringsAt(catalogue, table));
  return new Set(entries.filter((entry) => entry.includes('.')));
}

function* maven(folder: ProjectFolder): Generator<Finding> {
  const file = 'pom.xml';
  const text = folder.read(file);
  if (text === undefined || !text.includes('<project')) return;
  const names = findAll(text, /<(?:artifactId|groupId)>\s*([\w.-]+)\s*</g);
  yield* jvmLanguages(folder, file, text);
  yield* findDependencies(names, DEPENDENCIES, file);
  yield* toFindings(file, { tool: 'Maven', packageManager: 'maven' });
  const run = wrapper(folder, 'mvnw', 'mvn');
  yield* toFindings(file, { testCommand: `${run} test`, buildCommand: `${run} package` }, 'default');
  if (names.has('spotless-maven-plugin')) {
    yield* toFindings(file, {
      lintCommand: `${run} spotless:check`,
      formatCommand: `${run} spotless:apply`,
      formatter: 'spotless',
    });
  }
  if (names.has('maven-checkstyle-plugin')) yield { fact: 'lintCommand', value: `${run} checkstyle:check`, file };
}

function* jvmLanguages(folder: ProjectFolder, file: string, text: string): Generator<Finding> {
  const kotlin = folder.countSources(['kt']);
  const java = folder.countSources(['java']);
  const scala = folder.countSources(['scala']);
  const usesKotlin = kotlin > 0 || /\bkotlin\s*\(|org\.jetbrains\.kotlin|kotlin-maven-plugin/.test(text);
  if (java > 0 || (!usesKotlin && scala === 0)) yield { fact: 'language', value: 'Java', file };
  if (usesKotlin) yield { fact: 'language', value: 'Kotlin', file };
  if (scala > 0) yield { fact: 'language', value: 'Scala', file };
}

function wrapper(folder: ProjectFolder, script: string, program: string): string {
  return folder.has(script) ? `./${script}` : program;
}
