/** Lists the workers that share a Postgres: data folders whose engines work on it. Invites, drains and removes one. */
import { err } from "neverthrow";
import { cleanLine, shellWord } from "../../../contract/text.ts";
import { parseWithin, wordArgument } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import {
  defineCommand,
  type Outcome,
  optionalArgument,
  parsedFlag,
  switchFlag,
} from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { drainedText, removedText, workersText } from "../../view/workers-text.ts";
import { invite } from "./invite.ts";

export const workersCommand = defineCommand({
  brief: "Show who works on the same Postgres; `invite` lets one more join, `drain` ends one",
  args: [
    {
      ...wordArgument("list|invite|drain|resume|remove", "What to do; alone it lists them", [
        "list",
        "invite",
        "drain",
        "resume",
        "remove",
      ]),
      optional: true,
    },
    optionalArgument("NAME", "Of a worker, or its id"),
  ],
  flags: {
    within: parsedFlag(parseWithin, "With `drain`: after so long, stop what still goes on there", "30m"),
    yes: switchFlag("With `remove`: do it"),
  },
  async act({ engine }, { within, yes }, action = "list", name) {
    if (within !== undefined && action !== "drain") return err(onlyWith("within", "drain"));
    if (yes && action !== "remove") return err(onlyWith("yes", "remove"));
    if (action === "list") return list(engine);
    if (action === "invite") return invite(engine);
    if (name === undefined || name.trim() === "") return err(nameMissing(action));
    if (action === "remove") return yes ? remove(engine, name) : wouldRemove(engine, name);
    const answer = await engine.ask((client) =>
      action === "drain" ? client.drainWorker(name, { within_s: within ?? null }) : client.resumeWorker(name),
    );
    return answer.map((document) => ({ document, text: drainedText(document) }));
  },
});

async function list(engine: Engine): Promise<Outcome> {
  const workers = await engine.ask((client) => client.workers());
  return workers.map(({ items }) => ({
    document: { workers: items },
    text: (columns) => workersText(items, columns),
  }));
}

async function wouldRemove(engine: Engine, named: string): Promise<Outcome> {
  const workers = await engine.ask((client) => client.workers());
  return workers.map(({ items }) => {
    const meant = items.find(({ id, name }) => name === named || id === named);
    if (meant === undefined) return { exit: 1, document: { removed: null }, text: noSuch(named) };
    const again = `Nothing was removed: \`tazuna workers remove ${shellWord(named)} --yes\` does it.\n`;
    return { exit: 1, document: { removed: null }, text: `${removedText(meant, "would")}${again}` };
  });
}

async function remove(engine: Engine, name: string): Promise<Outcome> {
  const removed = await engine.ask((client) => client.removeWorker(name));
  return removed.map((document) => ({
    document: { removed: document },
    text: removedText(document, "done"),
  }));
}

function noSuch(named: string): string {
  return `No worker has the name or the id "${cleanLine(named)}". \`tazuna workers\` shows who is there.\n`;
}

function onlyWith(flag: string, action: string): CliError {
  return badUsage(
    `\`--${flag}\` goes with \`workers ${action}\` alone.`,
    "`tazuna workers --help` shows what it takes.",
  );
}

function nameMissing(action: string): CliError {
  return badUsage(
    `\`workers ${action}\` needs the name of a worker.`,
    "`tazuna workers` shows who is there.",
  );
}
