/** Opens the port of a forge on a small one, with a bare repository behind it. */
import { cp } from "node:fs/promises";
import { join } from "node:path";
import type { Answer, Forge, ForgeAccess, ForgeError } from "../../../src/forge/forge.ts";
import { createForges } from "../../../src/forge/open/open-forge.ts";
import { copiedFolder } from "../copied-folder.ts";
import { type GitSandbox, gitSandbox } from "../git-repo.ts";
import { PLAYED, type PlayedKind } from "./played-forges.ts";

type Small<Kind extends PlayedKind> = Awaited<ReturnType<(typeof PLAYED)[Kind]["start"]>>;

export interface PortWorld<Kind extends PlayedKind = PlayedKind> extends AsyncDisposable {
  readonly sandbox: GitSandbox;
  readonly bare: string;
  readonly small: Small<Kind>;
  readonly port: Forge;
  /** Another one with other access, and the memory of the same engine. */
  open(access?: Partial<ForgeAccess>): Promise<Forge>;
  /** The commit of `work`, a branch with one commit on top of `main`. */
  head(): Promise<string>;
}

export async function portWorld<Kind extends PlayedKind>(kind: Kind): Promise<PortWorld<Kind>> {
  const sandbox = await gitSandbox();
  const bare = join(sandbox.root, "garden.git");
  await copiedFolder("a bare repository with a branch", bare, async (first) => {
    const origin = await sandbox.origin("first.git");
    await sandbox.git(origin, ["branch", "work", "main"]);
    await sandbox.commitTo(origin, "work", { "work.txt": "work\n" });
    await cp(origin, first, { recursive: true });
  });
  const git = (...args: readonly string[]) => sandbox.git(bare, args);
  const small = (await PLAYED[kind].start(git)) as Small<Kind>;
  const openForge = createForges();
  const open = (access: Partial<ForgeAccess> = {}) =>
    openForge(kind, {
      apiUrl: small.url,
      repository: { owner: "ann", name: "garden" },
      token: async () => PLAYED[kind].value,
      clock: { now: () => new Date() },
      signal: new AbortController().signal,
      timeoutMs: 20_000,
      ...access,
    });
  return {
    sandbox,
    bare,
    small,
    port: await open(),
    open,
    head: () => git("rev-parse", "work"),
    [Symbol.asyncDispose]: async () => {
      await small[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

export const WORK = { fork: null, branch: "work" } as const;
export const NEW = {
  head: WORK,
  base: "main",
  title: "Say hello",
  body: "Said hello.",
  draft: false,
} as const;

/** The value of an answer; throws the error's sentence. */
export async function good<T>(answer: Answer<T>): Promise<T> {
  const result = await answer;
  if (result.isErr()) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export async function bad<T>(answer: Answer<T>): Promise<ForgeError> {
  const result = await answer;
  if (result.isOk()) throw new Error("It was not refused.");
  return result.error;
}
