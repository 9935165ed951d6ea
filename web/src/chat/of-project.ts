import { projectId } from '../shell/project-store.ts';

/** Which project calls of the chat are about: where there is none yet, that of the folder the server was started in. */
export function ofProject(): { readonly project?: string } {
  return projectId.value === '' ? {} : { project: projectId.value };
}
