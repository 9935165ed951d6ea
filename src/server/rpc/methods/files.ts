import type { MethodTable } from '../method.ts';
import { optional, projectId, text } from '../parameters.ts';

const LONGEST_PATH = 4096;

/** The files that go with questions of the chat. */
export const fileMethods: MethodTable<'files.list' | 'files.add' | 'files.drop'> = {
  'files.list': {
    parameters: { project: optional(projectId), query: optional(text(200)) },
    changes: false,
    run: async ({ project, query = '' }, { chats, work }) => {
      const { service } = await chats.of(project);
      return work.do('files', { root: service.state().project.root, query });
    },
  },
  'files.add': {
    parameters: { project: optional(projectId), path: text(LONGEST_PATH) },
    changes: true,
    run: async ({ project, path }, { chats }) => {
      const { service } = await chats.of(project);
      service.addFile(path);
      return { files: service.state().files };
    },
  },
  'files.drop': {
    parameters: { project: optional(projectId), path: text(LONGEST_PATH) },
    changes: true,
    run: async ({ project, path }, { chats }) => {
      const { service } = await chats.of(project);
      service.dropFile(path);
      return { files: service.state().files };
    },
  },
};
