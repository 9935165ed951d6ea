import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ProjectItem } from '../../../src/server/rpc/api.ts';
import { route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { cleanText } from '../text/clean-text.ts';

const list = signal<readonly ProjectItem[] | undefined>(undefined);
const started = signal<string>('');

/** All projects, the one that was active last first; undefined until the server told. */
export const projects: ReadonlySignal<readonly ProjectItem[] | undefined> = list;

/** Id of the project that the page is about: of the address, or the one that the server was started in. */
export const projectId: ReadonlySignal<string> = computed(
  () => route.value.project || started.value || (list.value?.[0]?.id ?? ''),
);

/** What a project is called; its id where that is not known. */
export function projectName(id: string): string {
  return cleanText(list.value?.find((project) => project.id === id)?.name ?? id);
}

/** Fetches the projects. */
export async function loadProjects(): Promise<void> {
  const answer = await server.call('project.list', {});
  started.value = answer.current ?? '';
  list.value = answer.projects;
}
