/** Kills each git of a run that reads the addresses of remotes: no agent pushes, no password is stored. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { doomedGit } from "../../helpers/doomed-git.ts";
import { ask, branchAt, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const QUESTION = "config --null --get-regexp ^remote";
const SECRET = "correct-horse-battery-staple";

/** Prints the password, tells it in its summary, edits, and pushes by the real git's path. */
const AGENT = `
url=$(git config remote.other.url)
secret=\${url#*una:}
secret=\${secret%@*}
echo "$secret"
echo "$secret" > "$TAZUNA_SUMMARY_FILE"
echo "$TAZUNA_RUN" > made.txt
'${Bun.which("git")}' push -q origin HEAD:refs/heads/stolen
exit 0
`;

/** Everything that is stored of runs, and every message of a commit. */
async function stored(home: string, log: string): Promise<string> {
  const files = await readdir(join(home, "runs"), { recursive: true, withFileTypes: true });
  const texts = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8"));
  return [log, ...(await Promise.all(texts))].join("\n");
}

test(
  deep("if git is killed as it reads remotes, no agent can push, and their passwords stay redacted"),
  async () => {
    await using git = await doomedGit();
    await using product = await startProduct({ env: { PATH: git.path } });
    const { sandbox, repository, origin, home } = product;
    await sandbox.git(repository, [
      "config",
      "remote.other.url",
      `https://una:${SECRET}@example.invalid/x.git`,
    ]);
    await product.agent("agent", AGENT);
    // Before the start: for the guard, and for what is redacted. After it: for the commit's message.
    for (const nth of [1, 2, 3]) {
      await git.doom(QUESTION, nth);
      const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
      expect<unknown>([nth, await git.calls()]).toEqual([nth, nth]);
      expect<unknown>([nth, ending(end.run).status]).toEqual([nth, "FAILED"]);
      expect(end.run.failure?.message).toContain("SIGKILL");
      expect(await branchAt(product, origin, "stolen")).toBeNull();
      const log = await sandbox.git(repository, ["log", "--all", "--format=%B"]);
      expect((await stored(home, log)).includes(SECRET)).toBe(false);
      tally("fault", `git killed as it reads the remotes for the ${nth}. time`, { under: "guard" });
    }
    await git.spare();
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    expect<unknown>(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(await branchAt(product, origin, "stolen")).toBeNull();
  },
);
