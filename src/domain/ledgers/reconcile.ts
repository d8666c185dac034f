/** Compares the four ledgers and says what each thing is: every thing in exactly one explanation, whatever the order. */
import { explainDisk } from "./explain-disk.ts";
import { explainRefs, explainRegistration } from "./explain-git.ts";
import { explainProcess } from "./explain-process.ts";
import type { Explanation } from "./explanation.ts";
import { findLost } from "./find-lost.ts";
import { findUnfinished } from "./find-unfinished.ts";
import { knownOf } from "./known.ts";
import type { Ledgers } from "./ledgers.ts";

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
