/** Stages everything of a worktree into a temporary index, and says what could not be staged. */
import { err, ok, safeTry } from "neverthrow";
import { type ConfigPairs, filtersOff } from "../../domain/git-policy/hardening/settings.ts";
import { filtersOf } from "../../domain/repository/watched-settings.ts";
import { type GitAnswer, type GitError, wasKilled } from "../process/git-error.ts";
import { closedFolders } from "../process/local-error.ts";
import { fromNul, toNul } from "../process/nul-list.ts";
import { listFields } from "../runner/each-field.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { hugeFiles } from "./huge-files.ts";
import { clearIndexFlags, pathsThere } from "./index-flags.ts";
import { filledGitlinks, foreignGitlinks, listIndexGitlinks } from "./submodule.ts";

export interface NotContained {
  readonly path: string;
  readonly reason: "nested_repository" | "submodule" | "unreadable";
}

export interface StagedCopy {
  readonly tree: string;
  readonly notContained: readonly NotContained[];
}

/** Stages the worktree, ignored files apart, into the index file `index` and writes its tree. */
export async function stageCopy(git: Git, target: GitTarget, scratch: Scratch): GitAnswer<StagedCopy> {
  return safeTry(async function* () {
    const gitlinks = yield* await listIndexGitlinks(git, target, { index: scratch.index });
    yield* await clearIndexFlags(git, target, { index: scratch.index });
    const foreign = await foreignGitlinks(target, gitlinks);
    const huge = await hugeFiles(git, target, { extraEnv: { GIT_INDEX_FILE: scratch.index } });
    const added = yield* await addEverything(git, target, { ...scratch, leaveOut: [...foreign, ...huge] });
    const left = yield* await whatIsLeft(git, target, {
      index: scratch.index,
      config: added,
      gitlinks,
    });
    const tree = await git.run(target, ["write-tree"], {
      config: added,
      extraEnv: { GIT_INDEX_FILE: scratch.index },
    });
    return tree.map(({ stdout }) => ({ tree: stdout.trim(), notContained: left }));
  });
}

/**
 * For staging from which nothing is committed. With `core.safecrlf`, git refuses files whose line ends it would
 * change.
 */
export const ANY_LINE_ENDS: ConfigPairs = { "core.safecrlf": "false" };

/**
 * `add -A --ignore-errors`. If a filter of the user fails (LFS is missing), it runs once more without filters. If a
 * file is not in the encoding that its attributes name, git ends too. It then runs without such files. Returns the
 * filters' configuration.
 */
async function addEverything(
  git: Git,
  target: GitTarget,
  options: Scratch & { readonly leaveOut: readonly string[] },
): GitAnswer<ConfigPairs> {
  const add = (config: ConfigPairs, leaveOut = options.leaveOut) =>
    git.run(
      target,
      ["add", "-A", "--ignore-errors", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul"],
      {
        expect: [0, 1],
        planted: "off",
        stdin: toNul([":/", ...leaveOut.map((path) => `:(top,exclude,literal)${path}`)]),
        config: { ...ANY_LINE_ENDS, ...config },
        extraEnv: { GIT_INDEX_FILE: options.index },
        ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
      },
    );
  const added = await add({});
  if (added.isOk()) return ok({});
  if (!isRefused(added.error)) return err(added.error);
  const filters = await everyFilterOff(git, target);
  if (filters.isErr()) return err(filters.error);
  const unfiltered = await add(filters.value);
  if (unfiltered.isOk() || !isRefused(unfiltered.error)) return unfiltered.map(() => filters.value);
  const encoded = await encodedFiles(git, target, options.index);
  if (encoded.isErr()) return err(encoded.error);
  return (await add(filters.value, [...options.leaveOut, ...encoded.value])).map(() => filters.value);
}

function isRefused(error: GitError): boolean {
  return error.kind === "git_failed" && !wasKilled(error);
}

/** The new and changed files whose attributes name an encoding (`working-tree-encoding`). */
async function encodedFiles(git: Git, target: GitTarget, index: string): GitAnswer<readonly string[]> {
  return safeTry(async function* () {
    const extraEnv = { GIT_INDEX_FILE: index };
    const args = ["ls-files", "--others", "--modified", "--exclude-standard", "-z"];
    const changed = yield* await listFields(git, target, args, { extraEnv });
    const stdin = toNul(await pathsThere(target, changed));
    const asked = ["check-attr", "-z", "--stdin", "working-tree-encoding"];
    const fields = yield* await listFields(git, target, asked, { stdin, extraEnv });
    // Three fields each: the path, the attribute, its value.
    return ok(fields.filter((_, at) => at % 3 === 0 && fields[at + 2] !== "unspecified"));
  });
}

async function everyFilterOff(git: Git, target: GitTarget): GitAnswer<ConfigPairs> {
  const keys = await git.run(target, ["config", "--null", "--name-only", "--get-regexp", "^filter\\..*\\."], {
    expect: [0, 1],
  });
  return keys.map(({ stdout }) =>
    filtersOff(fromNul(stdout).flatMap((key) => filtersOf({ key, value: "" }))),
  );
}

/**
 * What the temporary index lacks, or holds otherwise than the worktree, as git lists it. The errors of `git add` are
 * not parsed; only folders that git could not open stand in warnings alone.
 */
async function whatIsLeft(
  git: Git,
  target: GitTarget,
  asked: { readonly index: string; readonly config: ConfigPairs; readonly gitlinks: readonly string[] },
): GitAnswer<NotContained[]> {
  const options = { config: asked.config, extraEnv: { GIT_INDEX_FILE: asked.index } };
  const untracked = await git.run(target, ["ls-files", "--others", "--exclude-standard", "-z"], options);
  if (untracked.isErr()) return err(untracked.error);
  const differing = await git.run(
    target,
    ["diff-files", "--name-only", "-z", "--ignore-submodules=all"],
    options,
  );
  if (differing.isErr()) return err(differing.error);
  const links = await listIndexGitlinks(git, target, { index: asked.index });
  const submodules = await filledGitlinks(target, asked.gitlinks);
  return links.map((gitlinks) => {
    const untrackedPaths = fromNul(untracked.value.stdout);
    // The listing names a folder, with its slash, only if it cannot look inside: it is a separate repository.
    const nested = untrackedPaths.filter((path) => path.endsWith("/")).map((path) => path.slice(0, -1));
    const unreadable = [
      ...closedFolders(untracked.value.stderr),
      ...untrackedPaths.filter((path) => !path.endsWith("/")),
      ...fromNul(differing.value.stdout),
    ];
    const added = gitlinks.filter((path) => !asked.gitlinks.includes(path));
    return [
      ...[...nested, ...added].map((path) => ({ path, reason: "nested_repository" as const })),
      ...submodules.map((path) => ({ path, reason: "submodule" as const })),
      ...unreadable.map((path) => ({ path, reason: "unreadable" as const })),
    ];
  });
}

interface Scratch {
  /** The temporary index. A copy of the real index makes staging fast. */
  readonly index: string;
  readonly timeoutMs?: number;
}
