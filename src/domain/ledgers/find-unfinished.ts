/** Finds acts that were begun and cannot be ended for now: failing clean-ups, and acts that could not be checked. */
import { sentence } from "../doctor/finding.ts";
import { attemptOwner, type Explanation, explain, short } from "./explanation.ts";
import type { Known } from "./known.ts";
import type { AttemptRecord, Ledgers, UnfinishedOperation } from "./ledgers.ts";

export function findUnfinished(
  { database, enginePid }: Ledgers,
  { there }: Pick<Known, "there">,
): readonly Explanation[] {
  const placeOf = (paths: readonly string[]) => paths.find((path) => there.has(path)) ?? null;
  return [
    ...database.attempts.flatMap((attempt) => troubledCleanUp(attempt, placeOf([attempt.worktree]))),
    ...database.unfinishedOperations.map((act) =>
      unfinishedOperation(act, { enginePid, path: placeOf(act.paths) }),
    ),
  ];
}

/** The id of its finding. */
export const cleanUpFinding = (attemptId: string): string => `clean_up:${attemptId}`;

function troubledCleanUp(attempt: AttemptRecord, path: string | null): readonly Explanation[] {
  const { id, state, cleanUp, elsewhere } = attempt;
  if (elsewhere || state !== "canceled" || cleanUp === null) return [];
  return [
    explain({
      id: cleanUpFinding(id),
      standing: "unfinished",
      what: `Attempt ${short(id)} was cancelled, and its clean-up cannot go on.`,
      owner: attemptOwner(id),
      why: `${sentence(cleanUp.why)} It was tried last at ${cleanUp.triedAt}, and is tried again by itself; nothing goes before its snapshot.`,
      remedy: `Mend what it names; \`tazuna cancel ${short(id)}\` tries at once.`,
      path,
    }),
  ];
}

function unfinishedOperation(
  act: UnfinishedOperation,
  { enginePid, path }: { readonly enginePid: number | null; readonly path: string | null },
): Explanation {
  const { operation, kind, subject, at, trouble } = act;
  return explain({
    id: `act:${operation}`,
    standing: "unfinished",
    what: `The act ${kind} of ${at} (operation ${short(operation)}) was begun, and its result is not known.`,
    owner: subject,
    why:
      trouble === null
        ? "Its engine ended in the middle of it. Nothing that it put aside goes before the next start has looked at it."
        : `The last start could not look at it: ${sentence(trouble)} Nothing that it put aside goes before a start can.`,
    remedy: `${trouble === null ? "" : "Mend what it names. "}${startAnew(enginePid)} looks at it.`,
    path,
  });
}

/** An engine checks at its start. */
function startAnew(pid: number | null): string {
  return pid === null
    ? "`tazuna list` starts an engine, which"
    : `\`kill ${pid}\` ends this engine, agents work on, and the next command starts one, which`;
}
