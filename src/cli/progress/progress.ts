/** Shows on stderr how runs go on: live lines on a terminal, plain lines elsewhere. */
import type { FactDocument } from "../../contract/fact.ts";
import type { RunDocument, TaskDocument } from "../../contract/task-document.ts";
import type { Terminal } from "../terminal.ts";
import { createLiveProgress } from "./live.ts";
import { createPlainProgress } from "./plain.ts";
import type { Row } from "./rows.ts";

export interface Progress {
  /** The state that is known now. */
  show(rows: readonly Row[]): void;
  /** A line that stays, above the live ones. */
  say(line: string): void;
  /** Draws for the last time. */
  end(): void;
}

/** A progress of the runs that are waited for, fed with documents and facts. */
export interface TaskProgress {
  known(document: TaskDocument): void;
  fact(fact: FactDocument): void;
  say(line: string): void;
  end(): void;
}

export function createTaskProgress(terminal: Terminal, runs: ReadonlySet<string>): TaskProgress {
  const progress = terminal.stderr.isTerminal ? createLiveProgress(terminal) : createPlainProgress(terminal);
  const actions = new Map<string, string>();
  let rows: readonly Row[] = [];
  const redraw = (change: (row: Row) => Row) => {
    rows = rows.map(change);
    progress.show(rows);
  };
  return {
    known(document) {
      const before = new Map(rows.map(({ run }) => [run.id, run]));
      rows = rowsOf(document, runs, actions).map((row) => ({
        ...row,
        run: notBack(row.run, before.get(row.run.id)),
      }));
      progress.show(rows);
    },
    fact({ run: id, kind, data }) {
      if (id === null) return;
      const action = kind === "run.action" ? textOf(data) : null;
      if (action !== null) actions.set(id, action);
      if (action !== null) redraw((row) => (row.run.id === id ? { ...row, action } : row));
      if (kind === "run.state")
        redraw((row) => (row.run.id === id ? { ...row, run: movedOn(row.run, data) } : row));
    },
    say: (line) => progress.say(line),
    end: () => progress.end(),
  };
}

function rowsOf(
  document: TaskDocument,
  runs: ReadonlySet<string>,
  actions: ReadonlyMap<string, string>,
): Row[] {
  const attempts = document.attempts.filter((attempt) => attempt.runs.some((run) => runs.has(run.id)));
  const agents = attempts.map((attempt) => attempt.agent);
  return attempts.flatMap((attempt) => {
    const several = agents.filter((agent) => agent === attempt.agent).length > 1;
    const label = several ? `${attempt.agent} ${attempt.number}` : attempt.agent;
    return attempt.runs
      .filter((run) => runs.has(run.id))
      .map((run) => ({ label, run, action: actions.get(run.id) ?? run.last_action?.text ?? null }));
  });
}

type State = Pick<RunDocument, "status" | "phase">;

/** States that a fact tells whole, in the order in which a run passes them. */
const PASSED: readonly State[] = [
  { status: "PENDING", phase: "queued" },
  { status: "PENDING", phase: "preparing" },
  { status: "RUNNING", phase: "agent" },
  { status: "STAGING", phase: "proving" },
  { status: "STAGING", phase: "staging" },
  { status: "STAGING", phase: "checking" },
  { status: "COMMITTING", phase: null },
  { status: "PUSHING", phase: null },
];

/** The run one state on, so that none is passed over between two looks; a fact that is older than the last look changes nothing. */
function movedOn(run: RunDocument, data: FactDocument["data"]): RunDocument {
  const told = placeOf(data);
  const state = PASSED[told];
  const known = placeOf(run);
  return state === undefined || known < 0 || told <= known ? run : { ...run, ...state };
}

/** The run as it was looked at, in the state that a fact told meanwhile where that one is later. */
function notBack(run: RunDocument, before: RunDocument | undefined): RunDocument {
  return before === undefined ? run : movedOn(run, { ...before });
}

function placeOf(of: { readonly status?: unknown; readonly phase?: unknown }): number {
  return PASSED.findIndex(({ status, phase }) => status === of.status && phase === (of.phase ?? null));
}

/** What an action's fact says it is. */
function textOf(data: FactDocument["data"]): string | null {
  const text = data.title ?? data.text;
  return typeof text === "string" && text !== "" ? text : null;
}
