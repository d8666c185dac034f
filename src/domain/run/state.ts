/** Lists the states of a run and holds the one table of legal moves between them (seed 003 RunService). */
import { err, ok, type Result } from "neverthrow";

export const RUN_STATUSES = [
  "PENDING",
  "RUNNING",
  "STAGING",
  "COMMITTING",
  "PUSHING",
  "SUCCEEDED",
  "FAILED",
  "CANCELED",
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const RUN_PHASES = [
  "queued",
  "preparing",
  "agent",
  "waiting",
  "proving",
  "staging",
  "checking",
] as const;
type RunPhase = (typeof RUN_PHASES)[number];

export const RUN_OUTCOMES = ["pushed", "committed", "no_changes"] as const;

/** The state of a run: a status of seed 003, refined by a phase if the status has any. */
export interface RunState {
  readonly status: RunStatus;
  readonly phase: RunPhase | null;
}

/** The purpose of a run: a turn of the agent, the person's own edits, only the push of commits, or another's reading. */
export const RUN_KINDS = ["agent", "commit", "publish", "review"] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** The events of a run. Every change of a run's state is one of these. */
export const RUN_EVENTS = [
  "prepare",
  "start_agent",
  "wait",
  "resume",
  "agent_ended",
  "stage_edits",
  "publish_only",
  "proved",
  "staged",
  "nothing_changed",
  "commit",
  "committed",
  "finish",
  "move",
  "fail",
  "cancel",
] as const;
export type RunEvent = (typeof RUN_EVENTS)[number];

interface IllegalMove {
  readonly kind: "illegal_move";
  readonly from: RunState;
  readonly event: RunEvent;
}

const state = (status: RunStatus, phase: RunPhase | null = null): RunState => ({ status, phase });

const STATES = {
  QUEUED: state("PENDING", "queued"),
  PREPARING: state("PENDING", "preparing"),
  AGENT: state("RUNNING", "agent"),
  WAITING: state("RUNNING", "waiting"),
  PROVING: state("STAGING", "proving"),
  STAGING: state("STAGING", "staging"),
  CHECKING: state("STAGING", "checking"),
  COMMITTING: state("COMMITTING"),
  PUSHING: state("PUSHING"),
  SUCCEEDED: state("SUCCEEDED"),
  FAILED: state("FAILED"),
  CANCELED: state("CANCELED"),
};
const { QUEUED, PREPARING, AGENT, WAITING, PROVING, STAGING } = STATES;
const { CHECKING, COMMITTING, PUSHING, SUCCEEDED, FAILED, CANCELED } = STATES;

/** The state every run is created in. */
export const INITIAL_STATE: RunState = QUEUED;

/** Every state that exists, each once, in the order in which a run passes them. */
export const RUN_STATES: readonly RunState[] = Object.values(STATES);

const UNFINISHED = { fail: FAILED, cancel: CANCELED } as const;
const BEGUN = { ...UNFINISHED, move: PREPARING } as const;

/**
 * Every legal move. It adds four kinds of moves to the chart of seed 003. No changes: STAGING to SUCCEEDED. Failure
 * and cancel: from every unfinished state. Runs without an agent: PENDING to STAGING or PUSHING. Another worker takes
 * it over: from every state that has begun to PENDING, where it is prepared anew (ADR 0096).
 */
const MOVES: ReadonlyMap<string, Partial<Record<RunEvent, RunState>>> = new Map([
  [key(QUEUED), { ...UNFINISHED, prepare: PREPARING }],
  [key(PREPARING), { ...BEGUN, start_agent: AGENT, stage_edits: PROVING, publish_only: PUSHING }],
  [key(AGENT), { ...BEGUN, wait: WAITING, agent_ended: PROVING }],
  [key(WAITING), { ...BEGUN, resume: AGENT, agent_ended: PROVING }],
  [key(PROVING), { ...BEGUN, proved: STAGING }],
  [key(STAGING), { ...BEGUN, staged: CHECKING, nothing_changed: SUCCEEDED }],
  [key(CHECKING), { ...BEGUN, commit: COMMITTING }],
  [key(COMMITTING), { ...BEGUN, committed: PUSHING }],
  [key(PUSHING), { ...BEGUN, finish: SUCCEEDED }],
]);

/** The state that `event` leads to, or the illegal move as a value. */
export function moveRun(from: RunState, event: RunEvent): Result<RunState, IllegalMove> {
  const to = MOVES.get(key(from))?.[event];
  return to === undefined ? err({ kind: "illegal_move", from, event }) : ok(to);
}

/** Whether a run in this state will never move again. */
export function isEnded(status: RunStatus): boolean {
  return status === "SUCCEEDED" || status === "FAILED" || status === "CANCELED";
}

function key(state: RunState): string {
  return `${state.status}/${state.phase ?? ""}`;
}
