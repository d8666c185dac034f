/** Tells that a program which the sandbox hides is not ready, and its run says so; a visible one works. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { sandboxHere, skippedWithout } from "../helpers/sandbox.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

interface Agents {
  readonly agents: readonly { id: string; ready: boolean; reason: string | null }[];
}

async function program(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "my-agent");
  await writeFile(path, "#!/bin/sh\necho new > new.txt; echo Done.\n");
  await chmod(path, 0o755);
  return path;
}

/** What `agents`, `doctor` and `run` say of an agent that is found by its name in this folder. */
async function told(product: Product, folder: string) {
  const how = { env: { PATH: `${folder}:${product.env.PATH}` } };
  const { agents } = (await product.tazuna(["agents", "--json"], how)).json<Agents>();
  const { findings } = (await product.tazuna(["doctor", "--json"], how)).json<{
    findings: { id: string; level: string }[];
  }>();
  const mine = agents.find(({ id }) => id === "mine");
  const end = await ask(product, ["run", "Change it", "--agent", "mine"], how);
  return {
    ready: mine?.ready,
    reason: mine?.reason,
    level: findings.find(({ id }) => id === "agent:mine")?.level,
    ending: ending(end.run),
    message: end.run.failure?.message ?? null,
  };
}

test.skipIf(!sandboxHere.available)(
  deep(
    `a program below a place that the sandbox hides is not ready, in agents, doctor and run${skippedWithout}`,
  ),
  async () => {
    await using product = await startProduct({ isolation: "sandbox" });
    await product.configure({ agents: { mine: { executor: "command", command: ["my-agent"] } } });
    // The sandbox has a /tmp of its own.
    await using outside = await tempDir("/tmp");
    const home = product.env.HOME ?? "";
    const hidden = join(outside.path, "tools");
    await program(hidden);
    await program(join(home, ".ssh/bin"));
    const linked = join(home, "linked");
    await mkdir(linked);
    await symlink(join(hidden, "my-agent"), join(linked, "my-agent"));
    for (const folder of [hidden, join(home, ".ssh/bin"), linked]) {
      const seen = await told(product, folder);
      expect(seen).toMatchObject({ ready: false, level: "warning", ending: { failure: "agent_not_found" } });
      expect([seen.reason, seen.message]).toEqual([
        expect.stringContaining("do not see in the sandbox"),
        expect.stringContaining("do not see in the sandbox"),
      ]);
    }
    const shown = join(home, "tools");
    await program(shown);
    expect(await told(product, shown)).toMatchObject({
      ready: true,
      level: "ok",
      ending: { outcome: "pushed" },
    });
    // Under the guard nothing is hidden.
    await product.configure({ isolation: "guard" });
    const { agents } = (
      await product.tazuna(["agents", "--json"], {
        env: { PATH: `${hidden}:${product.env.PATH}`, TAZUNA_ISOLATION: "" },
      })
    ).json<Agents>();
    expect(agents.find(({ id }) => id === "mine")?.ready).toBe(true);
  },
);
