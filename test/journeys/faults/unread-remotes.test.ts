/** Kills a git of a run that reads settings, and so the addresses of remotes: no agent pushes, no password is stored. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { doomedGit } from "../../helpers/doomed-git.ts";
import { branchAt, PATIENCE_MS } from "../../helpers/journey.ts";
import { startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const QUESTION = "config --list --includes";
/** So many of the questions of one run are killed in turn, from the first to the last. */
const KILLED = 12;
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
    const set = (...words: readonly string[]) => sandbox.git(repository, ["config", ...words]);
    await set("remote.other.url", `https://una:${SECRET}@example.invalid/x.git`);
    // What depends on the branch is not remembered, so each call asks.
    await set("includeIf.onbranch:none.path", "/dev/null");
    await product.agent("agent", AGENT);
    const run = async () => (await product.tazuna(["run", "Change it", "--agent", "agent", "--json"])).stdout;
    const isSafe = async () => {
      const log = await sandbox.git(repository, ["log", "--all", "--format=%B"]);
      const isStolen = (await branchAt(product, origin, "stolen")) !== null;
      return !isStolen && !(await stored(home, log)).includes(SECRET);
    };
    await git.doom(QUESTION, Number.MAX_SAFE_INTEGER);
    expect(await run()).toContain('"outcome": "pushed"');
    const asked = await git.calls();
    expect(await isSafe()).toBe(true);
    const ends = new Set<string>();
    for (let turn = 0; turn < KILLED; turn++) {
      const nth = 1 + Math.floor((turn * (asked - 1)) / (KILLED - 1));
      await git.doom(QUESTION, nth);
      ends.add(/"status": "(FAILED|SUCCEEDED)"/.exec(await run())?.[1] ?? "refused");
      expect([nth, await isSafe()]).toEqual([nth, true]);
      tally("fault", `git killed as it reads settings for the ${nth}. time`, { under: "guard" });
    }
    expect([...ends]).toContain("FAILED");
    await git.spare();
    expect(await run()).toContain('"outcome": "pushed"');
    expect(await isSafe()).toBe(true);
  },
);
