/** Lists the rows of a timeline: each run with what was asked, what was done, and how it ended. */
import type { LogLine } from "@contract/endpoints/runs.ts";
import type { CheckDocument, RunDocument } from "@contract/task-document.ts";
import { type LogWindow, linesBefore } from "./log/log-window.ts";
import { type Told, type ToolCall, tellLog } from "./log/tell-log.ts";

export type TimelineView = "all" | "talk" | "raw";

type Row =
  | { readonly kind: "head" | "prompt" | "closed" | "loading" | "proof" | "commit" | "outcome" | "stop" }
  | { readonly kind: "new"; readonly at: string | null }
  /** Lines that are on the server alone: `count` older ones, or those after the line `at`. */
  | { readonly kind: "more"; readonly where: "older" | "newer"; readonly count: number; readonly at: number }
  | {
      readonly kind: "told";
      readonly told: Told;
      readonly isInner: boolean;
      readonly isLast: boolean;
      /** A group whose calls follow as rows of their own. */
      readonly isOpen: boolean;
    }
  | { readonly kind: "raw"; readonly line: LogLine }
  | { readonly kind: "checks"; readonly checks: readonly CheckDocument[] }
  | { readonly kind: "check"; readonly check: CheckDocument }
  | { readonly kind: "note"; readonly message: string; readonly code: string };

export type TimelineRow = Row & { readonly key: string; readonly run: RunDocument };

/** What this person saw of the attempt before: up to a line of a run, or a run as a whole. */
export interface Looked {
  readonly run: number;
  /** Null: all of that run. */
  readonly line: number | null;
  /** UTC ISO; null if it is not known. */
  readonly at: string | null;
}

interface RowOptions {
  readonly runs: readonly RunDocument[];
  /** Of the runs whose log is open; a run without a window is being read. */
  readonly logs: ReadonlyMap<string, LogWindow | null>;
  readonly view: TimelineView;
  readonly worktree: string;
  /** `RUN LINE` of a call in each group that is open: a page that comes may begin the group with another call. */
  readonly openGroups: ReadonlySet<string>;
  readonly looked: Looked | null;
}

export function rowsOf(options: RowOptions): readonly TimelineRow[] {
  const shown = options.runs.filter(({ started_at, status }) => started_at !== null || status !== "PENDING");
  const rows = shown.flatMap((run) => rowsOfRun(run, options));
  return withMark(rows, options.looked);
}

export const isWorking = ({ status }: Pick<RunDocument, "status">): boolean =>
  status !== "SUCCEEDED" && status !== "FAILED" && status !== "CANCELED";

function rowsOfRun(run: RunDocument, options: RowOptions): readonly TimelineRow[] {
  const of = (row: Row, key: string = row.kind): TimelineRow => ({ ...row, key: `${run.id} ${key}`, run });
  const window = options.logs.get(run.id);
  const begin = [of({ kind: "head" }), of({ kind: "prompt" })];
  if (window === undefined) return [...begin, of({ kind: "closed" }), ...endOf(run, options.view, of)];
  if (window === null) return [...begin, of({ kind: "loading" }), ...endOf(run, options.view, of)];
  const before = linesBefore(window);
  return [
    ...begin,
    ...(before > 0 ? [of({ kind: "more", where: "older", count: before, at: before }, "older")] : []),
    ...(options.view === "raw" ? rawRows(window, of) : toldRows(run, window, { ...options, of })),
    ...(window.isAtEnd
      ? []
      : [of({ kind: "more", where: "newer", count: 0, at: lastLine(window) }, "newer")]),
    ...endOf(run, options.view, of),
  ];
}

const lastLine = ({ lines }: LogWindow): number => lines.at(-1)?.n ?? 0;

type Of = (row: Row, key?: string) => TimelineRow;

function rawRows({ lines }: LogWindow, of: Of): readonly TimelineRow[] {
  return lines.map((line) => of({ kind: "raw", line }, String(line.n)));
}

const tellings = new WeakMap<LogWindow["lines"], Map<string, readonly Told[]>>();

