/** Shows the progress of runs on stderr: live lines on a terminal, plain lines elsewhere. */
import type { FactDocument } from "../../contract/endpoints/operations.ts";
import type { TaskDocument } from "../../contract/task-document.ts";
import { cleanLine } from "../../contract/text.ts";
import { baseWords } from "../../contract/words/base-words.ts";
import { presentRun } from "../../contract/words/present-run.ts";
import { movedOn } from "../../contract/words/run-progress.ts";
import type { Terminal } from "../shared/terminal.ts";
import { createLiveProgress } from "./live.ts";
import type { Progress } from "./progress.ts";
import type { Row } from "./rows.ts";

/** The progress of the runs that the command waits for, fed with documents and facts. */
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
  const bases = new Set<string>();
  let isFirst = true;
  // Each base is told once, when the first attempt from it is prepared. The base of an attempt that was prepared
  // earlier was told then. It may not hold any more, since the person works on in the checkout.
  const sayBases = ({ attempts }: TaskDocument) => {
    for (const attempt of attempts) {
      const words = runs.has(attempt.runs[0]?.id ?? "") ? baseWords(attempt, "now") : null;
      if (words === null || attempt.started_from === null || bases.has(words)) continue;
      bases.add(words);
      if (!isFirst) progress.say(`Base: ${words}`);
    }
    isFirst = false;
  };
  return {
    known(document) {
      const before = new Map(rows.map(({ run }) => [run.id, run]));
      rows = rowsOf(document, runs, actions).map((row) => ({
        ...row,
        // A fact may be newer than the document.
        run: stateAfter(row.run, before.get(row.run.id) ?? {}),
      }));
      progress.show(rows);
      sayBases(document);
    },
    fact({ run: id, kind, data }) {
      if (id === null) return;
      const action = kind === "run.action" ? textOf(data) : null;
      if (action !== null) actions.set(id, action);
      if (action !== null) redraw((row) => (row.run.id === id ? { ...row, action } : row));
      if (kind === "run.state")
        redraw((row) => (row.run.id === id ? { ...row, run: stateAfter(row.run, data) } : row));
    },
    say: (line) => progress.say(line),
    end: () => progress.end(),
  };
}

/** What it waited for belongs to its earlier state. */
function stateAfter(run: Row["run"], state: Parameters<typeof movedOn>[1]): Row["run"] {
  const moved = movedOn(run, state);
  return moved === run ? run : { ...moved, waits_for: null };
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
      .map((run) => ({
        label: run.reviewer === null ? label : `${run.reviewer} (review)`,
        run,
        action: actions.get(run.id) ?? run.last_action?.text ?? null,
      }));
  });
}

/** The text of an action's fact. */
function textOf(data: FactDocument["data"]): string | null {
  const text = data.title ?? data.text;
  return typeof text === "string" && text !== "" ? text : null;
}

function createPlainProgress({ stderr }: Terminal): Progress {
  const shownWords = new Map<string, string>();
  return {
    show(rows) {
      for (const { label, run } of rows) {
        const words = presentRun(run).words;
        if (shownWords.get(run.id) === words) continue;
        shownWords.set(run.id, words);
        stderr.write(`${cleanLine(label)} ${run.id.slice(0, 8)}: ${words}\n`);
      }
    },
    say: (line) => stderr.write(`${cleanLine(line)}\n`),
    end: () => {},
  };
}
