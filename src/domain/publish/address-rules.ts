/** Judges the two files that can send git to other addresses: `.gitmodules` and `.lfsconfig`. */
import { type GateFinding, gateFinding } from "./gate-finding.ts";

/** One setting as git lists it: section and last word in lower case. */
export interface FileSetting {
  readonly key: string;
  readonly value: string;
}

/** Whether a staged path is one of them. File systems that ignore case accept other letters too. */
export function saysAddresses(path: string): boolean {
  return /^\.(?:gitmodules|lfsconfig)$/i.test(path);
}

/** The settings that are in `now` and in none of `older`. `older` has all versions that this change did not make. */
export function addressFindings(
  path: string,
  { now, older }: { readonly now: readonly FileSetting[]; readonly older: readonly FileSetting[] },
): readonly GateFinding[] {
  const known = new Set(older.map(textOf));
  const fresh = now.filter((setting) => !known.has(textOf(setting)));
  return /lfs/i.test(path) ? fresh.flatMap(ofLargeFiles(path)) : fresh.flatMap(ofSubmodules(path));
}

/** A link in place of the file: another file has the settings, and this gate does not read that one. */
export function linkedAddresses(path: string): GateFinding {
  return gateFinding(/lfs/i.test(path) ? "lfs_address" : "submodule_address", path, {
    message: `${path} is a symbolic link now: another file says the addresses`,
    remedy: "Ask the agent to put the file itself there.",
  });
}

function textOf({ key, value }: FileSetting): string {
  return `${key}\n${value}`;
}

/** The keys of that file which git-lfs follows and which lead to an address. */
const LARGE_FILES = /^(?:lfs\.(?:url|pushurl)|remote\..*\.lfs(?:push)?url|lfs\..*\.access)$/s;

function ofLargeFiles(path: string) {
  return ({ key }: FileSetting): GateFinding[] => {
    const message = `${path} has a new ${key}: large files of every push go there`;
    return LARGE_FILES.test(key) ? [gateFinding("lfs_address", path, { message, remedy: REMEDY })] : [];
  };
}

function ofSubmodules(path: string) {
  return ({ key, value }: FileSetting): GateFinding[] => {
    const [, word = ""] = /^submodule\..*\.(url|update)$/s.exec(key) ?? [];
    if (word === "update" && value.startsWith("!"))
      return [
        gateFinding("submodule_command", path, {
          message: `${path} has a new ${key} that is a command`,
          remedy: "Ask the agent to take it out: git runs none from there, older versions did.",
        }),
      ];
    const message = `${path} has a new ${key}: everyone who fills the submodule fetches from there`;
    return word === "url" ? [gateFinding("submodule_address", path, { message, remedy: REMEDY })] : [];
  };
}

const REMEDY = "Look at the address. If it is right, allow it; if not, ask the agent to put it back.";
