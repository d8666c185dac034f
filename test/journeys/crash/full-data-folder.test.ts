/** Fills the disk of the data folder during a run: readers learn it within seconds, and with room it continues. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

const noDisk = await whyNoSmallDisk();
/** Behind a title. */
const skipped = noDisk === null ? "" : ` (skipped: ${noDisk})`;
const ROOM = "waits for room on the disk of the data folder";
const SOON = { withinMs: 120_000 };

/** A script that says that it works, and then waits for leave to end. */
function held(product: Product) {
  const beside = (name: string) => join(dirname(product.home), name);
  return {
    script: `touch '${beside("works")}'; until [ -e '${beside("go")}' ]; do sleep 0.05; done`,
    works: () => waitFor("the script to work", () => exists(beside("works")), { withinMs: 120_000 }),
    letGo: () => writeFile(beside("go"), ""),
  };
}

async function agentEnded({ home }: Product): Promise<boolean> {
  const [run = ""] = await readdir(join(home, "runs"));
  return exists(join(home, "runs", run, "exit.json"));
}

/** `run` in a pipe, whose words can be read while it waits. */
function runInPipe(product: Product) {
  const said = join(dirname(product.home), "said");
  const argv = [join(import.meta.dir, "../../../bin/tazuna"), "run", "Change it", "--agent", "agent"];
  const child = Bun.spawn(argv, {
    cwd: product.repository,
    env: { ...product.env },
    stdout: "ignore",
    stderr: Bun.file(said),
  });
  return { exited: child.exited, said: () => readFile(said, "utf8") };
}

test.skipIf(noDisk !== null)(
  deep(
    `\`list\` and the waiting \`run\` name the full disk within seconds, and with room the run goes on${skipped}`,
  ),
  async () => {
    await using product = await startProduct();
    const { script, works, letGo } = held(product);
    await product.agent("agent", `echo new > new.txt; ${script}`);
    await using disk = await smallDisk(product.home, "48m");
    const running = runInPipe(product);
    await works();
    await disk.fill();
    await letGo();
    const words = async () => {
      const { stdout } = await product.tazuna(["list"]);
      return stdout.includes(ROOM) ? stdout : null;
    };
    expect(await waitFor("`list` to tell it", words, SOON)).not.toContain("Running");
    await waitFor("`run` to tell it", async () => (await running.said()).includes(ROOM), SOON);
    await disk.free();
    expect(await running.exited).toBe(0);
  },
);

test.skipIf(noDisk !== null)(
  deep(
    `a disk that fills while the worktree is prepared is reported as such, and no longer once there is room${skipped}`,
  ),
  async () => {
    await using product = await startProduct();
    const { script, works, letGo } = held(product);
    await product.configure({ setup: [script] });
    await product.agent("agent", "echo new > new.txt");
    await using disk = await smallDisk(product.home, "48m");
    const running = runInPipe(product);
    await works();
    await disk.fill();
    await letGo();
    const told = `Preparing ${ROOM}`;
    await waitFor("`run` to tell it", async () => (await running.said()).includes(told), SOON);
    await disk.free();
    expect(await running.exited).toBe(0);
    expect((await running.said()).split(told)[1]).not.toContain(ROOM);
  },
);

test.skipIf(noDisk !== null)(
  deep(`an engine that starts on a full disk never says that an agent which has ended runs${skipped}`),
  async () => {
    await using product = await startProduct();
    const { script, works, letGo } = held(product);
    await product.agent("agent", `echo new > new.txt; ${script}`);
    await using disk = await smallDisk(product.home, "48m");
    const running = runInPipe(product);
    await works();
    await disk.fill();
    await product.killEngine();
    await letGo();
    await waitFor("the agent to end", () => agentEnded(product), SOON);
    const words = async () => {
      const { code, stdout, stderr } = await product.tazuna(["list"]);
      expect(stdout).not.toContain("Running");
      // An engine that has no room for its own files does not start, and says so.
      if (code !== 0) expect(stderr).toContain("no space left");
      return code !== 0 || stdout.includes(ROOM);
    };
    await waitFor("the full disk to be told", words, SOON);
    await disk.free();
    const settled = async () => (await product.tazuna(["list"])).stdout.includes("Pushed");
    await waitFor("the run to end", settled, { withinMs: 120_000 });
    await running.exited;
  },
);
