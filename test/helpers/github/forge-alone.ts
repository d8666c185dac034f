/** Opens the adapter for GitHub on a small GitHub with one branch to merge, without the rest of the product. */
import { join } from "node:path";
import type { Forge } from "../../../src/forge/forge.ts";
import { createForges } from "../../../src/forge/open/open-forge.ts";
import { gitSandbox } from "../git-repo.ts";
import { type Login, type SmallGitHub, smallGitHub } from "./small-github.ts";

export const BRANCH = "work";
export const HEAD = { fork: null, branch: BRANCH } as const;
export const REQUEST = {
  head: HEAD,
  base: "main",
  title: "Words",
  body: "More words",
  draft: false,
} as const;

export interface ForgeAlone extends AsyncDisposable {
  readonly github: SmallGitHub;
  readonly forge: Forge;
  git(...args: readonly string[]): Promise<string>;
  /** Another GitHub on the same branches, with an adapter that remembers nothing. */
  another(how?: Access): Promise<Pick<ForgeAlone, "github" | "forge">>;
}

interface Access {
  /** Null: none is known. */
  readonly token?: string | null;
  readonly login?: Partial<Login>;
}

const TOKEN = "a token of a test";

export async function forgeAlone(): Promise<ForgeAlone> {
  const stack = new AsyncDisposableStack();
  const sandbox = stack.use(await gitSandbox());
  const bare = join(sandbox.root, "ann", "garden.git");
  const git = (...args: readonly string[]) => sandbox.git(bare, args);
  await sandbox.git(sandbox.root, ["init", "-q", "--bare", "--initial-branch=main", bare]);
  await sandbox.commitTo(bare, "main", { "README.md": "# Garden\n" });
  await git("branch", BRANCH, "main");
  await sandbox.commitTo(bare, BRANCH, { "work.txt": "work\n" });
  const another = async ({ token = TOKEN, login = {} }: Access = {}) => {
    const github = stack.use(await smallGitHub(sandbox.root, git));
    github.logins.set(TOKEN, { name: "ann", sees: true, pushes: true, pulls: true, ...login });
    const forge = await createForges()("github", {
      apiUrl: github.url,
      repository: { owner: "ann", name: "garden" },
      token: async () => token,
      clock: { now: () => new Date() },
      signal: new AbortController().signal,
      timeoutMs: 2_000,
    });
    return { github, forge };
  };
  const first = await another();
  return { ...first, git, another, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
