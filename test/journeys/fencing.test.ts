/** Lets leases run out: for a keeper alone, for an engine that is held or dead, and for one whose database is away. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { formatDeadlines } from "../../src/keeper/lease-deadline.ts";
import { localProcesses } from "../../src/utils/exec.ts";
import { bootMs } from "../../src/utils/time/boot-time.ts";
import { askingAgent, show } from "../helpers/asking-agent.ts";
import { depotWorld } from "../helpers/depot-world.ts";
import {
  branchAt,
  ending,
  exists,
  gate,
  noteCodes,
  PATIENCE_MS,
  processesOf,
  taskEnd,
} from "../helpers/journey.ts";
import { ownSchema } from "../helpers/own-schema.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { type Product, type StartedCommand, startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** As the engine would have written it long ago. It writes the file anew when it takes the run again. */
async function endLease(product: Product, run: string): Promise<void> {
  await writeDeadlines(product, new Map([[run, 1]]));
}

async function writeDeadlines({ home }: Product, deadlines: ReadonlyMap<string, number>): Promise<void> {
  const file = join(home, "lease.json");
  await writeFile(`${file}.new`, formatDeadlines(await localProcesses.bootId(), deadlines));
  await rename(`${file}.new`, file);
}

async function onPostgres() {
  const schema = await ownSchema();
  const product = await startProduct({
    env: { TAZUNA_DATABASE: schema.url },
    // No renewal comes between.
    timing: { leaseMs: 3_600_000 },
  });
  await mkdir(product.home, { mode: 0o700 });
  // An engine that finds the file keeps it true, also if no run of it may move now.
  await writeDeadlines(product, new Map());
  return {
    product,
    [Symbol.asyncDispose]: async () => {
      await product[Symbol.asyncDispose]();
      await schema[Symbol.asyncDispose]();
    },
  };
}

const begin = async (product: Product, agent: string) =>
  taskEnd(await product.tazuna(["run", "Say hello", "--agent", agent, "--detach", "--json"]));

/** Whoever asks for the version alone does not wait. */
const PROBED = 'case "$*" in *--version*) exit 0 ;; esac';

