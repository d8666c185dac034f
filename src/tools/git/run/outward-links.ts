/** Finds files of a repository that are links out of it: what writes the repository would write there. */
import { readdirSync } from "node:fs";
import { join, sep } from "node:path";
import { realLocation } from "../../../utils/real-location.ts";
import type { RepositoryFlaw } from "./find-repository.ts";

export function outwardLink(folders: readonly string[], inside: readonly string[]): RepositoryFlaw | null {
  for (const folder of new Set(folders))
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isSymbolicLink()) continue;
      const at = join(folder, entry.name);
      const location = realLocation(at);
      const leads = location.found === "no-way" ? location.at : location.path;
      if (inside.some((root) => `${leads}${sep}`.startsWith(root + sep))) continue;
      return { at, message: `${at} is a link that leads out of the workspace, to ${leads}.` };
    }
  return null;
}
