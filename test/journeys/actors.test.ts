/** Tells who asked: acts, runs and comments name their actor as soon as there is more than one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OperationDocument } from "../../src/contract/endpoints/operations.ts";
import type { AttemptDocument, RunDocument } from "../../src/contract/task-document.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { doomedGit } from "../helpers/doomed-git.ts";
import { enter, flagsOf } from "../helpers/enter-as.ts";
import { httpApi } from "../helpers/http-api.ts";
import { identityProvider } from "../helpers/identity-provider.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { dataOf, mcpClient } from "../helpers/mcp.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { deep } from "../helpers/tier.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { calling, withToken } from "../helpers/with-token.ts";

setDefaultTimeout(PATIENCE_MS);

const PEOPLE = {
  ann: { email: "ann@x.example", email_verified: true, name: "Ann" },
  bob: { email: "bob@x.example", email_verified: true, name: "Bob" },
};

type Worker = { readonly id: string; readonly name: string };

const OWNER: Actor = { kind: "owner", id: null, name: null };

describe("one person at one machine", () => {
  let product: Product;
  let attempt: AttemptDocument;
  let run: RunDocument;
  let task: string;

  const operations = async (kind: string) => {
    const { items } = await (await httpApi(product)).json(`/operations?kind=${kind}`);
    return (items as readonly OperationDocument[]).map(({ actor }) => actor);
  };

  beforeAll(async () => {
    product = await startProduct();
    await product.agent("writer", "echo one >> one.txt; echo Done.");
    const end = await ask(product, ["run", "Write it", "--agent", "writer"]);
    ({ attempt, run } = end);
    task = end.document.task.id;
  });
  afterAll(() => product?.[Symbol.asyncDispose]());

  test("sees nothing new: no list and no detail names anybody", async () => {
    await writeFile(join(attempt.worktree, "one.txt"), "edited\n");
    expect((await product.tazuna(["restore", run.id])).code).toBe(0);
    expect(await operations("run_restore")).toEqual([OWNER]);
    // What the driver of a run did is Tazuna's own.
    expect(await operations("push")).toEqual([null]);
    expect((await product.tazuna(["activity"])).stdout).not.toContain(" BY ");
    expect((await product.tazuna(["list"])).stdout).not.toContain(" BY ");
    for (const id of [task, attempt.id, run.id])
      expect((await product.tazuna(["show", id])).stdout).not.toContain("Asked by");
  });

  test("a token and an agent are named as soon as they ask, and headers make nobody somebody else", async () => {
    const bot = await withToken(product, "ci-bot");
    const { id: comment } = await bot(`/attempts/${attempt.id}/comments`, { path: "one.txt", body: "Why?" });
    await writeFile(join(attempt.worktree, "one.txt"), "edited again\n");
    await bot(`/runs/${run.id}/restore`, {});
    const token: Actor = { kind: "token", id: expect.any(String), name: "ci-bot" };
    expect(await operations("run_restore")).toEqual([token, OWNER]);
    const shown = (await product.tazuna(["show", attempt.id])).stdout;
    expect(shown).toContain("by token ci-bot");
    expect(comment).toEqual(expect.any(String));
    const listed = (await product.tazuna(["activity"])).stdout;
    expect(listed).toMatch(/^OPERATION +AT +BY +KIND/);
    expect(listed).toMatch(/token ci-bot +run_restore/);
    expect(listed).toMatch(/Z +owner +run_restore/);
    expect(listed).toMatch(/Z +- +push/);

    await mkdir(join(product.repository, ".tazuna"));
    const config = JSON.stringify({ setup: ["true"] });
    await writeFile(join(product.repository, ".tazuna", "config.json"), config, { mode: 0o644 });
    await bot("/scripts/trust", { repository: product.repository, hashes: "all" });
    const trusted = await product.tazuna(["trust", "--json"]);
    expect(trusted.json<{ scripts: readonly unknown[] }>().scripts).toEqual([
      { hash: expect.any(String), text: "setup: true", trusted: true, by: token },
    ]);
    // A second word takes nothing away.
    await product.tazuna(["trust", "--yes"]);
    expect((await product.tazuna(["trust"])).stdout).toContain("trusted by token ci-bot");

    await using control = await mcpClient({
      cwd: product.repository,
      env: product.env,
      args: ["--control"],
    });
    const continued = dataOf(
      await control.call("continue_attempt", { attempt: attempt.id, instruction: "More" }),
    );
    expect(continued).toBeTruthy();
    const { runs } = (await product.tazuna(["wait", attempt.id, "--json"])).json().attempts[0] ?? {};
    expect(runs?.map(({ actor }) => actor)).toEqual([OWNER, { kind: "agent", id: null, name: "test" }]);
    expect((await product.tazuna(["show", attempt.id])).stdout).toMatch(/Asked by +agent test\n/);
    expect((await product.tazuna(["list"])).stdout).toMatch(/ BY .*\n.* agent test /);
  });
});

test(deep("what was compared for one caller serves the next ones"), async () => {
  await using git = await doomedGit();
  await using product = await startProduct({ env: { PATH: git.path } });
  await product.agent("writer", "echo one > one.txt; echo Done.");
  const { attempt } = await ask(product, ["run", "Write it", "--agent", "writer"]);
  const bot = await withToken(product, "ci-bot");
  const { client } = await httpApi(product);
  await git.doom("--numstat", 1_000_000);
  const page = { cursor: null, limit: 10, other: null };
  expect((await client.diffFiles(attempt.id, page))._unsafeUnwrap().files).toHaveLength(1);
  const once = await git.calls();
  expect(once).toBeGreaterThan(0);
  expect((await client.diffFiles(attempt.id, page)).isOk()).toBe(true);
  expect((await bot(`/attempts/${attempt.id}/diff?files=only`)).files).toHaveLength(1);
  expect(await git.calls()).toBe(once);
});

journey(
  "a call that is handed on between two workers keeps its actor, and no header makes another",
  async () => {
    await using world = await twoEngines();
    await using provider = await identityProvider(PEOPLE);
    const { product, there } = world;
    await product.agent("writer", "echo one > one.txt; echo Done.");
    const { attempt, run } = await ask(product, ["run", "Write it", "--agent", "writer"]);
    await world.settle();
    // Asked for at the other machine, done at this one.
    const restore = async (by: (path: string, body: unknown) => Promise<{ readonly code?: string }>) => {
      await writeFile(join(attempt.worktree, "one.txt"), "edited\n");
      expect((await by(`/runs/${run.id}/restore`, {})).code).toBeUndefined();
    };
    await restore(await withToken(product, "ci-bot", there));
    await writeFile(join(attempt.worktree, "one.txt"), "edited\n");
    expect((await product.tazuna(["restore", run.id], there)).code).toBe(0);
    await product.tazuna(["engine", "stop"], there);
    const flags = await flagsOf(product, provider);
    const server = product.start(["serve", "--json", "--port", "0", ...flags], there);
    await waitFor("the server to listen", () => server.printed().includes("\n"));
    const { url } = JSON.parse(server.printed()) as { url: string };
    for (const who of ["ann", "bob"]) {
      const { cookie } = await enter(url, provider, who);
      if (who === "bob") await product.tazuna(["people", "role", "bob@x.example", "admin"]);
      await restore(calling(`${url}/api/v1`, { cookie, origin: url }));
    }
    const { items } = await (await httpApi(product)).json("/operations?kind=run_restore");
    const actors = (items as readonly OperationDocument[]).map(({ actor }) => actor);
    const person = (name: string) => ({ kind: "person", id: expect.any(String), name });
    const { workers } = (await product.tazuna(["workers", "--json"])).json<{ workers: readonly Worker[] }>();
    const asked = await world.workerOf(world.home);
    expect<unknown>(actors).toEqual([
      person("bob@x.example"),
      person("ann@x.example"),
      { kind: "owner", id: null, name: workers.find(({ id }) => id === asked)?.name },
      { kind: "token", id: expect.any(String), name: "ci-bot" },
    ]);
    server.kill("SIGTERM");
    await server.end;
  },
);
