/** Keeps what is about to be replaced under a second name. */
import { constants, copyFileSync, linkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { newId } from "../utils/ids.ts";

/** File systems without hard links, as on memory sticks and some shares. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** The new name, in the same folder. The file stays in its place as well, so that it is never missing. */
export function keepAside(path: string): string {
  const name = `${basename(path)}.kept-${newId().slice(0, 8)}`;
  const aside = join(dirname(path), name);
  try {
    linkSync(path, aside);
  } catch (error) {
    if (!WITHOUT_LINKS.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    copyFileSync(path, aside, constants.COPYFILE_EXCL);
  }
  return name;
}
