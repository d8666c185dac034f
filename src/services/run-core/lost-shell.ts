/** Notes on a run that its shell's environment was lost when an engine ended. */
import type { Uses } from "../core/context-parts.ts";
import { storeFacts } from "./move-run.ts";
import { note, type RunWorld } from "./step.ts";

const CODE = "environment_lost";

/** Whether the note was added just now: the run then has one note more. */
export async function noteLostShell(context: Uses<"db" | "shells">, world: RunWorld): Promise<boolean> {
  const { run } = world;
  if (run.options.fromShell !== true || context.shells.holdsFor(run.id)) return false;
  if (run.notes.some(({ code }) => code === CODE)) return false;
  const lost = note(
    CODE,
    "The engine was started again after this run was asked for. What it starts from now on gets the engine's own environment, not that of the shell.",
  );
  return (await storeFacts(context, world, { run: { notes: [...run.notes, lost] } })) === "stored";
}
