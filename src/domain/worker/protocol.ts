/** Numbers what runs ask of their workers. An older program gets nothing newer (ADR 0100). */
import type { Run } from "../run/run.ts";

/** That of this program. It grows with each change of what a run asks of its worker. */
export const PROTOCOL = 2;

/** Since this one a worker clones by itself what it takes (ADR 0108). */
export const CLONES_ITSELF = 2;

/** The least protocol that a worker needs for a run of each kind. */
const SINCE: Readonly<Record<Run["kind"], number>> = {
  agent: 1,
  commit: 1,
  publish: 1,
  review: 1,
};

/** Stored with the run, so that also a program that knows nothing newer can compare it with its own. */
export function neededProtocol({ kind }: Pick<Run, "kind">): number {
  return SINCE[kind];
}
