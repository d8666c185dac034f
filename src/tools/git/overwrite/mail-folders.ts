/** Lists the files that `git am` reads in a folder of mails, because they may be links out of the workspace. */
import { readdirSync } from "node:fs";
import { isAbsolute } from "node:path";

/** Each path begins as the folder is given. Empty if `path` is a file. Git ignores names that begin with a dot. */
export function mailsIn(path: string, from: string): readonly string[] {
  const at = isAbsolute(path) ? path : `${from}/${path}`;
  const folders = namesIn(at).filter((name) => name === "cur" || name === "new");
  return folders.flatMap((name) => {
    const mails = namesIn(`${at}/${name}`).filter((mail) => !mail.startsWith("."));
    return [name, ...mails.map((mail) => `${name}/${mail}`)].map((one) => `${path}/${one}`);
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
