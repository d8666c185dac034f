/** Lets a run wait for its clone, which went for room and cannot be made anew while the server refuses (ADR 0104). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cloneWorld, type KnownRepository, TOKEN } from "../helpers/clone-world.ts";
import { ask, ending, PATIENCE_MS } from "../helpers/journey.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { readDataFolder } from "./crash/data-folder.ts";

setDefaultTimeout(PATIENCE_MS);

/** Its engine was killed at `failpoint`. Then its clone went, and the server wants a password now. */
async function withoutClone(failpoint: string, cloneRetryMs: number) {
  const world = await cloneWorld({ password: null }, { timing: { cloneRetryMs } });
  const { product, server, url } = world;
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  const added = await product.tazuna(["repo", "add", url, "--json"]);
  const [clone] = added.json<{ repositories: readonly KnownRepository[] }>().repositories;
  if (clone === undefined) throw new Error(added.stdout + added.stderr);
  await product.killEngine();
  const reached = join(dirname(product.home), "reached");
  await product.tazuna(["run", "echo one > one.txt", "--agent", "doer", "--repo", clone.id, "--detach"], {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
  });
  await waitFor("the failpoint", () => existsSync(reached));
  await waitFor("the engine to be gone", async () => (await product.enginePid()) === null);
  const at = new Date().toISOString();
  storedRows(product.home, {
    sql: `insert into operations (id, kind, subject_type, subject_id, before_state, status, undoable, at, ended_at, worker_id)
      select $1, 'clone_away', 'repository', id, '{}', 'done', 0, $2, $3, worker_id from repositories where id = $4`,
    values: [crypto.randomUUID(), at, at, clone.id],
  });
  await rm(clone.path, { recursive: true });
  const [run] = readDataFolder(product.home).runs;
  if (run === undefined) throw new Error("no run was stored");
  server.behave({ password: { user: "x-access-token", password: TOKEN } });
  const [{ task } = { task: "" }] = storedRows<{ task: string }>(product.home, {
    sql: "select task_id as task from attempts",
  });
  const shown = async () => (await ask(product, ["show", task])).run;
  const waiting = () =>
    waitFor("it to say what it waits for", async () => {
      const { status, phase, waits_for } = await shown();
      return waits_for === null ? null : { status, phase, waits_for };
    });
  return { ...world, run, clone, shown, waiting };
}

const WAITS = { reason: "clone", why: expect.stringContaining("did not let this git in") };

test(deep("a run in the queue waits for its clone, and begins when the server lets it"), async () => {
  await using world = await withoutClone("move:prepare", 500);
  const { product, server, shown, waiting } = world;
  expect(await waiting()).toMatchObject({ status: "PENDING", phase: "queued", waits_for: WAITS });
  expect((await product.tazuna(["list", "--all"])).stdout).toContain("Waits for its clone:");
  // It is tried again and again.
  const asked = server.requests.length;
  await waitFor("another try", () => server.requests.length > asked);
  server.behave({ password: null });
  await waitFor("it to have worked", async () => (await shown()).status === "SUCCEEDED");
  const end = await shown();
  expect<unknown>(ending(end)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
  expect(end.notes.map(({ code }) => code)).toEqual(["environment_lost"]);
});

test(deep("a run that had begun waits for its clone, until a person clones by hand"), async () => {
  await using world = await withoutClone("moved:prepare", 3_600_000);
  const { product, server, url, clone, shown, waiting } = world;
  expect(await waiting()).toMatchObject({ status: "PENDING", phase: "preparing", waits_for: WAITS });
  server.behave({ password: null });
  expect((await product.tazuna(["repo", "add", url])).code).toBe(0);
  expect(existsSync(clone.path)).toBe(true);
  await waitFor("it to have worked", async () => (await shown()).status === "SUCCEEDED");
  expect(await shown()).toMatchObject({ outcome: "pushed", waits_for: null });
});

test(deep("a run that waits for its clone can be cancelled, and leaves its clone away"), async () => {
  await using world = await withoutClone("moved:prepare", 3_600_000);
  const { product, clone, run, shown, waiting } = world;
  await waiting();
  expect((await product.tazuna(["cancel", run.attempt])).code).toBe(0);
  await waitFor("it to be cancelled", async () => (await shown()).status === "CANCELED");
  expect(existsSync(clone.path)).toBe(false);
});
