/** Writes the queue of an attempt for people: a run a line, in the order in which they begin. */
import { cutToColumns } from "../../contract/columns.ts";
import type { AttemptAlone, RunDocument } from "../../contract/task-document.ts";
import { cleanLine } from "../../contract/text.ts";
import { presentRun } from "../../contract/words/present-run.ts";
import { shortId } from "../shared/resolve-id.ts";
import { tableText } from "./table.ts";

/** The first words of an instruction tell runs apart; `show` has all of them. */
const WIDEST = 60;

export function queueText(
  { id, runs }: Pick<AttemptAlone, "id" | "runs">,
  { columns }: { readonly columns: number },
): string {
  const queue = runs.filter(({ position }) => position !== null);
  if (queue.length === 0) return "Nothing waits in its queue.\n";
  const table = tableText(["PLACE", "RUN", "STATE", "WORDS"], queue.map(row), columns);
  if (!queue.some(({ held }) => held)) return table;
  return `${table}\nHeld runs begin once you send something: \`tazuna continue ${shortId(id)} "..."\`.\n`;
}

function row(run: RunDocument): string[] {
  const kind = run.kind === "agent" ? "" : `(${run.kind}) `;
  return [
    String(run.position),
    shortId(run.id),
    run.held ? "Held" : presentRun(run).words,
    `${kind}${cutToColumns(cleanLine(run.instruction), WIDEST)}`,
  ];
}
