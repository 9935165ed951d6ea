import { type Home, openHome } from '../../project/index.ts';
import { JsonText } from '../rpc/json-text.ts';
import { jobTable } from './job-table.ts';
import { type Jobs, LANES, type LaneName } from './jobs.ts';
import { type Worked, WorkLane } from './work-lane.ts';
import { WorkerThread, workerFile } from './worker-thread.ts';

/** What is worked on. */
export interface WorkOptions {
  readonly home: Home;
  readonly now: () => number;
}

type Params<J extends keyof Jobs> = Parameters<Jobs[J]>[0];

/** Does jobs in threads of their own, so that clients are answered meanwhile; in this one where there are none. */
export class Work {
  readonly #lanes: Readonly<Record<LaneName, WorkLane>>;

  constructor(options: WorkOptions) {
    const create = (): WorkLane => new WorkLane(worked(options));
    this.#lanes = { index: create(), memory: create(), agents: create() };
  }

  /** The result, ready to be sent. A caller that asks for the same job again drops the one that has not begun. */
  async do<J extends keyof Jobs>(
    job: J,
    params: Params<J>,
    caller?: object,
  ): Promise<JsonText<ReturnType<Jobs[J]>>> {
    return new JsonText(await this.#lanes[LANES[job]].do(job, params, caller));
  }

  /** The result as a value: for small ones. */
  async ask<J extends keyof Jobs>(job: J, params: Params<J>): Promise<ReturnType<Jobs[J]>> {
    return (await this.do(job, params)).value();
  }

  /** Starts what the first search would otherwise wait for. */
  async warmUp(): Promise<void> {
    // Without an index the search would read all logs.
    await this.ask('catchUp', {});
    await this.ask('search', { text: 'a', limit: 1 });
  }

  /** What waits is dropped, what is being done is ended. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
  }
}

function worked({ home: { path, env }, now }: WorkOptions): Worked {
  const file = workerFile();
  const clockOffset = now() - Date.now();
  if (file !== undefined) return new WorkerThread(file, { home: path, env: { ...env }, clockOffset });
  const home = openHome({ home: path, env, now, indexing: 'elsewhere' });
  const jobs = jobTable(home, now);
  return {
    do: async (job, params) => JSON.stringify(await (jobs[job] as (params: unknown) => unknown)(params)),
    close: async () => home.close(),
  };
}
