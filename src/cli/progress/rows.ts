/** Draws one line per run: sign, agent, state, last action, time; cut to the width of the window. */

import { columnsOf, cutToColumns } from "../../contract/columns.ts";
import type { RunDocument } from "../../contract/task-document.ts";
import { cleanLine } from "../../contract/text.ts";
import { elapsedText } from "../../contract/words/elapsed.ts";
import { presentRun, type RunFamily } from "../../contract/words/present-run.ts";
import { paint } from "../view/paint.ts";

/** What one line shows. */
export interface Row {
  /** The agent, with its number if several attempts have the same agent. */
  readonly label: string;
  readonly run: RunDocument;
  /** The last known action of the agent. */
  readonly action: string | null;
}

const SIGNS: Readonly<Record<RunFamily, string>> = {
  queue: "○",
  work: "●",
  needs: "◆",
  review: "✓",
  fail: "✗",
};

/** From this width on, actions keep their column in every state: nothing jumps. */
const ROOMY = 70;
const USUAL_STATE_COLUMNS = columnsOf("Proving ownership");

/** Lines without a newline, each at most `columns` wide, wide characters counted as two. */
export function drawRows(
  rows: readonly Row[],
  options: { readonly columns: number; readonly now: number; readonly colour: boolean },
): string[] {
  const labels = rows.map((row) => cutToColumns(cleanLine(row.label), 24));
  const labelWidth = Math.max(0, ...labels.map(columnsOf));
  const words = rows.map((row) => presentRun(row.run).words);
  const wordWidth = Math.max(options.columns < ROOMY ? 0 : USUAL_STATE_COLUMNS, ...words.map(columnsOf));
  // Signs and the ellipsis take two columns in East Asian fonts: three columns stay free.
  const max = Math.max(1, options.columns - 4);
  return rows.map((row, index) => {
    const { family } = presentRun(row.run);
    const time = elapsedText(endOf(row.run, options.now) - startOf(row.run));
    const left = ` ${pad(labels[index] ?? "", labelWidth)}  ${pad(words[index] ?? "", wordWidth)}`;
    const room = max - columnsOf(left) - columnsOf(time) - 3;
    const middle = pad(`${left}  ${actionOf(row, room)}`, max - columnsOf(time) - 1);
    const line = room >= 0 ? `${middle} ${time}` : left;
    return `${paint(family, SIGNS[family], options)}${cutToColumns(line.trimEnd(), max)}`;
  });
}

/** The agent's action while it works; empty if there is no room for a word of it. */
function actionOf(row: Row, room: number): string {
  if (row.run.status !== "RUNNING" || row.action === null || room < 8) return "";
  return cutToColumns(cleanLine(row.action), room);
}

function startOf(run: RunDocument): number {
  return Date.parse(run.started_at ?? run.created_at);
}

function endOf(run: RunDocument, now: number): number {
  return run.ended_at === null ? now : Date.parse(run.ended_at);
}

function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}
