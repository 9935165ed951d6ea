import { describe, expect, it } from 'vitest';
import { stackOf } from './project-folder.ts';

describe('Rust', () => {
  it('detects the commands of Cargo', () => {
    const stack = stackOf({
      'Cargo.toml': '[package]\nname = "x"\n[dependencies]\naxum = "0.8"\n[dependencies.tokio]\nversion = "1"\n',
      'src/main.rs': '',
    });
    expect(stack.techStack).toEqual({ languages: ['Rust'], frameworks: ['Axum', 'Tokio'], tools: ['Cargo'] });
    expect(stack.commands).toEqual({
      testCommand: 'cargo test',
      buildCommand: 'cargo build',
      lintCommand: 'cargo clippy',
      formatCommand: 'cargo fmt',
      packageManager: 'cargo',
    });
  });

  it('tests all members of a workspace, with nextest where it is configured', () => {
    const root = '[workspace]\nmembers = ["crates/*"]\n[package]\nname = "x"\n';
    const member = '[package]\nname = "a"\n[dependencies]\nclap = { version = "4", features = ["derive"] }\n';
    const files = { 'Cargo.toml': root, 'crates/a/Cargo.toml': member };
    expect(stackOf(files).commands.testCommand).toBe('cargo test --workspace');
    expect(stackOf(files).techStack.frameworks).toEqual(['clap']);
    const configured = { ...files, '.config/nextest.toml': '' };
    expect(stackOf(configured).commands.testCommand).toBe('cargo nextest run --workspace');
  });
});

