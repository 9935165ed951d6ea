import type { Home } from '../../project/index.ts';
import type { Chats } from '../chat/chats.ts';
import type { ProjectViews } from '../views/project-views.ts';
import type { SessionPages } from '../views/session-pages.ts';
import type { Methods } from './api.ts';
import type { ParameterTable } from './parameters.ts';

/** What methods work with. */
export interface MethodContext {
  readonly home: Home;
  /** The folder whose project is meant when none is named. */
  readonly cwd: string;
  readonly chats: Chats;
  readonly sessions: SessionPages;
  readonly views: ProjectViews;
  readonly now: () => number;
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
  readonly run: (params: ParametersOf<M>, context: MethodContext) => ResultOf<M> | Promise<ResultOf<M>>;
}

/** Some of the methods. */
export type MethodTable<Names extends keyof Methods = keyof Methods> = {
  readonly [M in Names]: Method<M>;
};
