import type { Home } from '../../project/index.ts';
import type { Chats } from '../chat/chats.ts';
import type { AgentStatus, Methods } from '../rpc/api.ts';
import type { IndexUpdater } from '../workers/index-updater.ts';
import type { WorkerContext, WorkerName } from '../workers/tasks.ts';
import type { Workers } from '../workers/workers.ts';
import type { ParameterTable } from './parameters.ts';

/** What methods of the main thread work with. That thread answers all clients: nothing in it may take long. */
export interface MethodContext {
  readonly home: Home;
  /** The folder whose project is meant when a call names none. */
  readonly cwd: string;
  readonly chats: Chats;
  readonly workers: Workers;
  readonly index: IndexUpdater;
  /** Methods that change something are refused. */
  readonly readOnly: boolean;
  /** Only this machine can reach the server. */
  readonly isLoopback: boolean;
  /** The home is that of the demo. */
  readonly isDemo: boolean;
  /** How the user starts yore. */
  readonly command: string;
  readonly checkAgents: (() => Promise<readonly AgentStatus[]>) | undefined;
}

type ParametersOf<M extends keyof Methods> = Parameters<Methods[M]>[0];
type ResultOf<M extends keyof Methods> = ReturnType<Methods[M]>;

interface Declaration<M extends keyof Methods> {
  readonly parameters: ParameterTable<ParametersOf<M>>;
  /** It changes something, so a read-only server refuses it. Default false. */
  readonly changes?: boolean;
  /** A server that other machines can reach refuses it, even one that lets them change things. Default false. */
  readonly isLocal?: boolean;
}

interface MainMethod<M extends keyof Methods> extends Declaration<M> {
  readonly runsIn: 'main';
  readonly run: (params: ParametersOf<M>, context: MethodContext) => ResultOf<M> | Promise<ResultOf<M>>;
}

interface WorkerMethod<M extends keyof Methods> extends Declaration<M> {
  readonly runsIn: WorkerName;
  /** How long the call waits for the index to catch up with the logs. Default: it does not wait. */
  readonly indexWaitMs?: number;
  /** A newer call of the same client replaces one that still waits for its turn. Default false. */
  readonly isReplaceable?: boolean;
  /** Completes the worker's result with what only the main thread knows. */
  readonly complete?: (result: ResultOf<M>, params: ParametersOf<M>, context: MethodContext) => ResultOf<M>;
  readonly run: (params: ParametersOf<M>, context: WorkerContext) => ResultOf<M> | Promise<ResultOf<M>>;
}

/** One method of the server: its parameters, where it runs, and what it does. */
export type Method<M extends keyof Methods> = MainMethod<M> | WorkerMethod<M>;

/** The methods of these names. */
export type MethodTable<Names extends keyof Methods = keyof Methods> = {
  readonly [M in Names]: Method<M>;
};
