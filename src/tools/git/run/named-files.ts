/** Tells which files that a configuration names belong to the workspace, so that what git shows of them may be seen. */
import { sep } from "node:path";
import { realLocation } from "../../../utils/real-location.ts";
import { type FoundRepository, isPlainText, placeFrom } from "./find-repository.ts";
import { type ConfigEntry, nameOf } from "./parse-config.ts";

/** Git shows what is in them: names it replaces others by, and in messages whatever it cannot read. */
const SHOWN: ReadonlySet<string> = new Set(["blame.ignorerevsfile", "core.attributesfile", "mailmap.file"]);

/** Whether the setting names a file that git would show, outside of the working tree and of the workspace. */
export function namesForeignFile(
  entry: ConfigEntry,
  { topLevel }: FoundRepository,
  workspaceRoot: string,
): boolean {
  if (!isShownFile(entry)) return false;
  const { value } = entry;
  if (value === null || value === "") return false;
  // A home, git's own folder, or what a newer git reads as more than a path.
  if (/^[~%:]/.test(value) || !isPlainText(value)) return true;
  const location = realLocation(placeFrom(topLevel, value));
  const leads = location.found === "no-way" ? location.at : location.path;
  return ![topLevel, workspaceRoot].some((root) => `${leads}${sep}`.startsWith(root + sep));
}

export function isShownFile(entry: ConfigEntry): boolean {
  return SHOWN.has(nameOf(entry));
}
