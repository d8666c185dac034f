/** Works for a server: joins it once by an invitation, and from then on starts again from the data folder. */
import { err, ok } from "neverthrow";
import { parseWithin } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { defineCommand, parsedFlag, switchFlag, textFlag, textsFlag } from "../../shared/command.ts";
import { readLabels } from "../../shared/labels.ts";
import { jsonText } from "../../shared/print.ts";

export const workerCommand = defineCommand({
  brief: "Work for a server that shares its Postgres: `workers invite` there prints the command",
  flags: {
    join: textFlag("The address in the invitation; needed once", "URL"),
    name: textFlag("How others call it (default: the name of this machine)", "NAME"),
    slots: parsedFlag(parseSlots, "How many runs may work here at once (default: 8)", "N"),
    label: textsFlag("What this machine is good for; replaces those before (`none`: no label)", "LABEL"),
    within: parsedFlag(parseWithin, "At the end, stop what still goes on after so long, such as 30m", "TIME"),
    allowGuard: switchFlag("Accept a machine without a sandbox: agents could read the worker's login"),
  },
  async *act({ entries, terminal, json }, { join, name, slots, label, within, allowGuard }) {
    if (join === undefined && (name !== undefined || allowGuard)) return err(ONLY_JOIN);
    const labels = yield* readLabels(label);
    const options = {
      join: join === undefined ? null : { url: join, name: name ?? null, allowGuard },
      slots: slots ?? null,
      labels,
      withinMs: within === undefined ? null : within * 1_000,
    };
    const worked = await entries.worker(options, (line) =>
      terminal.stdout.write(json ? jsonText({ line }, { oneLine: true }) : `${line}\n`),
    );
    return worked.andThen(() => ok({}));
  },
});

const ONLY_JOIN = badUsage(
  "`--name` and `--allow-guard` go with `--join` alone.",
  "Leave them out: what was said when it joined still holds.",
);

function parseSlots(text: string): number {
  const slots = Number(text);
  if (!/^\d+$/.test(text) || slots < 1 || slots > 1_000) throw new Error("a number from 1 to 1000 is needed");
  return slots;
}
