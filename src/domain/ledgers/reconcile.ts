/**
 * Compares database, git, disk and processes, and explains each thing that any of them knows: a worktree, a branch, a
 * process. Each thing gets exactly one explanation.
 */
import { explainDisk } from "./explain-disk.ts";
import { explainRefs, explainRegistration } from "./explain-git.ts";
import { type Explanation, explain, keyOf, short, type Telling } from "./explanation.ts";
import { findLost } from "./find-lost.ts";
import { findUnfinished } from "./find-unfinished.ts";
import { isBelow, type Known, knownOf } from "./known.ts";
import type { Ledgers, ProcessFact } from "./ledgers.ts";

/** Sorted by id. */
export function reconcile(ledgers: Ledgers): readonly Explanation[] {
  const { database, disk, git, processes } = ledgers;
  const known = knownOf(ledgers);
  const repositories = [...database.repositories].sort((a, b) => (a.id < b.id ? -1 : 1));
  const all = [
    ...disk.map((fact) => explainDisk(fact, known, repositories)),
    ...git.flatMap(({ registrations, commonDir }) =>
      registrations.map((fact) => explainRegistration(fact, commonDir, known)),
    ),
    ...git.flatMap((ledger) => explainRefs(ledger, known)),
    ...processes.map((fact) => explainProcess(fact, known)),
    ...findLost(database, known),
    ...findUnfinished(ledgers, known),
  ];
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Another Tazuna on this machine marks its processes in the same way; they work in its own data folder. */
function explainProcess({ pid, run: id, workspace }: ProcessFact, known: Known): Explanation {
  const explainIt = (details: Telling) =>
    explain({ id: `process:${pid}`, covers: [keyOf.process(pid)], ...details });
  const run = known.runs.get(id);
  const isElsewhere = run !== undefined && known.attempts.get(run.attemptId)?.elsewhere === true;
  if (isElsewhere || (run === undefined && (workspace === null || !isBelow(workspace, known.root))))
    return explainIt({ standing: "theirs", what: `Process ${pid}.`, why: "It works for another Tazuna." });
  const owner = run === undefined ? null : ({ type: "run", id: run.id } as const);
  if (run !== undefined && !run.ended)
    return explainIt({
      standing: "in_use",
      what: `Process ${pid} of run ${short(id)}.`,
      why: "The run goes on.",
      owner,
    });
  const whose =
    run === undefined ? "a run that the database does not know" : `run ${short(id)}, which has ended`;
  return explainIt({
    standing: "unexplained",
    what: `Process ${pid} belongs to ${whose}, and lives.`,
    why: "It is left alone: it may still be in use.",
    owner,
    remedy: `\`ps -p ${pid} -o pid,etime,args\` shows what it is; \`kill ${pid}\` ends it.`,
  });
}
