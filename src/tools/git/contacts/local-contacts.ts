/** Refuses a call that would open a local repository that tools can write, or that was not granted. */
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { isLocalAddress } from "../../../domain/git-policy/kinds/repositories.ts";
import { type Contacted, contactedBy } from "../../../domain/git-policy/remotes/contacted.ts";
import { contactsOfCall } from "../../../domain/git-policy/remotes/contacts.ts";
import { localPaths } from "../../../utils/paths/local-address.ts";
import { openedFlaw } from "../../../utils/paths/opened-repository.ts";
import { placeFrom } from "../../../utils/paths/pointer-files.ts";
import { sandboxOf, type ToolContext } from "../../core/context.ts";
import { deniedByPolicy, type ToolRefusal } from "../../core/result.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import { realOrNull } from "../repository/find-repository.ts";
import { configSearch, type Inspected } from "../repository/inspect-repository.ts";
import { nameOf } from "../repository/parse-config.ts";
import { type ConfigSearch, isInclude, readConfig } from "../repository/read-config.ts";
import type { Asking } from "../repository/run-git.ts";
import { askRemotes } from "./known-remotes.ts";

/**
 * Whether a call that talks to a remote would contact a repository of this machine, or why it must not. Git is asked
 * in `env`.
 */
export async function localContacts(
  { subcommand, call }: Pick<CallNature, "subcommand" | "call">,
  { repository, ...place }: Asking & { readonly repository: Inspected | null },
): Promise<Result<"none" | "local", ToolRefusal>> {
  const contacts = contactsOfCall(call);
  if (contacts === null) return ok("none");
  const { context, cwd } = place;
  const known = await askRemotes(contacts, place);
  if (known === null)
    return err(unsafeUrl(`Which repositories git ${subcommand} would talk to could not be found out.`, cwd));
  const top = topFor(subcommand, cwd, repository);
  const contacted = known
    .flatMap(({ settings, branch }) => contactedBy(contacts, settings, branch))
    .filter(({ address }) => isLocalAddress(address));
  // Git reports a missing remote itself. If such a folder appears later, git does not open it without `file`.
  if (contacted.every((one) => one.isName && !isAnythingAt(placeFrom(top, one.address)))) return ok("none");
  for (const one of contacted) {
    const refused = refusalOf(one, { context, top });
    if (refused !== null) return err(refused);
  }
  return ok(contacted.length === 0 ? "none" : "local");
}

function isAnythingAt(path: string): boolean {
  return ["", ".git", ".bundle"].some((suffix) => realOrNull(path + suffix) !== null);
}

/** Git goes to the top of the working tree before it resolves a relative address, except for a new repository. */
function topFor(subcommand: string, cwd: string, repository: Inspected | null): string {
  return subcommand === "clone" ? cwd : (repository?.topLevel ?? cwd);
}

function refusalOf(
  { address, remote, written }: Contacted,
  { context, top }: { readonly context: ToolContext; readonly top: string },
): ToolRefusal | null {
  const what = remote === null ? address : `The remote ${remote} (${address})`;
  const paths = localPaths(address, { top, home: configSearch(context).home });
  const isRewritten = !written.includes(address);
  if (paths === null || (isRewritten && /(^|[\\/])\.\.([\\/]|$)/.test(address)))
    return unsafeUrl(`${what} does not plainly say which repository of this machine it is.`, address);
  const search = configSearch(context);
  const flaw = paths
    .map((path) =>
      openedFlaw(path, {
        places: {
          writable: [context.workspaceRoot, top].flatMap((folder) => realOrNull(folder) ?? []),
          granted: context.localRepositories,
          asksSystem: sandboxOf(context.host) !== "none",
        },
        mustBeGranted: remote === null,
        namedPaths: (gitDir) => namedPaths(gitDir, search),
      }),
    )
    .find((found) => found !== null);
  if (!flaw) return null;
  const instead =
    address === "." ? " git merge and git rebase take a branch of this repository by its name." : "";
  return unsafeUrl(`${what} is a repository on this machine. ${flaw.message}${instead}`, flaw.at);
}

function unsafeUrl(message: string, at: string): ToolRefusal {
  return deniedByPolicy("UNSAFE_URL", message, { details: { rule: "url.local", at } });
}

/** Files and folders that the configuration of the other side makes git read, run or write there. */
function namedPaths(gitDir: string, search: ConfigSearch): readonly string[] {
  const files = [join(gitDir, "config"), join(gitDir, "config.worktree")];
  return readConfig(files, search).entries.flatMap((entry) => {
    const { value } = entry;
    if (value === null || value === "" || value.startsWith("%(")) return [];
    if (/^(remote|remotes|url|branch|user|safe|submodule)$/.test(entry.section)) return [];
    const isPath = isInclude(entry) || /^core\.(hookspath|worktree|attributesfile)$/.test(nameOf(entry));
    // A program may stand anywhere in a command.
    const words = isPath ? [value] : value.split(/[\s"'=:;]+/).filter((word) => /^[/~]/.test(word));
    return words.map((word) =>
      word.startsWith("~/") && search.home !== null ? search.home + word.slice(1) : placeFrom(gitDir, word),
    );
  });
}
