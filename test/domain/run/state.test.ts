import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  INITIAL_STATE,
  isEnded,
  moveRun,
  RUN_EVENTS,
  RUN_STATES,
  RUN_STATUSES,
  type RunEvent,
  type RunState,
} from "../../../src/domain/run/state.ts";

const name = (state: RunState) => (state.phase ? `${state.status}/${state.phase}` : state.status);

/** Every legal move as `FROM -event-> TO`, read off the table by trying all of them. */
const legalMoves = () =>
  RUN_STATES.flatMap((from) =>
    RUN_EVENTS.flatMap((event) =>
      moveRun(from, event).match(
        (to) => [`${name(from)} -${event}-> ${name(to)}`],
        () => [],
      ),
    ),
  );

describe("seed 003, state diagram", () => {
  test("seed 003 RunService: a run has exactly PENDING, RUNNING, STAGING, COMMITTING, PUSHING, SUCCEEDED, FAILED and CANCELED", () => {
    expect([...RUN_STATUSES]).toEqual([
      "PENDING",
      "RUNNING",
      "STAGING",
      "COMMITTING",
      "PUSHING",
      "SUCCEEDED",
      "FAILED",
      "CANCELED",
    ]);
  });

  test("seed 003 RunService: every arrow of the seed's chart is a legal move of the table", () => {
    const arrows = new Set(
      legalMoves().map((move) => move.replace(/\/\w+/g, "").replace(/ -\w+-> /, " --> ")),
    );
    const chart = [
      "PENDING --> RUNNING",
      "RUNNING --> RUNNING",
      "RUNNING --> STAGING",
      "STAGING --> COMMITTING",
      "COMMITTING --> PUSHING",
      "PUSHING --> SUCCEEDED",
      "RUNNING --> FAILED",
      "PUSHING --> FAILED",
      "PENDING --> CANCELED",
      "RUNNING --> CANCELED",
    ];
    expect(chart.filter((arrow) => !arrows.has(arrow))).toEqual([]);
  });

  test("seed 003 RunService and Orchestrator: one table says when a run commits and pushes, phase by phase, without other moves (departs: more moves than the chart)", () => {
    const forward = legalMoves().filter((move) => !/-(fail|cancel)->/.test(move));
    expect(forward).toEqual([
      "PENDING/queued -prepare-> PENDING/preparing",
      "PENDING/preparing -start_agent-> RUNNING/agent",
      "PENDING/preparing -stage_edits-> STAGING/proving",
      "PENDING/preparing -publish_only-> PUSHING",
      "PENDING/preparing -move-> PENDING/preparing",
      "RUNNING/agent -wait-> RUNNING/waiting",
      "RUNNING/agent -agent_ended-> STAGING/proving",
      "RUNNING/agent -move-> PENDING/preparing",
      "RUNNING/waiting -resume-> RUNNING/agent",
      "RUNNING/waiting -agent_ended-> STAGING/proving",
      "RUNNING/waiting -move-> PENDING/preparing",
      "STAGING/proving -proved-> STAGING/staging",
      "STAGING/proving -move-> PENDING/preparing",
      "STAGING/staging -staged-> STAGING/checking",
      "STAGING/staging -nothing_changed-> SUCCEEDED",
      "STAGING/staging -move-> PENDING/preparing",
      "STAGING/checking -commit-> COMMITTING",
      "STAGING/checking -move-> PENDING/preparing",
      "COMMITTING -committed-> PUSHING",
      "COMMITTING -move-> PENDING/preparing",
      "PUSHING -finish-> SUCCEEDED",
      "PUSHING -move-> PENDING/preparing",
    ]);
  });

  test("seed 003 RunService: every unfinished state can fail and can be canceled, an ended one never moves", () => {
    for (const from of RUN_STATES) {
      const moves = legalMoves().filter((move) => move.startsWith(`${name(from)} -`));
      if (isEnded(from.status)) expect(moves).toEqual([]);
      if (!isEnded(from.status)) {
        expect(moves).toContain(`${name(from)} -fail-> FAILED`);
        expect(moves).toContain(`${name(from)} -cancel-> CANCELED`);
      }
    }
  });

  test("no sequence of events leaves the table", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...RUN_EVENTS), { maxLength: 40 }), (events) => {
        let state: RunState = INITIAL_STATE;
        for (const event of events) {
          const before = state;
          const moved = moveRun(state, event);
          state = moved.unwrapOr(state);
          if (moved.isErr()) expect(moved.error).toEqual({ kind: "illegal_move", from: before, event });
          if (isEnded(before.status)) expect(state).toEqual(before);
          expect(RUN_STATES).toContainEqual(state);
        }
      }),
    );
  });

  test("from every state some sequence of events ends the run", () => {
    const reachable = (from: RunState, seen = new Set<string>()): boolean => {
      if (isEnded(from.status)) return true;
      if (seen.has(name(from))) return false;
      seen.add(name(from));
      return RUN_EVENTS.some((event: RunEvent) =>
        moveRun(from, event).match(
          (to) => reachable(to, seen),
          () => false,
        ),
      );
    };
    expect(RUN_STATES.filter((state) => !reachable(state))).toEqual([]);
  });
});
