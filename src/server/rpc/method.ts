import type { Home } from '../../project/index.ts';
import type { Chats } from '../chat/chats.ts';
import type { IndexKeeper } from '../work/index-keeper.ts';
import type { Work } from '../work/work.ts';
import type { Methods } from './api.ts';
import type { JsonText } from './json-text.ts';
import type { ParameterTable } from './parameters.ts';

/** What methods work with. */
export interface MethodContext {
  /** For what takes no time: it is used in the thread that answers all clients. */
  readonly home: Home;
  /** The folder whose project is meant when none is named. */
  readonly cwd: string;
  readonly chats: Chats;
  /** Does what may take long. */
  readonly work: Work;
  readonly index: IndexKeeper;
  /** Methods that change something are refused. */
  readonly readOnly: boolean;
}

/** Parameters of a method, by name. */
type ParametersOf<M extends keyof Methods> = Parameters<Methods[M]>[0];
/** What a method answers. */
type ResultOf<M extends keyof Methods> = ReturnType<Methods[M]>;

/** One method of the server. */
export interface Method<M extends keyof Methods> {
  readonly parameters: ParameterTable<ParametersOf<M>>;
  /** It changes something that a client of a read-only server must not. */
  readonly changes: boolean;
  /** `client` stands for the connection; undefined for a call by itself. */
  readonly run: (
    params: ParametersOf<M>,
    context: MethodContext,
    client: object | undefined,
  ) => ResultOf<M> | Promise<ResultOf<M> | JsonText<ResultOf<M>>>;
}

/** Some of the methods. */
export type MethodTable<Names extends keyof Methods = keyof Methods> = {
  readonly [M in Names]: Method<M>;
};
