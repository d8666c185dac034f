/** Shows on stderr how runs go on: live lines on a terminal, plain lines elsewhere. */
import type { FactDocument } from "../../contract/fact.ts";
import { movedOn } from "../../contract/run-progress.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import type { Terminal } from "../terminal.ts";
import { createLiveProgress } from "./live.ts";
import { createPlainProgress } from "./plain.ts";
import type { Row } from "./rows.ts";

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
        // What a fact told meanwhile may be later than what was looked at.
        run: movedOn(row.run, before.get(row.run.id) ?? {}),
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

/** What an action's fact says it is. */
function textOf(data: FactDocument["data"]): string | null {
  const text = data.title ?? data.text;
  return typeof text === "string" && text !== "" ? text : null;
}
