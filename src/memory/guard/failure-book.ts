import { posix } from 'node:path';
import { type Attempt, textHash } from '../../record/index.ts';
import { analyseCall, type CallAnalysis } from '../call/analyse-call.ts';
import { type CallFields, rootOf } from '../call/describe-call.ts';
import { analyseFailure, type FailureAnalysis } from '../failure/analyse-failure.ts';
import type { FailureClass } from '../failure/failure-class.ts';
import { isUnresolved, type KnownFailure, kindOf } from './hazard.ts';
import { FailureLookup, likeName } from './known-failures.ts';
import { noteTime } from './log-time.ts';
import { resolves } from './resolution.ts';
import { isUnread, noteCall, type SessionTrace } from './session-trace.ts';
import type { WarningRecord } from './warning-log.ts';

/** Failures that another call much like the first would run into too. */
const COMPARED: ReadonlySet<FailureClass> = new Set(['missing', 'usage', 'environment']);

/** Failures of a session that a success soon after may have solved. */
const MOST_UNSOLVED = 8;
const MOST_FILES = 2000;
const LONGEST_CONTEXT = 160;
const LONGEST_WHAT = 400;
const MOST_NAMES = 6;

/**
 * What may fail again, folded from a project's attempts in time order. A call that fails blames something it needs;
 * a call that goes well ends every hazard among the things it needs. What was folded before is read when it is needed.
 */
export class FailureIndex extends FailureLookup {
  /** Takes in an attempt. Never throws. */
  apply(attempt: Attempt): void {
    if (attempt.tool === undefined) return;
    const call = analyseCall(attempt as Attempt & CallFields);
    const at = Date.parse(attempt.timestamp);
    noteTime(this.newest, at);
    const session = this.session(attempt.sessionId);
    if (attempt.callId !== undefined && !noteCall(session, attempt.callId)) return;
    const unread = isUnread(call, session);
    session.calls++;
    session.lastAt = Math.max(session.lastAt, at);
    if (attempt.outcome === 'failure') {
      const failure = analyseFailure(call, attempt.error ?? '', attempt.exitCode);
      this.#fail(attempt, call, failure, at);
      this.#learnReading(attempt, call, session, unread, failure.blamed.includes('rule:read'));
    } else if (attempt.outcome === 'success' || attempt.outcome === 'noMatch') {
      this.#succeed(attempt, call, at);
      this.#learnReading(attempt, call, session, unread, false);
    }
  }

  /** Takes in a line of the warnings log. */
  applyWarning(entry: WarningRecord): void {
    switch (entry.kind) {
      case 'warning':
        return;
      case 'override': {
        const kind = kindOf(entry.key);
        const { right, wrong } = this.trackRecord(kind);
        this.records.set(kind, entry.succeeded ? { right, wrong: wrong + 1 } : { right: right + 1, wrong });
        if (!entry.succeeded) return;
        this.session(entry.sessionId).goodOverrides++;
        this.#mark('overridden', entry.key, Date.parse(entry.timestamp));
        return;
      }
      case 'reset':
        this.choices.set(entry.key, 'none');
        return;
      default:
        this.choices.set(entry.key, entry.kind);
        // A pin outlives the attempts that it rests on.
        if (entry.hazard !== undefined && this.hazard(entry.key) === undefined)
          this.hazards.set(entry.key, entry.hazard);
    }
  }

  #fail(attempt: Attempt, call: CallAnalysis, failure: FailureAnalysis, at: number): void {
    const whole = `call:${call.signature}`;
    if (failure.blamed.includes(whole) && COMPARED.has(failure.class)) {
      this.likes.set(likeName(call), withName(this.alike(call), whole));
    }
    for (const key of hazardKeys(failure, attempt)) {
      this.hazards.set(
        key,
        failedAgain(this.hazard(key), key, attempt, call, failure, at, this.#wasThere(key)),
      );
      const session = this.session(attempt.sessionId);
      session.unsolved = [...session.unsolved.filter((other) => other !== key), key].slice(-MOST_UNSOLVED);
    }
  }

