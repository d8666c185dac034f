/** Gives a file a second name, and never replaces an existing name. */
import { constants, copyFileSync, linkSync } from "node:fs";

/** The errors of file systems without hard links, such as on memory sticks and some shares. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** In one step, with the whole content. Without hard links it is a copy. Throws `EEXIST` if `second` exists. */
export function giveSecondName(path: string, second: string): void {
  try {
    linkSync(path, second);
  } catch (error) {
    if (!WITHOUT_LINKS.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    copyFileSync(path, second, constants.COPYFILE_EXCL);
  }
}
