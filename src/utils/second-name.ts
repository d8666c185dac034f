/** Gives a file a second name, and never takes a name that is taken. */
import { constants, copyFileSync, linkSync } from "node:fs";

/** What file systems without hard links say, as on memory sticks and some shares. */
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** In one step, with all that is in it; where there are no hard links it is a copy. Throws `EEXIST` where `second` is there. */
export function giveSecondName(path: string, second: string): void {
  try {
    linkSync(path, second);
  } catch (error) {
    if (!WITHOUT_LINKS.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    copyFileSync(path, second, constants.COPYFILE_EXCL);
  }
}
