/** Shows the workers that share a Postgres: data folders whose engines work on the same database. */
import type { WorkerDocument } from "../../../contract/endpoints/engine.ts";
import { cleanLine } from "../../../contract/text.ts";
import { defineCommand } from "../../shared/command.ts";
import { tableText } from "../../view/table.ts";

export const workersCommand = defineCommand({
  brief: "Show who works on the same Postgres: this machine, and those of others",

  async act({ engine }) {
    const list = await engine.ask((client) => client.workers());
    return list.map(({ items }) => ({
      document: { workers: items },
      text: (columns) => (items.length === 0 ? ALONE : listText(items, columns)),
    }));
  },
});

const ALONE = `This Tazuna works alone: its database is a file that no other one uses.
To work as a team, start one on each machine with the same Postgres: \`tazuna serve --database postgres://…\`.
`;

function listText(workers: readonly WorkerDocument[], columns: number): string {
  return tableText(
    ["NAME", "STATE", "SLOTS", "AGENTS", "VERSION", "SEEN"],
    workers.map((worker) => [
      `${cleanLine(worker.name)}${worker.here ? " *" : ""}`,
      stateText(worker),
      `${worker.slots.used}/${worker.slots.limit}`,
      worker.agents.length === 0 ? "-" : worker.agents.map(cleanLine).join(", "),
      cleanLine(worker.version),
      agoText(worker.seen_s),
    ]),
    columns,
  ).concat(HERE);
}

const HERE = "* this one\n";

/** What is not there may hold attempts that wait for it. */
function stateText({ state, pinned }: WorkerDocument): string {
  return state === "ready" || pinned === 0 ? state : `${state}, ${pinned} pinned`;
}

/** Such as `1 s`, `34 s`, `5 min`, `3 h` or `2 d`. */
function agoText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (60 * 24))} d`;
}
