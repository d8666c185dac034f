/** Says what a living process is that carries our mark. */
import { type Explanation, explain, keyOf, short } from "./explanation.ts";
import { isBelow, type Known } from "./known.ts";
import type { ProcessFact } from "./ledgers.ts";

/** Another Tazuna on this machine marks its processes in the same way: they work in its own data folder. */
export function explainProcess({ pid, run: id, workspace }: ProcessFact, known: Known): Explanation {
  const tell = (of: Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation>) =>
    explain({ id: `process:${pid}`, covers: [keyOf.process(pid)], ...of });
  const run = known.runs.get(id);
  if (run === undefined && (workspace === null || !isBelow(workspace, known.root)))
    return tell({ standing: "theirs", what: `Process ${pid}.`, why: "It works for another Tazuna." });
  const owner = run === undefined ? null : ({ type: "run", id: run.id } as const);
  if (run !== undefined && !run.ended)
    return tell({
      standing: "in_use",
      what: `Process ${pid} of run ${short(id)}.`,
      why: "The run goes on.",
      owner,
    });
  const whose =
    run === undefined ? "a run that the database does not know" : `run ${short(id)}, which has ended`;
  return tell({
    standing: "unexplained",
    what: `Process ${pid} belongs to ${whose}, and lives.`,
    why: "It is left alone: it may be at work for somebody.",
    owner,
    remedy: `\`ps -p ${pid} -o pid,etime,args\` shows what it is; \`kill ${pid}\` ends it.`,
  });
}
