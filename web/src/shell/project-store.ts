import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ProjectItem } from '../../../src/server/rpc/api.ts';
import { route } from '../router/router.ts';
import { server } from '../rpc/server.ts';
import { cleanText } from '../text/format.ts';

const list = signal<readonly ProjectItem[] | undefined>(undefined);
const current = signal<string>('');

/** All projects, the most recently active first; undefined until they are loaded. */
export const projects: ReadonlySignal<readonly ProjectItem[] | undefined> = list;

const demo = signal(false);

/** Whether the home is that of the demo. */
export const isDemo: ReadonlySignal<boolean> = demo;

const command = signal('yore');

/** A command of yore as the user types it here: `yore init`, or with the script of a checkout. */
export function typedCommand(words: string): string {
  return `${cleanText(command.value)} ${words}`;
}

/**
 * Id of the selected project: from the address, else the one that the server was started in, if anything is recorded in it,
 * else the one that was active last.
 */
export const currentProjectId: ReadonlySignal<string> = computed(() => {
  const isRecorded = list.value?.some(({ id }) => id === current.value) ?? false;
  return route.value.project || (isRecorded ? current.value : (list.value?.[0]?.id ?? current.value));
});

/** The parameter that selects the project. Without one, the server uses the project of the folder it was started in. */
export function projectParam(): { readonly project?: string } {
  return currentProjectId.value === '' ? {} : { project: currentProjectId.value };
}

/** What a project is called: its name, with the folders that tell it from others of the same name. */
export function projectName(id: string): string {
  const known = list.value?.find((project) => project.id === id);
  if (known !== undefined) return cleanText(known.label);
  // Of a project without records, the list has no name.
  return id === current.value ? 'this folder' : id;
}

export async function loadProjects(): Promise<void> {
  const loaded = await server.call('project.list', {});
  current.value = loaded.current ?? '';
  demo.value = loaded.isDemo === true;
  command.value = loaded.command;
  list.value = loaded.projects;
}
