import { type DependencyTable, knownDependencies } from '../dependencies.ts';
import type { Detector } from '../detector.ts';
import type { Place } from '../place.ts';

const DEPENDENCIES: DependencyTable = {
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
const LANGUAGES: readonly (readonly [extension: string, language: string])[] = [
  ['csproj', 'C#'],
  ['fsproj', 'F#'],
  ['vbproj', 'Visual Basic'],
];
const PROJECT = /\.(cs|fs|vb)proj$/;
const SOLUTION = /\.slnx?$/;
/** Enough to know what a solution is made of. */
const MOST_PROJECTS = 40;
const NAMED =
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
    for (const [extension, language] of LANGUAGES) {
      const first = projects.find((path) => path.endsWith(`.${extension}`));
      if (first !== undefined) yield { fact: 'language', value: language, file: first };
    }
    if (projects.length === 0) yield { fact: 'language', value: 'C#', file };
    for (const path of [...projects, 'Directory.Packages.props']) {
      const text = place.read(path) ?? '';
      const names = new Set([...text.matchAll(NAMED)].map((match) => match[1] ?? match[2] ?? ''));
      yield* knownDependencies(names, DEPENDENCIES, path);
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
  return paths.slice(0, MOST_PROJECTS);
}
