/** Finds files in a repository's own folder with which a call runs a program, loses changes or works elsewhere. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { allOperands, has } from "../../../domain/git-policy/table/command-table.ts";
import { isInside } from "../../../utils/paths/path-spelling.ts";
import { namesIn, textIn } from "../../../utils/paths/read-what-is-there.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedBySandbox, type ToolRefusal } from "../../core/result.ts";
import { type CallNature, callFlaw } from "../repository/call-flaw.ts";
import { type RepositoryFlaw, realOrNull } from "../repository/find-repository.ts";
import { configSearch, type Inspected, unsafeRepository } from "../repository/inspect-repository.ts";
import { readModuleConfig } from "../repository/module-config.ts";
import { outwardLink } from "../repository/outward-links.ts";

/** A refusal by the first such file, or null. Any program that may write the repository may have put it there. */
export function plantedFile(
  call: CallNature,
  repository: Inspected,
  context: ToolContext,
): ToolRefusal | null {
  const { gitDir, commonDir, topLevel } = repository;
  const flaw =
    oldRemotesFlaw(call, commonDir) ??
    (context.gitExtras.hooks === "run" ? null : hookFlaw(call, commonDir)) ??
    stepFlaw(call, gitDir) ??
    moduleFlaw(call, repository, context) ??
    (call.tier === "write"
      ? outwardLink([gitDir, commonDir], [commonDir, topLevel, context.workspaceRoot])
      : null);
  return flaw === null ? foreignWorktree(call, repository, context) : unsafeRepository(flaw);
}

function oldRemotesFlaw({ subcommand, network }: CallNature, commonDir: string): RepositoryFlaw | null {
  if (!network || subcommand === "clone") return null;
  const old = ["remotes", "branches"].map((name) => join(commonDir, name)).find(holdsFiles);
  if (old === undefined) return null;
  return { at: old, message: `${old} names remotes in a form that git has given up. Use git remote add.` };
}

function holdsFiles(folder: string): boolean {
  return existsSync(folder) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0);
}

/** `git bisect` moves references before it reads the setting of the hooks folder, so that has no effect. */
function hookFlaw({ subcommand, tier }: CallNature, commonDir: string): RepositoryFlaw | null {
  const at = join(commonDir, "hooks", "reference-transaction");
  if (subcommand !== "bisect" || tier === "read" || !existsSync(at)) return null;
  return { at, message: `git bisect would run the hook ${at}. Bisect by hand with git checkout --detach.` };
}

/** Files of a stopped rebase, am or bisect. */
function stepFlaw({ subcommand, call }: CallNature, gitDir: string): RepositoryFlaw | null {
  if (subcommand === "am" || subcommand === "rebase") {
    const goesOn = has(call, "continue", "skip", "r", "retry", "allow-empty");
    return goesOn ? (todoFlaw(gitDir) ?? patchingFlaw(gitDir)) : null;
  }
  if (subcommand !== "bisect") return null;
  const at = join(gitDir, "BISECT_START");
  return textIn(at).startsWith("-")
    ? { at, message: `${at} names no branch, and git would take it for an option.` }
    : null;
}

function todoFlaw(gitDir: string): RepositoryFlaw | null {
  const at = join(gitDir, "rebase-merge", "git-rebase-todo");
  return /^[ \t\r]*(exec|x)[ \t\r]/m.test(textIn(at))
    ? { at, message: `${at} holds a step that runs a command. Take it out, or git rebase --quit.` }
    : null;
}

/** As `git am` writes them: each one in single quotes. */
const PLAIN_PATCHING =
  /^(?: ?'(?:--(?:whitespace|directory|exclude|include)=[^']*|--(?:ignore-space-change|ignore-whitespace|reject)|-[Cp][0-9]+)')*\s*$/;

/** Options for all remaining patches. One such option writes a file anywhere. */
function patchingFlaw(gitDir: string): RepositoryFlaw | null {
  const at = join(gitDir, "rebase-apply", "apply-opt");
  return PLAIN_PATCHING.test(textIn(at))
    ? null
    : { at, message: `${at} holds options that git am does not write. Take them out, or git am --quit.` };
}

/** If the call checks out submodules, the configuration of their repositories applies. */
function moduleFlaw(
  nature: CallNature,
  { gitDir, commonDir }: Inspected,
  context: ToolContext,
): RepositoryFlaw | null {
  if (nature.subcommand !== "submodule" && !has(nature.call, "recurse-submodules")) return null;
  const { entries, unread } = readModuleConfig([gitDir, commonDir], configSearch(context));
  const [message] = unread;
  if (message !== undefined) return { at: join(commonDir, "modules"), message };
  return callFlaw(entries, { ...nature, subcommand: "submodule" });
}

/**
 * A refusal if the call would work on a worktree outside of the workspace; else null. Git selects a worktree by the
 * end of its path, even if it lies elsewhere.
 */
function foreignWorktree(
  { call }: CallNature,
  { commonDir }: Inspected,
  context: ToolContext,
): ToolRefusal | null {
  if (!/^worktree (?:remove|move|lock|unlock)$/.test(call.subcommand)) return null;
  const name = allOperands(call)[0]?.replace(/\/+$/, "") ?? "";
  if (name === "") return null;
  const foreign = worktreesOf(commonDir, context)
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .find((path) => !isInside(context.workspaceRoot, realOrNull(path) ?? path, process.platform));
  if (foreign === undefined) return null;
  const message = `args: ${name} is the worktree ${foreign}, outside of the workspace.`;
  return deniedBySandbox("OUTSIDE_WORKSPACE", message, { details: { argument: "args" } });
}

/** Paths as the repository records them. */
function worktreesOf(commonDir: string, context: ToolContext): readonly string[] {
  const { files } = configSearch(context);
  const folder = join(commonDir, "worktrees");
  return namesIn(folder).flatMap((name) => {
    const answer = files.ask(join(folder, name, "gitdir"), (bytes) => bytes.toString("utf8"));
    return answer.kind === "file" ? [dirname(answer.value.trimEnd())] : [];
  });
}
