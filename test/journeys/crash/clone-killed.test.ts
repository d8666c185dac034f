/** Kills the engine while it clones: the command asks again, one whole clone comes of it, and nothing half-made stays. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cloneWorld, type KnownRepository } from "../../helpers/clone-world.ts";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

type World = Awaited<ReturnType<typeof cloneWorld>>;

/** One clone, in its folder alone, that doctor has no word about. */
async function isWhole({ product, repositories }: World, clone: KnownRepository): Promise<void> {
  expect(await readdir(join(product.home, "workspaces"))).toEqual([clone.id]);
  expect((await repositories()).map(({ id }) => id)).toEqual([clone.id]);
  expect(await product.sandbox.git(clone.path, ["rev-parse", "main"])).toBe(
    await product.sandbox.git(product.origin, ["rev-parse", "main"]),
  );
  const doctor = await product.tazuna(["doctor", "--json"]);
  const { findings } = doctor.json<{ findings: readonly { id: string; what: string }[] }>();
  expect(findings.filter(({ id }) => /^(?:workspaces|act):/.test(id))).toEqual([]);
}

for (const failpoint of ["before:clone", "clone:whole", "after:clone"])
  test(deep(`a clone whose engine was killed at ${failpoint} is made whole, once`), async () => {
    await using world = await cloneWorld({ password: null });
    const { product, url } = world;
    const reached = join(dirname(product.home), "reached");
    const env = { TAZUNA_FAILPOINT: `${failpoint}@${reached}` };
    const end = await product.tazuna(["repo", "add", url, "--json"], { env });
    expect(existsSync(reached)).toBe(true);
    expect(end.code).toBe(0);
    const [clone] = end.json<{ repositories: readonly KnownRepository[] }>().repositories;
    await isWhole(world, clone as KnownRepository);
    tally("kill", `the engine at ${failpoint}`, { under: "guard" });
  });

test("after a kill -9 in the middle of a clone its git is stopped, what it had made goes, and the command begins anew", async () => {
  await using world = await cloneWorld({
    password: null,
    breaks: { at: /\/git-upload-pack$/, how: "stall" },
  });
  const { product, url, server } = world;
  const adding = product.start(["repo", "add", url, "--json"]);
  await waitFor("the clone to receive", () => server.requests.some(({ method }) => method === "POST"));
  const [halfMade = ""] = await readdir(join(product.home, "workspaces"));
  expect(halfMade).toStartWith("half-made-");
  server.behave({ breaks: null });
  await product.killEngine();
  const end = await adding.end;
  expect(end.code).toBe(0);
  const [clone] = end.json<{ repositories: readonly KnownRepository[] }>().repositories;
  await isWhole(world, clone as KnownRepository);
});
