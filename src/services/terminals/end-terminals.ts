/** Ends terminals: those of an attempt, those of an engine that stops, and what a killed engine left of them. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { TERMINAL_MARKER } from "../../keeper/terminal/messages.ts";
import { isThere } from "../../utils/files/is-there.ts";
import { removeTree } from "../../utils/files/remove-tree.ts";
import { stopMarked } from "../../utils/programs/process-identity.ts";
import type { Uses } from "../core/context-parts.ts";

/** Null ends all. */
export async function endTerminals(
  { terminals }: Uses<"terminals">,
  attemptId: string | null,
): Promise<void> {
  const those = [...terminals.values()].filter((each) => attemptId === null || each.attemptId === attemptId);
  await Promise.all(those.map((each) => each.end()));
}

/** Usually nothing is left: the host of a terminal ends with its engine. One that cannot be cleared holds up no other. */
export async function clearTerminals({ paths, reportFault }: Uses<"paths" | "reportFault">): Promise<void> {
  if (!(await isThere(paths.terminals))) return;
  for (const id of await readdir(paths.terminals))
    await clearTerminal(join(paths.terminals, id), id).catch((error) =>
      reportFault("what a terminal left", error),
    );
}

async function clearTerminal(folder: string, id: string): Promise<void> {
  await stopMarked({ name: TERMINAL_MARKER, value: id }, { graceMs: 0 });
  await removeTree(folder);
}
