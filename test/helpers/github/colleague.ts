/** Acts as a colleague with a login of their own: on pull requests by the API, on branches by pushes. */
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { COLLEAGUE, type ForgeWorld } from "../forge-world.ts";

export interface Colleague {
  /** Throws if GitHub refuses. */
  asks(method: string, path: string, body?: unknown): Promise<unknown>;
  edits(number: number, change: Readonly<Record<string, unknown>>): Promise<unknown>;
  merges(number: number, how?: "merge" | "squash"): Promise<unknown>;
  /** Presses "Update branch". */
  updatesBranch(number: number): Promise<unknown>;
  renames(branch: string, to: string): Promise<unknown>;
  /** Commits on top of what is there, and pushes; answers the commit. */
  pushes(branch: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Puts a commit of their own, on top of `base`, in the place of the branch. */
  forces(branch: string, base: string): Promise<string>;
  deletes(branch: string): Promise<void>;
  /** Moves `into` to the commit of the branch by a push, so that the forge sees it merged. */
  mergesByHand(branch: string, into: string): Promise<void>;
}

export function colleague({ github, product }: ForgeWorld): Colleague {
  const asks = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${COLLEAGUE}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${github.url}/repos/${github.name}${path}`, { method, headers, ...sent });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const folder = join(dirname(product.home), "colleague");
  const remote = github.gitUrl.replace("//", `//bob:${COLLEAGUE}@`);
  const git = (...args: string[]) => product.sandbox.git(folder, args);
  const cloned = async () => {
    await rm(folder, { recursive: true, force: true });
    await product.sandbox.git(dirname(folder), ["clone", "--quiet", remote, folder]);
  };
  const commits = async (from: string, branch: string, files: Readonly<Record<string, string>>) => {
    await cloned();
    await git("checkout", "--quiet", "-B", "work", `origin/${from}`);
    await product.sandbox.commit(folder, files, "By a colleague");
    await git("push", "--quiet", "--force", "origin", `work:refs/heads/${branch}`);
    return git("rev-parse", "work");
  };
  return {
    asks,
    edits: (number, change) => asks("PATCH", `/pulls/${number}`, change),
    merges: (number, how = "merge") => asks("PUT", `/pulls/${number}/merge`, { merge_method: how }),
    updatesBranch: (number) => asks("PUT", `/pulls/${number}/update-branch`, {}),
    renames: (branch, to) => asks("POST", `/branches/${encodeURIComponent(branch)}/rename`, { new_name: to }),
    pushes: (branch, files) => commits(branch, branch, files),
    forces: (branch, base) => commits(base, branch, { "forced.txt": `${branch}\n` }),
    deletes: async (branch) => {
      await cloned();
      await git("push", "--quiet", "origin", `:refs/heads/${branch}`);
    },
    mergesByHand: async (branch, into) => {
      await cloned();
      await git("push", "--quiet", "origin", `origin/${branch}:refs/heads/${into}`);
    },
  };
}
