/** Finds files `FILE.rej` that a call would overwrite: git does not check before it writes them. */
import { lstatSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { rejectsOf } from "../../../domain/git-policy/judge/rejects.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import type { RepositoryFlaw } from "../repository/find-repository.ts";
import { type Asking, askGit, textOf } from "./ask-git.ts";
import { pathsOfPatches } from "./brought-paths.ts";
import { mailsIn } from "./mail-folders.ts";
import { waitingPatches } from "./steps.ts";

interface Place extends Asking {
  /** The git folder of the repository; null if there is no repository. */
  readonly gitDir: string | null;
  readonly topLevel: string | null;
  /** The standard input of the call; null if it is not known. */
  readonly stdin: string | null;
}

/** Null if nothing is overwritten. */
export async function rejectLoss(
  { subcommand, args }: Pick<CallNature, "subcommand" | "args">,
  place: Place,
): Promise<RepositoryFlaw | null> {
  const rejects = rejectsOf(subcommand, args);
  if (rejects === null) return null;
  if (rejects.kind === "continue") return lossOfWaiting(subcommand, place);
  const files = rejects.files.flatMap((file) => patchesAt(file, place.cwd));
  return lossOf({ subcommand, files, options: rejects.options }, place);
}

async function lossOfWaiting(subcommand: string, place: Place): Promise<RepositoryFlaw | null> {
  const { gitDir } = place;
  if (gitDir === null || !/'--reject'/.test(textOf(join(gitDir, "rebase-apply", "apply-opt")))) return null;
  return lossOf({ subcommand, files: waitingPatches(gitDir), options: [] }, place);
}

async function lossOf(
  {
    subcommand,
    files,
    options,
  }: { readonly subcommand: string; readonly files: readonly string[]; readonly options: readonly string[] },
  place: Place,
): Promise<RepositoryFlaw | null> {
  const { cwd, topLevel, stdin, ...asking } = place;
  const isUnknown = stdin === null && files.includes("-");
  const paths = isUnknown
    ? null
    : await pathsOfPatches(askGit({ ...asking, cwd }), { files, options, stdin: stdin ?? "" });
  if (paths === null) {
    const message = `Which files .rej git ${subcommand} would write over could not be found out. Name the patch as a file.`;
    return { at: topLevel ?? cwd, message };
  }
  // In a folder below the top, git may mean either place.
  const at = [...paths.keys()]
    .flatMap((path) => [cwd, topLevel ?? cwd].map((folder) => join(folder, `${path}.rej`)))
    .find((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (at === undefined) return null;
  return { at, message: `git ${subcommand} --reject would write over ${at}. Move it away first.` };
}

/** The mails of a folder. */
function patchesAt(file: string, cwd: string): readonly string[] {
  const at = file === "-" || isAbsolute(file) ? file : join(cwd, file);
  const isFolder = at !== "-" && statSync(at, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) return [at];
  return mailsIn(at, cwd).filter((mail) => statSync(mail, { throwIfNoEntry: false })?.isFile() === true);
}
