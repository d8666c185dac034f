/** Works from two machines on clones of one address: for people they are one repository. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { Client } from "pg";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { type TeamWorld, teamWorld } from "../helpers/team-world.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const journey = (title: string, play: () => Promise<void>) =>
  test.skipIf("missing" in postgres)(
    deep("missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title),
    play,
  );

interface Listed {
  readonly path: string;
  readonly address: string | null;
  readonly worker: { readonly name: string } | null;
}

async function listed({ product }: TeamWorld, how: object): Promise<readonly Listed[]> {
  return (await product.tazuna(["repo", "list", "--json"], how)).json<{ repositories: readonly Listed[] }>()
    .repositories;
}

journey("clones of one address are shown once with their workers, and so are their tasks", async () => {
  await using world = await teamWorld();
  const { product, there, url } = world;
  await product.agent("writer", "echo one > one.txt; echo Done.");
  await world.settle();
  const { repositories } = { repositories: await listed(world, there) };
  expect(repositories.map(({ path, address }) => [path, address])).toEqual([
    [product.repository, url],
    [there.cwd, url],
  ]);
  const name = repositories[0]?.worker?.name ?? "";
  const text = (await product.tazuna(["repo", "list"], there)).stdout;
  expect(text).not.toContain(product.repository);
  expect(text).toContain(`here, ${name}`);
  const { run, document } = await ask(product, ["run", "Change it", "--agent", "writer"]);
  expect(ending(run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  for (const named of [[], ["--repo", url], ["--repo", "other clone"]])
    expect((await product.tazuna(["list", ...named, "--json"], there)).json()).toMatchObject({
      tasks: [{ id: document.task.id }],
    });
});

journey(
  "an address that changed, or that an earlier program did not know, is read at the start",
  async () => {
    await using world = await teamWorld();
    const { product, url, there } = world;
    await world.settle();
    await product.tazuna(["engine", "stop"]);
    const client = new Client({ connectionString: world.database });
    await client.connect();
    await client.query("update repositories set address = null");
    await client.end();
    expect((await listed(world, there)).map(({ address }) => address)).toEqual([null, null]);
    await product.tazuna(["list"]);
    const own = async () => (await listed(world, {})).find(({ worker }) => worker === null)?.address;
    await waitFor("the address to be read", async () => (await own()) === url, { withinMs: 120_000 });
    await product.sandbox.git(product.repository, ["remote", "set-url", "origin", "/srv/only-here.git"]);
    await product.tazuna(["repo", "add", "."]);
    expect(await own()).toBeNull();
  },
);
