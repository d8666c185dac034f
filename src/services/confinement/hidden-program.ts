/** Checks whether the sandbox hides the program of an agent: it lies below a place that looks empty inside. */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { Sandbox } from "../../sandbox/sandbox.ts";
import { isInside } from "../../utils/paths/path-spelling.ts";
import type { Uses } from "../core/context-parts.ts";
import { hiddenPlaces, packageStores } from "./run-profile.ts";

type Around = Uses<"paths" | "userEnv" | "ownFolders">;

interface ProgramPlace {
  /** Absolute, as it was found. */
  readonly binary: string;
  /** The word that starts it. The sandbox shows a path directly; a name is looked up. */
  readonly program: string;
  /** The checkout; null for none. */
  readonly repository: string | null;
  /** `sandbox.write`, as configured. */
  readonly write: readonly string[];
}

/** The place that hides it, or null. */
export function placeThatHides(
  context: Around,
  sandbox: Sandbox,
  { binary, program, repository, write }: ProgramPlace,
): string | null {
  if (!sandbox.available) return null;
  const home = context.userEnv.HOME ?? "/nonexistent";
  const hidden = [
    ...hiddenPlaces(context),
    ...packageStores(context),
    ...(sandbox.temporaryAt === null ? [] : [sandbox.temporaryAt, "/run"]),
  ].map(realOf);
  const shown = [
    home,
    ...(repository === null ? [] : [repository]),
    ...context.ownFolders,
    ...write.map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : path)),
  ].map(realOf);
  // The name by which it is started, and the target of that name.
  const target = realOf(binary);
  const name = join(realOf(dirname(binary)), basename(binary));
  // If a link is named by its path, the sandbox shows only its target.
  const places = isAbsolute(program) ? [name].filter((path) => path !== target) : [name, target];
  return places.map((place) => hiding(place, { hidden, shown })).find((place) => place !== null) ?? null;
}

/** Of the places around it the deepest one counts, as in the sandbox. Of two equal ones the stricter counts. */
function hiding(
  path: string,
  { hidden, shown }: { readonly hidden: readonly string[]; readonly shown: readonly string[] },
): string | null {
  const deepest = (places: readonly string[]) =>
    places.filter((place) => isInside(place, path, "linux")).sort((a, b) => b.length - a.length)[0] ?? null;
  const [over, back] = [deepest(hidden), deepest(shown)];
  return over !== null && (back === null || over.length >= back.length) ? over : null;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** One sentence for an agent that cannot work because of it. */
export function hiddenWords(binary: string, place: string): string {
  return `${binary} lies below ${place}, which agents do not see in the sandbox.`;
}
