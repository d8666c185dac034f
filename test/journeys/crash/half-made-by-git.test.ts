/** Kills the git that makes a worktree, while the engine lives: it is made again, and nothing stray is left. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "./data-folder.ts";
import { countedAgent, startsFile } from "./scenarios.ts";
import { whatIsWrong } from "./what-is-wrong.ts";

setDefaultTimeout(PATIENCE_MS);

/** How often git is asked for the worktrees before a run gives up that looks for its own. */
const LOOKS = 4;

const EDIT = "echo new > new.txt; echo Done.";

/** What a killed `git worktree add` has done: shell commands; REAL is git itself, HOME the data folder. */
const CAME_TO = {
  "before it had begun": ":",
  "after it had made it": 'REAL "$@" 2> /dev/null',
  "before it had linked it": 'REAL "$@" 2> /dev/null; rm "HOME"/worktrees/run_*/.git',
  "before it had registered it":
    'REAL "$@" 2> /dev/null; rm "HOME"/worktrees/run_*/.git; for one in "REPOSITORY"/.git/worktrees/run_*; do : > "$one/commondir"; echo initializing > "$one/locked"; done',
};
type Moment = keyof typeof CAME_TO;

/** An environment with a git that dies in the first `times` of making a worktree. All else is the real one. */
async function killedOverAdd(product: Product, { moment, times }: { moment: Moment; times: number }) {
  const bin = join(dirname(product.home), "bin");
  const note = join(dirname(product.home), "killed");
  const real = Bun.which("git", { PATH: product.sandbox.env.PATH ?? "" });
  const lines = [
    "#!/bin/sh",
    'case " $* " in *" worktree add "*)',
    `  echo once >> '${note}'`,
    `  if [ "$(wc -l < '${note}')" -le ${times} ]; then ${CAME_TO[moment]}; kill -KILL $$; fi ;;`,
    "esac",
    'exec REAL "$@"',
  ];
  const script = lines
    .join("\n")
    .replaceAll("REAL", `'${real}'`)
    .replaceAll("HOME", product.home)
    .replaceAll("REPOSITORY", product.repository);
  await mkdir(bin);
  await writeFile(join(bin, "git"), `${script}\n`, { mode: 0o755 });
  return {
    env: { PATH: `${bin}:${product.env.PATH}` },
    tries: async () => (await readFile(note, "utf8")).trim().split("\n").length,
  };
}

const wrong = (product: Product) => whatIsWrong(product, { starts: startsFile(product), halfMade: true });

test.each(Object.keys(CAME_TO) as Moment[])(
  "a worktree whose git is killed %s is made, and nothing stray is left",
  async (moment) => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    const killed = await killedOverAdd(product, { moment, times: 1 });
    const end = await ask(product, ["run", "Change it", "--agent", "agent"], { env: killed.env });
    // What it had made already is taken as it is.
    expect(await killed.tries()).toBe(moment === "after it had made it" ? 1 : 2);
    expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect(await wrong(product)).toEqual([]);
    tally("fault", `a worktree whose git is killed ${moment} is made`, { under: "guard" });
  },
);

test.each(Object.keys(CAME_TO) as Moment[])(
  deep("a restore whose git is killed %s, again and again, says so and goes on when it is asked again"),
  async (moment) => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    const { attempt } = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await product.tazuna(["cancel", attempt.id]);
    await product.killEngine();
    const killed = await killedOverAdd(product, { moment, times: 5 });
    const restore = async () => {
      const end = await product.tazuna(["trash", "restore", attempt.id, "--json"], { env: killed.env });
      return end.json<{ readonly error?: { readonly code: string; readonly message: string } }>().error;
    };
    const said = await restore();
    if (moment === "after it had made it") expect(said).toBeUndefined();
    else expect(said).toMatchObject({ code: "restore_failed", message: expect.stringContaining("SIGKILL") });
    expect(await restore()).toBeUndefined();
    expect(readDataFolder(product.home).attempts[0]?.state).toBe("open");
    expect(await readdir(attempt.worktree)).toContain("new.txt");
    expect(await wrong(product)).toEqual([]);
    tally("fault", `a restore whose git is killed ${moment} goes on when it is asked again`, {
      under: "guard",
    });
  },
);

test(
  deep("a worktree whose git is killed once it had made it is known, though its run fails as it looks"),
  async () => {
    await using product = await startProduct();
    await countedAgent(product, "agent", EDIT);
    const killed = await killedOverAdd(product, { moment: "after it had made it", times: 1 });
    const bin = join(dirname(product.home), "bin", "git");
    const looks = join(dirname(product.home), "looks");
    // Every look of the run's own dies, each as often as it is made again.
    const dies = [
      `case " $* " in *" worktree list "*) if [ -e '${dirname(product.home)}/killed' ]; then`,
      `  echo once >> '${looks}'; [ "$(wc -l < '${looks}')" -gt ${LOOKS} ] || kill -KILL $$; fi ;;`,
      "esac",
    ].join("\n");
    await writeFile(
      bin,
      (await readFile(bin, "utf8")).replace("#!/bin/sh\n", () => `#!/bin/sh\n${dies}\n`),
    );
    const end = await ask(product, ["run", "Change it", "--agent", "agent"], { env: killed.env });
    expect(end.run.failure?.message).toContain("SIGKILL");
    expect(readDataFolder(product.home).attempts[0]?.gitDir).not.toBeNull();
    expect(await whatIsWrong(product, { starts: null, halfMade: true })).toEqual([]);
    const again = await ask(product, ["continue", end.attempt.id, "Once more"]);
    expect(ending(again.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    tally("fault", "a worktree whose git is killed, and whose run fails as it looks", { under: "guard" });
  },
);
