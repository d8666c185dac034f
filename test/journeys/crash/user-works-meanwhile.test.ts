/** Lets the user commit, switch, stash, fetch and collect garbage while runs go on and the engine dies once. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS, taskEnd } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { deep } from "../../helpers/tier.ts";
import { usersGit } from "../../helpers/users-git.ts";
import { readDataFolder } from "./data-folder.ts";
import { eventually } from "./eventually.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { countStarts, whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS * 2);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const TASKS = 3;
const MIN_ROUNDS = 4;

/** What the user has made, by which it is known later whether anything of it was lost or changed. */
interface Made {
  /** Branch → commit. */
  readonly branches: Map<string, string>;
  /** Commits of the stash, the newest first. */
  readonly stash: string[];
  rounds: number;
}

test(deep("nothing of the user's is lost or changed, and no run is lost (promise 3.1)"), async () => {
  await using product = await startProduct();
  const { git } = product.sandbox;
  await countedAgent(
    product,
    "agent",
    'for i in 1 2 3 4 5; do echo "step $i"; sleep 0.2; done; echo "$TAZUNA_RUN" > "$TAZUNA_RUN.txt"',
  );
  const config = await readFile(join(product.repository, ".git", "config"), "utf8");
  const over = new AbortController();
  const working = work(product, over.signal);

  const tasks = Array.from({ length: TASKS }, () =>
    product.start(["run", "Change it", "--agent", "agent", "--agent", "agent", "--json"]),
  );
  await eventually("an agent to work", async () => (await countStarts(startsFile(product))).size > 1);
  await product.killEngine();
  const first = await Promise.all(tasks.map(async (task) => taskEnd(await task.end)));
  const later = await Promise.all(
    first.map(({ attempt }) => ask(product, ["continue", attempt.id, "Once more"])),
  );
  over.abort();
  const made = await working;

  expect(first.flatMap(({ attempts }) => attempts.map(({ runs }) => runs.map(ending)))).toEqual(
    first.flatMap(({ attempts }) => attempts.map(() => [PUSHED])),
  );
  expect(later.map(({ run }) => ending(run))).toEqual(first.map(() => PUSHED));
  expect(
    await whatIsWrong(product, { starts: startsFile(product), branches: [...made.branches.keys()] }),
  ).toEqual([]);

  expect(made.rounds).toBeGreaterThanOrEqual(MIN_ROUNDS);
  const heads = await git(product.repository, [
    "for-each-ref",
    "--format=%(refname:short) %(objectname)",
    "refs/heads",
  ]);
  const ours = readDataFolder(product.home).attempts.map(({ branch }) => branch);
  const theirs = heads.split("\n").filter((line) => !ours.includes(line.split(" ")[0] ?? ""));
  expect(theirs.sort()).toEqual([...made.branches].map(([name, sha]) => `${name} ${sha}`).sort());
  expect((await git(product.repository, ["stash", "list", "--format=%H"])).split("\n")).toEqual(made.stash);
  expect(await git(product.repository, ["status", "--porcelain"])).toBe("?? draft.txt");
  expect(await readFile(join(product.repository, "draft.txt"), "utf8")).toBe("never committed\n");
  expect(await git(product.repository, ["branch", "--show-current"])).toBe("main");
  expect(await git(product.repository, ["fsck", "--no-dangling"])).toBe("");
  const left = await readFile(join(product.repository, ".git", "config"), "utf8");
  expect(withoutBranches(left, ours)).toBe(config);
});

/** One round after another until told, and a few in any case; each command has to succeed. */
async function work(product: Product, over: AbortSignal): Promise<Made> {
  const { repository, sandbox } = product;
  const git = usersGit(sandbox, repository);
  const made: Made = { branches: new Map(), stash: [], rounds: 0 };
  await writeFile(join(repository, "draft.txt"), "never committed\n");
  while (!over.aborted || made.rounds < MIN_ROUNDS) {
    made.rounds += 1;
    const branch = `mine-${made.rounds}`;
    await git("switch", "--quiet", "--create", branch);
    await appendFile(join(repository, "README.md"), `on ${branch}\n`);
    await git("commit", "--quiet", "--all", "--message", `On ${branch}`);
    made.branches.set(branch, await git("rev-parse", "HEAD"));
    await appendFile(join(repository, "README.md"), "stashed\n");
    await git("stash", "push", "--quiet", "--message", branch);
    made.stash.unshift(await git("rev-parse", "stash@{0}"));
    await git("switch", "--quiet", "main");
    await writeFile(join(repository, "mine.txt"), `${made.rounds}\n`);
    await git("add", "mine.txt");
    await git("commit", "--quiet", "--message", `Round ${made.rounds}`);
    await git("push", "--quiet", "origin", "main");
    await git("fetch", "--quiet", "--prune");
    if (made.rounds % 2 === 0) await git("gc", "--quiet");
  }
  made.branches.set("main", await git("rev-parse", "HEAD"));
  return made;
}

/** The configuration without what `push -u` writes for the given branches. */
function withoutBranches(config: string, branches: readonly string[]): string {
  const sections = config.split(/^(?=\[)/m);
  return sections
    .filter((section) => !branches.some((name) => section.startsWith(`[branch "${name}"]`)))
    .join("");
}
