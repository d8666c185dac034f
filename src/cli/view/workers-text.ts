/** Shows workers: who is there, what drains, and what the removal of one means. */
import type { WorkerDocument } from "../../contract/endpoints/engine.ts";
import { cleanLine, shellWord } from "../../contract/text.ts";
import { actorWords } from "../../contract/words/actor-words.ts";
import { tableText } from "./table.ts";

export function workersText(workers: readonly WorkerDocument[], columns: number): string {
  if (workers.length === 0) return ALONE;
  const isLabelled = workers.some(({ labels }) => labels.length > 0);
  return tableText(
    ["NAME", "STATE", "SLOTS", "AGENTS", ...(isLabelled ? ["LABELS"] : []), "VERSION", "SEEN"],
    workers.map((worker) => [
      `${cleanLine(worker.name)}${worker.here ? " *" : ""}`,
      stateText(worker),
      `${worker.slots.used}/${worker.slots.limit}`,
      listText(worker.agents),
      ...(isLabelled ? [listText(worker.labels)] : []),
      cleanLine(worker.version),
      agoText(worker.seen_s),
    ]),
    columns,
  ).concat(HERE);
}

function listText(words: readonly string[]): string {
  return words.length === 0 ? "-" : words.map(cleanLine).join(", ");
}

const ALONE = `This Tazuna works alone: its database is a file that no other one uses.
To work as a team, start one on each machine with the same Postgres: \`tazuna serve --database postgres://…\`.
`;

const HERE = "* this one\n";

/** Such as `ready`, `draining, 2 runs`, `ready, older`, `ready, clock +3 s` or `silent, drained, 2 pinned`. What is not there may hold attempts. */
function stateText({ state, drain, pinned, clock, older }: WorkerDocument): string {
  const isThere = state === "ready";
  const words = [
    ...(isThere && drain !== null ? [] : [state]),
    ...(drain === null
      ? []
      : [drainState(drain.runs), ...(drain.by ? [`by ${cleanLine(actorWords(drain.by))}`] : [])]),
    ...(isThere && clock !== null ? [clockState(clock)] : []),
    ...(isThere && older ? ["older"] : []),
    ...(isThere || pinned === 0 ? [] : [`${pinned} pinned`]),
  ];
  return words.join(", ");
}

function drainState(runs: number): string {
  return runs === 0 ? "drained" : `draining, ${runsText(runs)}`;
}

function clockState({ ahead_ms: ahead, begins_nothing }: NonNullable<WorkerDocument["clock"]>): string {
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  return `clock ${ahead < 0 ? "-" : "+"}${seconds} s${begins_nothing ? ", begins nothing" : ""}`;
}

/** After `drain` and `resume`: how the worker stands now. */
export function drainedText({ name, drain }: WorkerDocument): string {
  const shown = cleanLine(name);
  if (drain === null) return `${shown} begins runs.\n`;
  const left =
    drain.runs === 0
      ? `${shown} is drained: it begins nothing more.`
      : `${shown} begins nothing more; ${runsText(drain.runs)} ${drain.runs === 1 ? "goes" : "go"} on.`;
  const stops = drain.stops_at === null ? "" : ` What goes on at ${drain.stops_at} is stopped.`;
  return `${left}${drain.runs === 0 ? "" : stops}\n\`tazuna workers resume ${shellWord(name)}\` takes it back.\n`;
}

/** What a removal means, before or after it. */
export function removedText({ name, pinned }: WorkerDocument, when: "would" | "done"): string {
  const shown = cleanLine(name);
  const files = "Its files stay on its machine, and its open runs end.";
  const attempts = `${pinned === 1 ? "1 open attempt" : `${pinned} open attempts`} can go on in a clone here, from what was pushed.`;
  const what = when === "done" ? `${shown} is removed.` : `This would remove ${shown}.`;
  return `${what} ${files}${pinned === 0 ? "" : `\n${attempts}`}\n`;
}

function runsText(runs: number): string {
  return runs === 1 ? "1 run" : `${runs} runs`;
}

/** Such as `1 s`, `34 s`, `5 min`, `3 h` or `2 d`. */
function agoText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (60 * 24))} d`;
}
