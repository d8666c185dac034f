/** Tells what a run that waits in the queue says, and that a changed setting reaches it by itself. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RunDocument } from "../../src/contract/task-document.ts";
import { ask, ending, gate, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const PATIENT = { withinMs: 120_000 };
const NO_LIMITS = { parallel: 8, per_repository: 8, per_login: 4 };

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  for (const name of ["a", "b"]) await product.agent(name, '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const run = (script: string, ...more: string[]) => ask(product, ["run", script, "--detach", ...more]);
const latest = async (end: TaskEnd) => (await ask(product, ["show", end.document.task.id])).run;

/** The run once it says what it waits for. */
const waiting = (end: TaskEnd, reason: string): Promise<RunDocument> =>
  waitFor(
    `the reason ${reason}`,
    async () => {
      const now = await latest(end);
      return now.waits_for?.reason === reason ? now : null;
    },
    PATIENT,
  );

/** What a person reads of it. */
const words = async (end: RunDocument) => (await product.tazuna(["show", end.id])).stdout;

async function endings(...tasks: TaskEnd[]): Promise<unknown[]> {
  const ends: unknown[] = [];
  for (const task of tasks) ends.push(ending((await ask(product, ["wait", task.document.task.id])).run));
  return ends;
}

test.each([
  ["parallel", "b", "Waits for a slot: at most 1 at once"],
  ["per_repository", "b", "Waits for a slot: at most 1 in this repository"],
  ["per_login", "a", "Waits for a slot: at most 1 with this login"],
] as const)(
  "a run that waits for `limits.%s` says so, and begins as soon as the configuration allows it",
  async (name, agent, said) => {
    await product.configure({ limits: { ...NO_LIMITS, [name]: 1 } });
    await using barrier = gate(product, name);
    const first = await run(`${barrier.wait}; echo one > one.txt`, "--agent", "a");
    await barrier.reached();
    const second = await run("echo two > two.txt", "--agent", agent);
    const queued = await waiting(second, name);
    expect([queued.waits_for, queued.status, queued.phase]).toEqual([
      { reason: name, limit: 1, until: null },
      "PENDING",
      "queued",
    ]);
    expect(await words(queued)).toContain(said);
    await product.configure({ limits: NO_LIMITS });
    expect(await endings(second)).toEqual([PUSHED]);
    expect((await latest(first)).phase).toBe("agent");
    await barrier.open();
    expect(await endings(first)).toEqual([PUSHED]);
    expect((await latest(second)).waits_for).toBeNull();
  },
);

test(deep("a limit that the repository's own configuration raises holds at once, too"), async () => {
  await product.configure({ limits: { ...NO_LIMITS, per_repository: 1 } });
  await using barrier = gate(product, "own");
  const first = await run(`${barrier.wait}; echo one > one.txt`, "--agent", "a");
  await barrier.reached();
  const second = await run("echo two > two.txt", "--agent", "b");
  await waiting(second, "per_repository");
  const file = join(product.repository, ".tazuna", "config.local.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ limits: { per_repository: 2 } }));
  expect(await endings(second)).toEqual([PUSHED]);
  await writeFile(file, "{}");
  await product.configure({ limits: NO_LIMITS });
  await barrier.open();
  expect(await endings(first)).toEqual([PUSHED]);
});

test("a follow-up waits for the run before it, and says so", async () => {
  await using barrier = gate(product, "follow-up");
  const first = await run(`${barrier.wait}; echo one > one.txt`, "--agent", "a");
  await barrier.reached();
  await ask(product, ["continue", first.attempt.id, "echo two > two.txt", "--detach"]);
  expect(await words(await waiting(first, "attempt"))).toContain("Waits for the run before it");
  await barrier.open();
  expect(await endings(first)).toEqual([PUSHED]);
});

test("runs in a clone and in a linked worktree of it share its limit", async () => {
  await product.configure({ limits: { ...NO_LIMITS, per_repository: 1 } });
  const linked = join(dirname(product.repository), "linked");
  await product.sandbox.git(product.repository, ["worktree", "add", "--quiet", "-b", "side", linked]);
  await using barrier = gate(product, "linked");
  const first = await run(`${barrier.wait}; echo one > one.txt`, "--agent", "a");
  await barrier.reached();
  const second = await run("echo two > two.txt", "--agent", "b", "--repo", linked, "--base", "main");
  expect(second.document.task.repository.path).toBe(linked);
  await waiting(second, "per_repository");
  await barrier.open();
  expect(await endings(first, second)).toEqual([PUSHED, PUSHED]);
  await product.configure({ limits: NO_LIMITS });
});

test(deep("a run whose login is rate limited says until when"), async () => {
  await using other = await startProduct({ timing: { backoffMs: [3_600_000] } });
  await replayedClaude(other, "claude", [
    { before: "echo begun > begun.txt", stream: "error-429.jsonl", code: 1 },
  ]);
  const limited = await ask(other, ["run", "Say hello", "--agent", "claude", "--detach"]);
  const now = async (end: TaskEnd) => (await ask(other, ["show", end.document.task.id])).run;
  await waitFor("the limit", async () => (await now(limited)).phase === "waiting", PATIENT);
  const second = await ask(other, ["run", "Say more", "--agent", "claude", "--detach"]);
  const waits = await waitFor("its reason", async () => (await now(second)).waits_for, PATIENT);
  const { resume_at: until } = await now(limited);
  expect(waits).toEqual({ reason: "login", limit: null, until });
  expect((await other.tazuna(["list"])).stdout).toContain(
    `Waits for its login, rate limited until ${until?.slice(11, 16)} UTC`,
  );
});