describe.skipIf("missing" in postgres)("an agent that was stopped because its lease had run out", () => {
  test(deep("goes on in its session, with what it had edited"), async () => {
    await using world = await onPostgres();
    const { product } = world;
    await using door = gate(product, "fenced");
    const claude = await replayedClaude(product, "claude", [
      {
        before: `${PROBED}; echo begun > begun.txt`,
        stream: "success-edit.jsonl",
        lines: 6,
        after: door.wait,
      },
      { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
    ]);
    const { run, attempt, document } = await begin(product, "claude");
    await door.reached();
    await endLease(product, run.id);
    const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    const starts = await claude.starts(attempt.id);
    expect<unknown>({
      ending: ending(end.run),
      notes: noteCodes(end.run),
      resumed: starts.map(({ argv }) => argv.includes("--resume")),
      files: await product.sandbox.git(product.origin, ["ls-tree", "--name-only", attempt.branch]),
    }).toEqual({
      ending: { status: "SUCCEEDED", outcome: "pushed" },
      notes: ["fenced"],
      resumed: [false, true],
      files: expect.stringMatching(/^begun\.txt\n(.*\n)*hello\.txt/m),
    });
    expect((await product.tazuna(["logs", run.id])).stdout).toContain("did not renew its lease in time");
  });

  test(deep("ends as interrupted if it has no session, and keeps what it had edited"), async () => {
    await using world = await onPostgres();
    const { product } = world;
    await using door = gate(product, "without-session");
    await product.agent("writer", `echo begun > begun.txt; ${door.wait}`);
    const { run, attempt, document } = await begin(product, "writer");
    await door.reached();
    await endLease(product, run.id);
    const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
    expect(ending(end.run)).toEqual({ status: "FAILED", outcome: null, failure: "interrupted" });
    expect(end.run.failure).toMatchObject({
      message: expect.stringContaining("It has no session with which to go on; its edits are kept."),
      details: { cause: "fenced" },
    });
    expect(await exists(join(attempt.worktree, "begun.txt"))).toBe(true);
    expect(await processesOf(run.id)).toEqual([]);
  });

  test(deep("waits for the answer to what it had asked, and goes on with that"), async () => {
    await using world = await onPostgres();
    const { product } = world;
    const agent = await askingAgent(product);
    const asking = await agent.begin("ask npm install left-pad");
    await endLease(product, asking.run.id);
    await waitFor("its process to end", async () => (await processesOf(asking.run.id)).length === 0);
    expect((await show(product, asking.run.id)).run.question?.id).toBe(asking.question.id);
    expect((await product.tazuna(["answer", asking.run.id, "--allow"])).code).toBe(0);
    const end = taskEnd(await product.tazuna(["wait", asking.document.task.id, "--json"]));
    expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    expect((await agent.prompts()).length).toBe(2);
  });
});

/** Long enough for a busy machine to renew it in time. */
const LEASE_MS = 18_000;

/** An engine that serves a depot, so that its attempts may move. */
async function engineWithDepot(failpoint?: string) {
  const world = await depotWorld({ leaseMs: LEASE_MS });
  const reached = join(dirname(world.product.home), "reached");
  const env: Record<string, string> =
    failpoint === undefined ? {} : { TAZUNA_FAILPOINT: `${failpoint}@${reached}@SIGSTOP` };
  const serve = () => world.serve(["--depot", world.folder], env);
  return { world, product: world.product, reached, serve };
}

type Held = Awaited<ReturnType<typeof engineWithDepot>> & { readonly server: StartedCommand };

/** Each stops the renewals; what it answers lets them go on. */
const TROUBLES: Readonly<Record<string, (it: Held) => Promise<() => Promise<unknown>>>> = {
  "an engine that was killed": async ({ server, serve }) => {
    server.kill("SIGKILL");
    await server.end;
    return serve;
  },
  "an engine that is held": async ({ server }) => {
    server.kill("SIGSTOP");
    return async () => server.kill("SIGCONT");
  },
  "a database that is away": async ({ world }) => {
    await world.postgres.stop();
    return world.postgres.start;
  },
};

describe.skipIf("missing" in postgres)(
  "with a depot, the agent is stopped in time and goes on later after",
  () => {
    for (const [trouble, begins] of Object.entries(TROUBLES))
      test(deep(trouble), async () => {
        const it = await engineWithDepot();
        await using world = it.world;
        const { product } = world;
        await using door = gate(product, "working");
        const claude = await replayedClaude(product, "claude", [
          {
            before: `${PROBED}; echo begun > begun.txt`,
            stream: "success-edit.jsonl",
            lines: 6,
            after: door.wait,
          },
          { before: "echo hello > hello.txt", stream: "success-edit.jsonl" },
        ]);
        const server = await it.serve();
        const { run, attempt, document } = await begin(product, "claude");
        await door.reached();
        const end = await begins({ ...it, server });
        // Of the last renewal; no other one comes now.
        const told = JSON.parse(await readFile(join(product.home, "lease.json"), "utf8"));
        await waitFor("the agent to end", async () => (await processesOf(run.id)).length === 0);
        expect(bootMs()).toBeGreaterThanOrEqual(told.agents_until[run.id]);
        await end();
        await waitFor("the second start", async () => (await claude.starts(attempt.id)).length === 2);
        const { run: ended } = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
        expect(ending(ended)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
        // An engine that was killed has lost the caller's environment too.
        expect(noteCodes(ended)).toContain("fenced");
      });
  },
);

describe.skipIf("missing" in postgres)(
  "an engine that wakes after another has taken the run starts no git for it",
  () => {
    for (const act of ["commit", "push"])
      test(deep(`held before its ${act}`), async () => {
        const it = await engineWithDepot(`before:${act}`);
        await using world = it.world;
        const { product } = world;
        await product.agent("writer", "echo one > one.txt; echo Done.");
        const server = await it.serve();
        const { run, attempt, document } = await begin(product, "writer");
        await waitFor("the engine to be held", () => exists(it.reached));
        const refs = () => product.sandbox.git(product.repository, ["for-each-ref"]);
        const before = await refs();
        const commits = () => product.sandbox.git(attempt.worktree, ["reflog", "HEAD"]);
        const committed = await commits();
        const since = bootMs();
        await waitFor("its time to be over", () => bootMs() > since + LEASE_MS);
        const seen = async () =>
          (await world.db.query("select max(seen_at) as seen from workers")).rows[0].seen as string;
        const last = await seen();
        const lease = (set: string) => world.db.query(`update runs set ${set} where id = $1`, [run.id]);
        await lease(
          "lease_owner = 'another', lease_epoch = lease_epoch + 1, lease_until = '2999-01-01T00:00:00.000Z'",
        );
        server.kill("SIGCONT");
        await waitFor("it to renew", async () => (await seen()) > last);
        const again = await seen();
        await waitFor("it to renew again", async () => (await seen()) > again);
        expect<unknown>([
          await refs(),
          await commits(),
          await branchAt(product, product.origin, attempt.branch),
        ]).toEqual([before, committed, null]);
        // The other one is gone too: this engine takes the run again, and nothing of it has failed.
        await lease("lease_until = '2000-01-01T00:00:00.000Z'");
        await begin(product, "writer");
        const end = taskEnd(await product.tazuna(["wait", document.task.id, "--json"]));
        expect(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
      });
  },
);