describe('Go', () => {
  it('reads direct requirements of go.mod', () => {
    const stack = stackOf({
      'go.mod': `module example.org/x

go 1.24

require github.com/spf13/cobra v1.9.0
require (
	github.com/go-chi/chi/v5 v5.2.0
	github.com/stretchr/testify v1.10.0
	github.com/gin-gonic/gin v1.10.0 // indirect
)
`,
      '.golangci.yml': '',
      'main.go': '',
      'main_test.go': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['Go'],
      frameworks: ['chi', 'Cobra'],
      tools: ['Testify', 'golangci-lint'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'go test ./...',
      buildCommand: 'go build ./...',
      lintCommand: 'golangci-lint run',
      formatCommand: 'gofmt -w .',
      packageManager: 'go',
    });
    expect(stack.conventions).toEqual({ testPattern: '*_test.go', formatter: 'gofmt' });
  });

  it('lists the modules of a workspace', () => {
    const stack = stackOf({
      'go.work': 'go 1.24\n\nuse (\n\t./api\n\t./tool\n)\n',
      'api/go.mod': 'module example.org/api\n',
      'tool/go.mod': 'module example.org/tool\n',
    });
    expect(stack.commands.testCommand).toBe('go test ./api/... ./tool/...');
  });
});

describe('Java and Kotlin', () => {
  it('detects Maven and its wrapper', () => {
    const stack = stackOf({
      'pom.xml': `<project><parent><groupId>org.springframework.boot</groupId>
        <artifactId>spring-boot-starter-parent</artifactId></parent>
        <dependencies><dependency><artifactId>junit-jupiter</artifactId></dependency></dependencies></project>`,
      mvnw: '',
      'src/main/java/App.java': '',
      'src/test/java/AppTest.java': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['Java'],
      frameworks: ['Spring Boot'],
      tools: ['JUnit', 'Maven'],
    });
    expect(stack.commands).toEqual({
      testCommand: './mvnw test',
      buildCommand: './mvnw package',
      packageManager: 'maven',
    });
    expect(stack.conventions.testPattern).toBe('*Test.java');
  });

  it('detects Gradle in Kotlin with a version catalogue', () => {
    const stack = stackOf({
      'settings.gradle.kts': 'include(":app")',
      'build.gradle.kts': 'plugins {\n  kotlin("jvm") version "2.1.0"\n  alias(libs.plugins.spotless)\n}\n',
      'gradle/libs.versions.toml': `
[libraries]
ktor-server = { module = "io.ktor:ktor-server-core", version.ref = "ktor" }
junit = "org.junit.jupiter:junit-jupiter:5.12.0"
[plugins]
spotless = { id = "com.diffplug.spotless", version = "7.0.0" }
`,
      gradlew: '',
      'app/src/main/kotlin/Main.kt': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['Kotlin'],
      frameworks: ['Ktor'],
      tools: ['JUnit', 'Spotless', 'Gradle'],
    });
    expect(stack.commands).toEqual({
      testCommand: './gradlew test',
      buildCommand: './gradlew build',
      lintCommand: './gradlew spotlessCheck',
      formatCommand: './gradlew spotlessApply',
      packageManager: 'gradle',
    });
  });

  it('detects Gradle in Groovy without a wrapper', () => {
    const gradle = "plugins { id 'java'; id 'org.springframework.boot' version '3.4.0' }\n";
    const stack = stackOf({ 'build.gradle': gradle, 'src/main/java/A.java': '' });
    expect(stack.techStack.languages).toEqual(['Java']);
    expect(stack.techStack.frameworks).toEqual(['Spring Boot']);
    expect(stack.commands.testCommand).toBe('gradle test');
  });
});

describe('.NET', () => {
  it('reads the projects of a solution', () => {
    const stack = stackOf({
      'Shop.sln': '',
      'src/Web/Web.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
      'src/Core/Core.fsproj': '<Project Sdk="Microsoft.NET.Sdk"></Project>',
      'test/Web.Tests/Web.Tests.csproj':
        '<Project><ItemGroup><PackageReference Include="xunit.v3" Version="1" /></ItemGroup></Project>',
      'test/Web.Tests/CartTests.cs': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['C#', 'F#'],
      frameworks: ['ASP.NET Core'],
      tools: ['xUnit.net'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'dotnet test',
      buildCommand: 'dotnet build',
      formatCommand: 'dotnet format',
      packageManager: 'dotnet',
    });
    expect(stack.conventions.testPattern).toBe('*Tests.cs');
  });
});

describe('C and C++', () => {
  it('detects CMake, vcpkg and tests', () => {
    const stack = stackOf({
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES CXX)\nfind_package(Qt6 REQUIRED)\nenable_testing()\n',
      'vcpkg.json': { dependencies: ['fmt', { name: 'catch2' }] },
      '.clang-format': '',
      'src/main.cpp': '',
      'src/CMakeLists.txt': 'add_executable(x main.cpp)',
    });
    expect(stack.techStack).toEqual({
      languages: ['C++'],
      frameworks: ['Qt'],
      tools: ['CMake', 'vcpkg', 'Catch2', 'fmt', 'clang-format'],
    });
    expect(stack.commands).toEqual({
      testCommand: 'ctest --test-dir build',
      buildCommand: 'cmake -B build && cmake --build build',
      packageManager: 'vcpkg',
    });
    expect(stack.conventions.formatter).toBe('clang-format');
  });

  it('detects Meson and Conan', () => {
    const stack = stackOf({
      'meson.build': "project('x', 'c')\ndependency('openssl')\n",
      'conanfile.txt': '[requires]\nboost/1.86.0\n',
      'main.c': '',
    });
    expect(stack.techStack).toEqual({
      languages: ['C'],
      frameworks: ['Boost'],
      tools: ['Meson', 'OpenSSL', 'Conan'],
    });
    expect(stack.commands).toMatchObject({ testCommand: 'meson test -C build', packageManager: 'conan' });
  });

  it('detects a Makefile alone', () => {
    const makefile =
      'CC = gcc\nCFLAGS := -O2\nall: x\nx: main.o\n\t$(CC) -o x main.o\n.PHONY: check\ncheck: x\n\t./x --test\n';
    const stack = stackOf({ Makefile: makefile, 'main.c': '' });
    expect(stack.techStack).toEqual({ languages: ['C'], frameworks: [], tools: ['Make'] });
    expect(stack.commands).toEqual({ testCommand: 'make check', buildCommand: 'make' });
  });
});

describe('Swift', () => {
  it('detects SwiftPM', () => {
    const stack = stackOf({
      'Package.swift': '.package(url: "https://github.com/vapor/vapor.git", from: "4.0.0")',
      '.swiftlint.yml': '',
      'Tests/AppTests/AppTests.swift': '',
    });
    expect(stack.techStack).toEqual({ languages: ['Swift'], frameworks: ['Vapor'], tools: ['SwiftLint'] });
    expect(stack.commands).toEqual({
      testCommand: 'swift test',
      buildCommand: 'swift build',
      lintCommand: 'swiftlint',
      packageManager: 'swiftpm',
    });
    expect(stack.conventions.testPattern).toBe('*Tests.swift');
  });
});