function toldRows(
  run: RunDocument,
  { lines }: LogWindow,
  { view, worktree, openGroups, of }: RowOptions & { readonly of: Of },
): readonly TimelineRow[] {
  const isLive = isWorking(run);
  const known = tellings.get(lines) ?? new Map<string, readonly Told[]>();
  tellings.set(lines, known);
  const name = `${view} ${isLive}`;
  const told = known.get(name) ?? tellLog(lines, { worktree, isLive, talkOnly: view === "talk" });
  known.set(name, told);
  const checked = new Set(run.checks.map((check) => `check ${check.name}`));
  const kept = told.filter((each) => each.kind !== "script" || !checked.has(each.label));
  const inner = (each: ToolCall) =>
    of({ kind: "told", told: each, isInner: true, isLast: false, isOpen: false }, `${each.n} inner`);
  const isAnyOpen = (calls: readonly ToolCall[]) =>
    openGroups.size > 0 && calls.some(({ n }) => openGroups.has(callKey(run.id, n)));
  return kept.flatMap((each, index) => {
    const isLast = isLive && index === kept.length - 1;
    const isOpen = each.kind === "group" && isAnyOpen(each.calls);
    const row = of({ kind: "told", told: each, isInner: false, isLast, isOpen }, String(each.n));
    return isOpen ? [row, ...each.calls.map(inner)] : [row];
  });
}

const callKey = (run: string, n: number) => `${run} ${n}`;

/** Opens a group, or folds it again. */
export function withToggled(
  open: ReadonlySet<string>,
  run: string,
  calls: readonly ToolCall[],
): ReadonlySet<string> {
  const keys = calls.map(({ n }) => callKey(run, n));
  const rest = open.difference(new Set(keys));
  return rest.size < open.size ? rest : rest.union(new Set(keys.slice(0, 1)));
}

/** Notes that the proof of ownership counts, or that the log tells. */
const COUNTED = new Set(["foreign_ref_moved", "foreign_file_changed", "git_settings_changed"]);

function endOf(run: RunDocument, view: TimelineView, of: Of): readonly TimelineRow[] {
  const red = run.checks.filter(({ passed }) => !passed);
  const green = run.checks.filter(({ passed }) => passed);
  const notes = run.notes.filter(({ code }) => !COUNTED.has(code));
  const isTold = view !== "talk";
  return [
    ...(isTold ? notes : []).map(({ code, message }, index) =>
      of({ kind: "note", code, message }, `note ${index}`),
    ),
    ...(isTold && isProved(run) ? [of({ kind: "proof" })] : []),
    ...(isTold && green.length > 0 ? [of({ kind: "checks", checks: green })] : []),
    ...red.map((check) => of({ kind: "check", check }, `check ${check.name}`)),
    ...(run.commit === null ? [] : [of({ kind: "commit" })]),
    ...(run.failure === null ? [] : [of({ kind: "outcome" })]),
    ...(run.status === "CANCELED" || run.outcome === "no_changes" ? [of({ kind: "stop" })] : []),
  ];
}

/** The refs, settings and hooks are compared after the agent has ended, before anything is staged. */
function isProved({ kind, status, phase, outcome, failure }: RunDocument): boolean {
  if (kind !== "agent") return false;
  if (status === "STAGING") return phase !== "proving";
  return status === "COMMITTING" || status === "PUSHING" || outcome !== null || hasCommitFailure(failure);
}

const AFTER_PROOF = new Set(["gate_rejected", "check_failed", "push_rejected", "push_auth", "hook_failed"]);
const hasCommitFailure = (failure: RunDocument["failure"]) =>
  failure !== null && AFTER_PROOF.has(failure.code);

/** Puts the mark before the first row that is new to the person, unless nothing or everything is. */
function withMark(rows: readonly TimelineRow[], looked: Looked | null): readonly TimelineRow[] {
  if (looked === null) return rows;
  const index = rows.findIndex((row) => isAfter(row, looked));
  const row = rows[index];
  if (index <= 0 || row === undefined) return rows;
  const mark: TimelineRow = { kind: "new", at: looked.at, key: "new", run: row.run };
  return [...rows.slice(0, index), mark, ...rows.slice(index)];
}

function isAfter(row: TimelineRow, { run, line }: Looked): boolean {
  if (row.run.number !== run) return row.run.number > run && row.kind === "head";
  if (line === null) return false;
  if (row.kind === "told") return row.told.n > line;
  return row.kind === "raw" && row.line.n > line;
}
