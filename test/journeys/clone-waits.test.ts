/** Lets a run wait for its clone, which went for room and cannot be made anew while the server refuses (ADR 0104). */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { cloneWorld, type KnownRepository, TOKEN } from "../helpers/clone-world.ts";
import { ask, ending, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** A run that was in `phase` when its engine was killed. Then its clone went, and the server wants a password now. */
async function withoutClone(phase: "queued" | "preparing", cloneRetryMs: number) {
  const world = await cloneWorld({ password: null }, { timing: { cloneRetryMs } });
  const { product, server, url } = world;
  await product.configure({ limits: { parallel: 1 } });
  const busy = gate(product, "busy");
  await product.agent("slow", `${busy.wait}; echo Done.`);
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
  const added = await product.tazuna(["repo", "add", url, "--json"]);
  const [clone] = added.json<{ repositories: readonly KnownRepository[] }>().repositories;
  if (clone === undefined) throw new Error(added.stdout + added.stderr);
  await ask(product, ["run", "Wait", "--agent", "slow", "--detach"]);
  await busy.reached();
  const asked = ["run", "echo one > one.txt", "--agent", "doer", "--repo", clone.id, "--detach"];
  const { document, run, attempt } = await ask(product, asked);
  await product.killEngine();
  const at = new Date().toISOString();
  storedRows(product.home, {
    sql: "update runs set phase = $1, started_at = $2 where id = $3",
    values: [phase, at, run.id],
  });
  storedRows(product.home, {
    sql: `insert into operations (id, kind, subject_type, subject_id, before_state, status, undoable, at, ended_at, worker_id)
      select $1, 'clone_away', 'repository', id, '{}', 'done', 0, $2, $3, worker_id from repositories where id = $4`,
    values: [crypto.randomUUID(), at, at, clone.id],
  });
  await rm(clone.path, { recursive: true });
  server.behave({ password: { user: "x-access-token", password: TOKEN } });
  await busy.open();
  const shown = async () => (await ask(product, ["show", document.task.id])).run;
  const waiting = () =>
    waitFor("it to wait for its clone", async () => {
      const { status, phase, waits_for } = await shown();
      return waits_for?.reason === "clone" ? { status, phase, waits_for } : null;
    });
  return {
    ...world,
    ...{ clone, attempt, shown, waiting },
    [Symbol.asyncDispose]: async () => {
      await busy[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const WAITS = { reason: "clone", why: expect.stringContaining("did not let this git in") };

test(deep("a run in the queue waits for its clone, and begins when the server lets it"), async () => {
  await using world = await withoutClone("queued", 500);
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
  await using world = await withoutClone("preparing", 3_600_000);
  const { product, server, url, clone, shown, waiting } = world;
  expect(await waiting()).toMatchObject({ status: "PENDING", phase: "preparing", waits_for: WAITS });
  server.behave({ password: null });
  expect((await product.tazuna(["repo", "add", url])).code).toBe(0);
  expect(existsSync(clone.path)).toBe(true);
  await waitFor("it to have worked", async () => (await shown()).status === "SUCCEEDED");
  expect(await shown()).toMatchObject({ outcome: "pushed", waits_for: null });
});

test(deep("a run that waits for its clone can be cancelled, and leaves its clone away"), async () => {
  await using world = await withoutClone("preparing", 3_600_000);
  const { product, clone, attempt, shown, waiting } = world;
  await waiting();
  expect((await product.tazuna(["cancel", attempt.id])).code).toBe(0);
  await waitFor("it to be cancelled", async () => (await shown()).status === "CANCELED");
  expect(existsSync(clone.path)).toBe(false);
});
