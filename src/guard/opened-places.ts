/** Finds out whether a call that the guard would pass opens a repository that an agent may have planted. */
import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { isLocalAddress } from "../domain/git-policy/kinds/repositories.ts";
import { type Contacted, contactedBy, UNKNOWN_BRANCH } from "../domain/git-policy/remotes/contacted.ts";
import { contactsOf } from "../domain/git-policy/remotes/contacts.ts";
import {
  BRANCH_QUESTION,
  branchIn,
  NO_REPOSITORY,
  SETTINGS_QUESTION,
  settingsIn,
} from "../domain/git-policy/remotes/remote-settings.ts";
import { localPaths } from "../utils/paths/local-address.ts";
import { openedFlaw } from "../utils/paths/opened-repository.ts";
import { type AskGit, askingGit, type GitSurroundings } from "./ask-git.ts";
import { liesIn } from "./lies-in.ts";
import type { GuardedCall } from "./read-call.ts";

/**
 * Why the call must not open the place that it names, as a sentence; null if there is no objection. Calls in other
 * repositories are free.
 */
export async function openedByCall(
  call: GuardedCall,
  { commonDir, ...surroundings }: GitSurroundings & { readonly commonDir: string },
): Promise<string | null> {
  const { subcommand, args, globals } = call;
  const contacts = subcommand === null ? null : contactsOf(subcommand, args);
  if (contacts === null) return null;
  const ask = askingGit(surroundings);
  const inRepository: AskGit = (words) => ask([...globals, ...words]);
  const common = await inRepository(["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  if (common === null || !liesIn(commonDir, common)) return null;
  const top = await inRepository(["rev-parse", "--path-format=absolute", "--show-toplevel"]);
  const cwd = resolve(surroundings.cwd, ...call.folders);
  const userAlone = askingGit({ ...surroundings, env: { ...surroundings.env, GIT_DIR: NO_REPOSITORY } });
  const asked = [inRepository, ...(contacts.isNew ? [userAlone] : [])];
  const head = await inRepository(BRANCH_QUESTION);
  const branch = head === null ? UNKNOWN_BRANCH : branchIn(head);
  const from = subcommand === "clone" ? cwd : (top ?? cwd);
  const place = { from, worktree: top ?? cwd, isClone: subcommand === "clone" };
  for (const askHere of asked) {
    const settings = settingsIn(await askHere(SETTINGS_QUESTION));
    for (const one of contactedBy(contacts, settings, branch)) {
      const flaw = isLocalAddress(one.address) ? flawOf(one, place) : null;
      if (flaw !== null) return flaw;
    }
  }
  return null;
}

interface Place {
  /** Absolute: the base of a relative address. */
  readonly from: string;
  /** Absolute: the folder in which the agent works. */
  readonly worktree: string;
  readonly isClone: boolean;
}

/** A clone makes a new repository. It may open other places, as test suites do. */
function flawOf({ address, remote, isName }: Contacted, { from, worktree, isClone }: Place): string | null {
  const paths = localPaths(address, { top: from, home: homedir() });
  if (paths === null) return `${address} does not plainly say which repository of this machine it is.`;
  if (isName && !paths.some((path) => ["", ".git", ".bundle"].some((end) => existsSync(path + end))))
    return null;
  if (remote === null && !isClone) return `${address} names a repository on this machine by its path.`;
  // The attempt's own repository: git reads it there anyway.
  if (isClone && paths.some((path) => isSamePlace(path, worktree))) return null;
  const places = { writable: [worktree], granted: [], asksSystem: false };
  const flaw = paths
    .map((path) => openedFlaw(path, { places, mustBeGranted: false, namedPaths: () => [] }))
    .find((found) => found !== null);
  return flaw ? `${address} is a repository on this machine. ${flaw.message}` : null;
}

function isSamePlace(one: string, other: string): boolean {
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}
