/** Prevents PATH from finding programs that an agent could have planted. */
import { delimiter, isAbsolute, sep } from "node:path";

/**
 * The absolute entries of PATH, without those inside `folder`, in which an agent writes. `folder` is null if there is
 * no such folder.
 */
export function trustedPath(path: string, folder: string | null): string {
  const inside = (entry: string) => folder !== null && (entry === folder || entry.startsWith(folder + sep));
  return path
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !inside(entry))
    .join(delimiter);
}