  #wasThere(key: string): boolean {
    return key.startsWith('path:') && this.seen.mightContain(textHash(key.slice(5)));
  }

  #succeed(attempt: Attempt, call: CallAnalysis, at: number): void {
    const whole = `call:${call.signature}`;
    // Of a line that hides its exit code only what was not hidden went well.
    for (const key of call.needs) if (key !== whole || !call.hidesExit) this.#end(key, at);
    const paths = call.needs.filter((key) => key.startsWith('path:')).map((key) => key.slice(5));
    for (const path of [...paths, ...call.makes]) {
      for (let folder = path; folder.length > 1; folder = posix.dirname(folder))
        this.#end(`path:${folder}`, at);
    }
    for (const path of call.makes) for (const kind of ['file', 'text']) this.#end(`${kind}:${path}`, at);
    const worktree = rootOf(attempt) ?? '';
    if (call.makes.length > 0) this.#mark('edit', worktree, at);
    if (call.makes.some((path) => posix.basename(path) === '.gitignore'))
      this.#mark('gitignore', worktree, at);
    for (const path of [...paths, ...call.makes, ...call.files]) this.seen.add(textHash(path));
    for (const { action, command } of call.parts) {
      this.#mark(action, worktree, at);
      if (action === 'commit' && concludesMerge(command.words, attempt.result))
        this.#mark('merged', worktree, at);
    }
    this.#solve(attempt, call, at);
  }

  #mark(event: string, worktree: string, at: number): void {
    if (at > this.lastTime(event, worktree)) this.marks.set(`${event} ${worktree}`, at);
  }

  #end(key: string, at: number): void {
    const hazard = this.hazard(key);
    if (hazard !== undefined && isUnresolved(hazard)) this.hazards.set(key, { ...hazard, endedAt: at });
  }

  #solve(attempt: Attempt, call: CallAnalysis, at: number): void {
    const session = this.session(attempt.sessionId);
    for (const key of session.unsolved) {
      const hazard = this.hazard(key);
      if (hazard === undefined || !resolves(hazard, attempt, call, at)) continue;
      const what = whatOf(attempt, call);
      this.hazards.set(key, { ...hazard, resolution: { attemptId: attempt.id, at, what } });
      session.unsolved = session.unsolved.filter((other) => other !== key);
    }
  }

  /** Which files a session has seen, and what its agent's editing tool takes for having seen one. */
  #learnReading(
    attempt: Attempt,
    call: CallAnalysis,
    session: SessionTrace,
    unread: boolean,
    refused: boolean,
  ): void {
    if (unread) {
      const shown = call.files.some((file) => session.shown.has(file));
      const name = `shown-counts ${attempt.agent ?? ''}`;
      if (refused && shown) this.marks.set(name, 0);
      if (!refused && shown && attempt.outcome === 'success')
        this.marks.set(name, Date.parse(attempt.timestamp));
      if (attempt.outcome === 'success' && !shown) session.editsUnread = true;
    }
    if (refused) return;
    const seen = call.family === 'shell' ? session.shown : session.read;
    for (const file of [...call.files, ...call.makes]) if (seen.size < MOST_FILES) seen.add(file);
  }
}

/** The keys of what a recorded failure blames; none for other attempts. */
export function blamedBy(attempt: Attempt): readonly string[] {
  if (attempt.outcome !== 'failure' || attempt.tool === undefined) return [];
  const call = analyseCall(attempt as Attempt & CallFields);
  return hazardKeys(analyseFailure(call, attempt.error ?? '', attempt.exitCode), attempt);
}

/** Rules belong to an agent's tools. */
function hazardKeys(failure: FailureAnalysis, { agent }: Attempt): readonly string[] {
  return failure.blamed.map((key) => (key.startsWith('rule:') ? `${key} ${agent ?? ''}` : key));
}

function failedAgain(
  before: KnownFailure | undefined,
  key: string,
  attempt: Attempt,
  call: CallAnalysis,
  failure: FailureAnalysis,
  at: number,
  wasThere: boolean,
): KnownFailure {
  const open = before !== undefined && isUnresolved(before) ? before : undefined;
  const isSame = open !== undefined && open.evidence[call.family]?.errorSignature === failure.signature;
  const first = open !== undefined && open.evidence[call.family] === undefined;
  return {
    key,
    class: failure.class,
    evidence: {
      ...open?.evidence,
      [call.family]: {
        attemptId: attempt.id,
        at,
        line: failure.line,
        errorSignature: failure.signature,
        what: whatOf(attempt, call),
        signature: call.signature,
        ...(attempt.context === undefined ? {} : { context: attempt.context.slice(0, LONGEST_CONTEXT) }),
        ...(attempt.tags === undefined ? {} : { tags: attempt.tags }),
      },
    },
    lastAt: Math.max(at, before?.lastAt ?? 0),
    count: (open?.count ?? 0) + 1,
    sessions: isSame || first ? withName(open?.sessions, attempt.sessionId) : [attempt.sessionId],
    worktrees: withName(open?.worktrees, rootOf(attempt) ?? ''),
    agents: withName(open?.agents, attempt.agent ?? ''),
    ...(attempt.branch === undefined ? {} : { branch: attempt.branch }),
    circumstances: (attempt.circumstances ?? []).filter((item) => !item.startsWith('worktree:')),
    ...(failure.class === 'state' ? { subjects: namedFiles(attempt.error ?? '') } : {}),
    ...(key.startsWith('text:') ? { detail: call.signature } : {}),
    ...(failure.suggestion === undefined
      ? open?.suggestion === undefined
        ? {}
        : { suggestion: open.suggestion }
      : { suggestion: failure.suggestion }),
    ...(wasThere ? { wasThere } : {}),
    relapses: before === undefined ? 0 : before.relapses + (open === undefined ? 1 : 0),
    ...(before?.resolution === undefined ? {} : { resolution: before.resolution }),
  };
}

/** What a person would call the attempt. */
function whatOf({ command, path }: Attempt, call: CallAnalysis): string {
  return (command ?? path ?? call.signature).slice(0, LONGEST_WHAT);
}

const MOST_SUBJECTS = 6;

/** Files that an output names with a line, or as what failed. */
function namedFiles(output: string): readonly string[] {
  const found = new Set<string>();
  for (const [, name] of output.matchAll(
    /(?:^|[\s("'`])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[a-zA-Z]\w{0,5})(?=[:(\s"'`)]|$)/gm,
  )) {
    if (name !== undefined && name.length < 200) found.add(name.replace(/^\.\//, ''));
    if (found.size === MOST_SUBJECTS) break;
  }
  return [...found];
}

/** A commit that ends a merge rather than one made beside it. */
function concludesMerge(words: readonly string[], result: string | undefined): boolean {
  return words.includes('--no-edit') || /\bmerge/i.test(words.join(' ')) || /\] merge/i.test(result ?? '');
}

function withName(names: readonly string[] | undefined, name: string): readonly string[] {
  return [...(names ?? []).filter((other) => other !== name), name].slice(-MOST_NAMES);
}
