/** Kills the git of a fetch, which changes only what it fetches: it is repeated a bounded number of times. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchRemote } from "../../src/git/remote/fetch.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../helpers/git-repo.ts";
import { discovered, productGit, remoteOf, TEST_TIMEOUT_MS, targetOf } from "./scene.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** A git that notes each fetch and dies of SIGKILL in the first `times` of them. All else is real. */
async function killedGit(sandbox: GitSandbox, times: number) {
  const bin = join(sandbox.root, "bin");
  const fetches = join(sandbox.root, "fetches");
  const real = Bun.which("git", { PATH: sandbox.env.PATH ?? "" });
  await writeFiles(bin, {
    git: [
      "#!/bin/sh",
      'case " $* " in *" fetch "*)',
      `  echo fetch >> "${fetches}"`,
      `  [ "$(wc -l < "${fetches}")" -gt ${times} ] || kill -KILL $$ ;;`,
      "esac",
      `exec "${real}" "$@"`,
      "",
    ].join("\n"),
  });
  await chmod(join(bin, "git"), 0o755);
  return {
    git: productGit(sandbox, { env: { PATH: `${bin}:${sandbox.env.PATH}` } }),
    fetches: async () => (await readFile(fetches, "utf8")).trim().split("\n").length,
  };
}

test.each([
  [1, 2, null],
  [100, 6, "SIGKILL"],
])("a fetch that is killed %i times is made %i times", async (times, made, signal) => {
  await using sandbox = await gitSandbox();
  const repo = await sandbox.clone(await sandbox.origin("origin.git"), "repo");
  const repository = await discovered(productGit(sandbox), repo);
  const remote = await remoteOf(productGit(sandbox), repository);
  if (remote === null) throw new Error("the clone has a remote");
  const killed = await killedGit(sandbox, times);
  const fetched = await fetchRemote(killed.git, targetOf(repository), remote);
  expect(fetched.isErr() && fetched.error.kind === "git_failed" ? fetched.error.signal : null).toBe(signal);
  expect(await killed.fetches()).toBe(made);
});
