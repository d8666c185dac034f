/** Keeps what is about to be replaced under a second name. */
import { basename, dirname, join } from "node:path";
import { newId } from "../utils/ids.ts";
import { giveSecondName } from "../utils/second-name.ts";

/** The new name, in the same folder. The file stays in its place as well, so that it is never missing. */
export function keepAside(path: string): string {
  const name = `${basename(path)}.kept-${newId().slice(0, 8)}`;
  giveSecondName(path, join(dirname(path), name));
  return name;
}
