/** Sets the scene for tests of `git/`: the product's git in a sandbox, and worktrees made the product's way. */
import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stageAll } from "../../src/git/index/stage.ts";
import { commit } from "../../src/git/refs/commit.ts";
import { readRef } from "../../src/git/refs/refs.ts";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import { type PushRequest, push } from "../../src/git/remote/push.ts";
import { chooseRemotes, listRemotes, type Remote } from "../../src/git/remote/remote.ts";
import { resolveBase } from "../../src/git/remote/resolve-base.ts";
import { type DiscoveredRepository, discoverRepository } from "../../src/git/repository/discover.ts";
import { readIdentity } from "../../src/git/repository/identity.ts";
import { createGit, type Git, type GitSettings, type GitTarget } from "../../src/git/runner/run-git.ts";
import { addWorktree, checkoutWorktree, type WorktreeInfo } from "../../src/git/worktree/worktree-add.ts";
import { type Files, type GitSandbox, writeFiles } from "../helpers/git-repo.ts";

/** Real git, many processes, two busy cores. */
export const TEST_TIMEOUT_MS = 240_000;

/** Git as the product runs it, with the environment of the sandbox's user. */
export function productGit(
  sandbox: GitSandbox,
  options: Partial<Pick<GitSettings, "timeoutMs" | "env" | "lend" | "binary">> = {},
): Git {
  return createGit({
    binary: options.binary ?? "git",
    env: { ...sandbox.env, ...options.env },
    timeoutMs: options.timeoutMs ?? 60_000,
    ...(options.lend === undefined ? {} : { lend: options.lend }),
    scratch: join(sandbox.root, "scratch"),
  });
}

/** What was found at a path; a refusal throws. */
export async function discovered(git: Git, path: string): Promise<DiscoveredRepository> {
  return (await discoverRepository(git, path))._unsafeUnwrap();
}

export function targetOf(repository: { readonly gitDir: string }): GitTarget {
  return { gitDir: repository.gitDir, workTree: null };
}

/** The remote that a run would use, or null. */
export async function remoteOf(git: Git, repository: DiscoveredRepository): Promise<Remote | null> {
  const remotes = (await listRemotes(git, targetOf(repository)))._unsafeUnwrap();
  return chooseRemotes(remotes, { remote: null, pushRemote: null })._unsafeUnwrap()?.fetch ?? null;
}

export interface MadeWorktree extends WorktreeInfo {
  readonly target: GitTarget & { readonly workTree: string };
}

/** A worktree with its files, the way a run gets one: fetch, base, add, checkout. */
export async function madeWorktree(
  sandbox: GitSandbox,
  git: Git,
  checkout: string,
  options: { readonly branch?: string; readonly base?: string } = {},
): Promise<MadeWorktree> {
  const repository = await discovered(git, checkout);
  const target = targetOf(repository);
  const remote = await remoteOf(git, repository);
  if (remote !== null) (await fetchRemote(git, target, remote))._unsafeUnwrap();
  const asked = { remote, branch: options.base ?? null, online: true, isOurs: () => false };
  const base = (await resolveBase(git, target, asked))._unsafeUnwrap();
  const branch = options.branch ?? "tazuna/0a1b2c3d";
  const path = join(sandbox.root, "worktrees", `run_${branch.replaceAll("/", "_")}`);
  const added = await addWorktree(git, target, {
    path,
    branch,
    baseBranch: base.branch ?? "",
    baseSha: base.sha,
  });
  const info = added._unsafeUnwrap();
  const own = { gitDir: info.gitDir, workTree: info.path };
  (await checkoutWorktree(git, own))._unsafeUnwrap();
  return { ...info, target: own };
}

/** One turn of work: an edit, everything staged and committed; the new commit. */
export async function committedEdit(
  git: Git,
  worktree: MadeWorktree,
  files: Files = { "agent.txt": "written by an agent\n" },
): Promise<string> {
  const { target, branchName } = worktree;
  await writeFiles(target.workTree, files);
  (await stageAll(git, target, { gitlinks: [] }))._unsafeUnwrap();
  const identity = (await readIdentity(git, target))._unsafeUnwrap();
  const made = await commit(git, target, {
    branch: branchName,
    message: "Add a file",
    identity,
    sign: "inherit",
    hooks: { mode: "off" },
  });
  return made._unsafeUnwrap().sha;
}

/** What a push is about; the commit is the one that the branch is at. */
export type TipRequest = Omit<PushRequest, "sha">;

export async function pushTip(git: Git, target: GitTarget, request: TipRequest) {
  const sha = (await readRef(git, target, `refs/heads/${request.branch}`))._unsafeUnwrap() ?? "";
  return push(git, target, { ...request, sha });
}

/** The first push of a worktree's branch; anything but success throws. */
export async function pushed(git: Git, worktree: MadeWorktree, remote = "origin"): Promise<void> {
  const request = { remote, branch: worktree.branchName, upstream: "set" as const };
  const result = (await pushTip(git, worktree.target, request))._unsafeUnwrap();
  if (!result.success) throw new Error(result.error.message);
}

/**
 * Changes a file in the very second in which git stages it, with the same size. Its times tell git nothing. It then
 * holds `after!`; the answer is the staged tree.
 */
export async function changeWithinOneSecond(
  sandbox: GitSandbox,
  worktree: { readonly path: string; readonly gitDir: string },
  path: string,
): Promise<string> {
  const second = new Date("2026-01-02T03:04:05.000Z");
  const write = async (content: string) => {
    await writeFile(join(worktree.path, path), content);
    await utimes(join(worktree.path, path), second, second);
  };
  await sandbox.git(worktree.path, ["config", "core.trustctime", "false"]);
  await write("before");
  await sandbox.git(worktree.path, ["add", "--", path]);
  const tree = await sandbox.git(worktree.path, ["write-tree"]);
  await utimes(join(worktree.gitDir, "index"), second, second);
  await write("after!");
  return tree;
}
