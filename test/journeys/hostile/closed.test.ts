/** Tells that files which an agent closes by their mode are published, trashed, restored and deleted like others. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS, type TaskEnd } from "../../helpers/journey.ts";
import { asMortal, skippedAsRoot } from "../../helpers/mortal.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";

setDefaultTimeout(PATIENCE_MS);

interface Closing {
  readonly what: string;
  readonly script: string;
  /** What its snapshot lacks: then it is never deleted. */
  readonly lacks?: string;
}

const CLOSINGS: readonly Closing[] = [
  { what: "everything, to writing", script: "chmod -R a-w ." },
  { what: "the worktree, to everything", script: "chmod 000 ." },
  { what: "the worktree and git's pointer in it", script: "chmod 000 .git; chmod 500 ." },
  {
    what: "ignored folders",
    script:
      "mkdir -p node_modules/a; echo x > node_modules/a/b; chmod -R a-w node_modules; chmod 000 node_modules",
  },
  { what: "a folder with work in it", script: "mkdir shut; echo x > shut/x; chmod 000 shut", lacks: "shut" },
  {
    what: "the folder of the guard",
    script: `d=$(dirname "$(command -v git)"); mkdir "$d/x"; echo y > "$d/x/y"; chmod 000 "$d/x"; chmod 500 "$d"`,
  },
];

describe.skipIf(asMortal === null)(`an agent that closes${skippedAsRoot}`, () => {
  let product: Product;

  beforeAll(async () => {
    product = await startProduct({ behind: asMortal ?? [] });
    await product.configure({ checks: [{ name: "looks", run: "test -e honest.txt" }] });
  });
  afterAll(() => product?.[Symbol.asyncDispose]());

  for (const [index, { what, script, lacks }] of CLOSINGS.entries())
    test(what, async () => {
      const agent = `closes-${index}`;
      await product.agent(agent, `echo honest > honest.txt; echo plan > plan.local\n${script}`);
      const end = await ask(product, ["run", "Close it", "--agent", agent]);
      expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
      const left = modes(end);
      await cancel(end);
      const restored = await product.tazuna(["trash", "restore", end.attempt.id, "--json"]);
      expect(restored.code, restored.stdout).toBe(0);
      expect(modes(end)).toEqual(left);
      await cancel(end);
      const emptied = await product.tazuna(["trash", "empty", "--yes", "--json"]);
      const stays = (await readdir(join(product.home, "trash"))).includes(end.attempt.id);
      if (lacks === undefined) await isDeleted(end);
      else expect(emptied.stdout).toContain(`does not contain ${lacks}`);
      expect(stays).toBe(lacks !== undefined);
      tally("attack", `closes ${what}`, { under: "guard" });
    });

  async function cancel({ attempt }: TaskEnd): Promise<void> {
    const canceled = await product.tazuna(["cancel", attempt.id, "--json"]);
    expect(canceled.code, canceled.stdout).toBe(0);
  }

  /** All but the handwritten ignored file. */
  async function isDeleted({ attempt }: TaskEnd): Promise<void> {
    const folder = join(product.home, "ignored");
    const entries = await readdir(folder);
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries)
      expect(await readFile(join(folder, entry, "plan.local"), "utf8")).toBe("plan\n");
    expect(await Bun.file(join(attempt.worktree, ".git")).exists()).toBe(false);
  }
});

/** Path, kind, mode and size of everything below the worktree, but for git's own file. */
function modes({ attempt }: TaskEnd): readonly string[] {
  const what = ["-mindepth", "1", "-name", ".git", "-prune", "-o", "-printf", "%P %y %m %s\\n"];
  const { stdout } = Bun.spawnSync(["find", attempt.worktree, ...what]);
  return stdout.toString().trim().split("\n").sort();
}
