import { useEffect, useState } from 'preact/hooks';
import type { ProjectActivity } from '../../../src/server/rpc/api.ts';
import { server } from '../rpc/server.ts';
import { loadProjects } from '../shell/project-store.ts';

/** What the list of projects shows beside their names; undefined until it is loaded. */
interface Activity {
  readonly counts?: ReadonlyMap<string, ProjectActivity>;
  /** Numbers of active warnings, by project. */
  readonly warnings?: ReadonlyMap<string, number>;
}

/** Agents record many times per second; the numbers follow at this pace. */
const REFRESH_MS = 3_000;

/** Counts and warnings of all projects. They follow what is recorded while they are shown. */
export function useActivity(): Activity {
  const [activity, setActivity] = useState<Activity>({});
  const openings = server.openings.value;
  useEffect(() => {
    let isShown = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const add = (change: Activity) => {
      if (isShown) setActivity((before) => ({ ...before, ...change }));
    };
    const load = () => {
      server.call('project.activity', {}).then(
        ({ projects }) => add({ counts: new Map(projects.map((project) => [project.id, project])) }),
        () => undefined,
      );
      server.call('project.warnings', {}).then(
        ({ projects }) => add({ warnings: new Map(projects.map(({ id, warnings }) => [id, warnings])) }),
        () => undefined,
      );
    };
    const follow = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void loadProjects();
        load();
      }, REFRESH_MS);
    };
    load();
    const subscriptions = [
      server.on('history.changed', follow),
      server.on('warning.given', follow),
      server.on('history.indexed', ({ done, total }) => {
        if (done === total) load();
      }),
    ];
    return () => {
      isShown = false;
      clearTimeout(timer);
      for (const unsubscribe of subscriptions) unsubscribe();
    };
  }, [openings]);
  return activity;
}
