/** Reports other changes in the shared git directory during a turn that Tazuna did not make; puts nothing back. */
import type { RunNote } from "../../../domain/run/run.ts";
import type { Uses } from "../../core/context-parts.ts";
import { recordDeviation } from "../../run-core/record-deviation.ts";
import { type RunStart, sharedFiles } from "../../run-core/record-start.ts";
import { note, type RunWorld } from "../../run-core/step.ts";

const MAX_REPORTED = 20;

/** One note for each change: the checkout on another branch, another worktree, or other ignore rules. */
export async function foreignFiles(
  context: Uses<"db" | "paths" | "clock" | "newId" | "owner">,
  world: RunWorld,
  start: RunStart,
): Promise<readonly RunNote[]> {
  if (start.files === undefined) return [];
  const current = sharedFiles(context, world);
  const then = start.files;
  const changed = [...new Set([...Object.keys(then), ...Object.keys(current)])]
    .filter((name) => then[name] !== current[name])
    .sort();
  const notes: RunNote[] = [];
  for (const name of changed.slice(0, MAX_REPORTED)) {
    const [before, after] = [then[name] ?? null, current[name] ?? null];
    const operation = await recordDeviation(context, world, {
      kind: "foreign_file_changed",
      before: { file: name, is: before },
      after: { file: name, is: after },
      undoable: false,
    });
    const what = before === null ? "appeared" : after === null ? "vanished" : "changed";
    const message = `${name} in the repository's git folder ${what} while the agent worked. Tazuna did not do that and leaves it as it is.`;
    notes.push(note("foreign_file_changed", message, { file: name, before, after, operation }));
  }
  return notes;
}
