/** Explains what is wrong with the data folder: its permissions, its place, its free room. */
import { diskFloor } from "../run/scheduling.ts";
import { listed } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";
import { type Finding, makeFinding } from "./finding.ts";

export interface DataFolderFacts {
  /** Absolute. */
  readonly path: string;
  readonly state: "usable" | "absent" | "not_a_folder" | "closed";
  /** The lower nine permission bits of the folder; null if permissions do not protect it here. */
  readonly mode: number | null;
  /** Names of files in it that others may read once they are in the folder. */
  readonly openFiles: readonly string[];
  /** Bytes of its file system; null if it cannot be asked. */
  readonly disk: { readonly free: number; readonly total: number } | null;
  /** Such as `NFS`; null for a local file system. */
  readonly network: string | null;
  /** The repository that contains it, absolute; null if none does. */
  readonly insideRepository: string | null;
  /** The folder of the trash if it is on another file system than the worktrees; else null. */
  readonly trashAcross: string | null;
}

const ELSEWHERE = "Set TAZUNA_HOME to another folder.";

export function dataFolderFindings(facts: DataFolderFacts): readonly Finding[] {
  return [
    stateFinding(facts),
    diskFinding(facts),
    networkFinding(facts),
    insideFinding(facts),
    acrossFinding(facts),
  ].filter((finding) => finding !== null);
}

function stateFinding({ path, state, mode, openFiles }: DataFolderFacts): Finding {
  const id = "data_folder";
  if (state === "absent")
    return makeFinding("info", id, `The data folder ${path} is not there yet; the first command makes it.`, {
      path,
    });
  if (state === "not_a_folder")
    return makeFinding("error", id, `${path} is not a folder, so it cannot be the data folder.`, {
      path,
      remedy: ELSEWHERE,
    });
  if (state === "closed")
    return makeFinding("error", id, `The data folder ${path} cannot be written to.`, {
      why: "No engine can start.",
      path,
      remedy: `\`chmod u+rwx ${shellWord(path)}\`, or set TAZUNA_HOME to a folder that you may write to.`,
    });
  if (mode === null || (mode & 0o077) === 0)
    return makeFinding("ok", id, `The data folder is ${path}.`, { path });
  const files = openFiles.length === 0 ? "" : ` Readable for them: ${listed(openFiles)}.`;
  return makeFinding(
    "warning",
    id,
    `Others can look into the data folder ${path} (mode ${mode.toString(8)}).`,
    {
      why: `It holds the key to the server and whatever agents saw.${files}`,
      path,
      remedy: `\`chmod 700 ${shellWord(path)}\``,
    },
  );
}

function diskFinding({ disk, path }: DataFolderFacts): Finding | null {
  if (disk === null) return null;
  const floor = diskFloor(disk.total);
  if (disk.free >= floor)
    return makeFinding("ok", "disk", "There is room on the disk of the data folder.", { bytes: disk.free });
  return makeFinding(
    "error",
    "disk",
    "There is too little room on the disk of the data folder: no run begins.",
    {
      why: `Runs wait below ${Math.ceil(floor / 1024 ** 2)} MiB, so that those at work can end.`,
      bytes: disk.free,
      path,
      remedy: "Free some room: `tazuna clean` and `tazuna trash empty` say what of Tazuna's could go.",
    },
  );
}

function networkFinding({ network, path }: DataFolderFacts): Finding | null {
  if (network === null) return null;
  const what = `The data folder lies on a file system of the network (${network}).`;
  return makeFinding("warning", "data_folder_network", what, {
    why: "Locks and the database are not safe there, and every git command is slow.",
    path,
    remedy: "Set TAZUNA_HOME to a folder on a disk of this machine.",
  });
}

/** It works, but takes surprisingly long. */
function acrossFinding({ trashAcross: path }: DataFolderFacts): Finding | null {
  if (path === null) return null;
  const what = `The trash ${path} lies on another file system than the worktrees.`;
  return makeFinding("info", "trash_across", what, {
    why: "What goes there is copied, compared file by file, and only then taken away. That takes longer, and room on both file systems.",
    path,
    remedy: "Let both folders lie on one file system: then a worktree goes there by one rename.",
  });
}

function insideFinding({ insideRepository, path }: DataFolderFacts): Finding | null {
  if (insideRepository === null) return null;
  const what = `The data folder lies inside the repository ${insideRepository}.`;
  return makeFinding("warning", "data_folder_inside", what, {
    why: "Worktrees, logs and the database would be files of that repository, and a clean-up of it could take them along.",
    path,
    remedy: ELSEWHERE,
  });
}
