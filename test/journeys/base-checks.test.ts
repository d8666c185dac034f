/** Asks why a check is red: runs it on the attempt's base, in a copy of its own that goes away afterwards. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { http } from "../helpers/http.ts";
import { ask, gate, PATIENCE_MS, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Check {
  readonly name: string;
  readonly last: Readonly<Record<string, unknown>> | null;
  readonly base: Readonly<Record<string, unknown>> | null;
  readonly base_running: boolean;
}

interface Checks {
  readonly items: readonly Check[];
  readonly base_sha: string;
}

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.sandbox.commit(product.repository, { "broken.txt": "x\n", "secret/kept.txt": "y\n" }, "Base");
  await product.sandbox.git(product.repository, ["push", "--quiet", "origin", "main"]);
  await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
});

afterAll(() => product[Symbol.asyncDispose]());

const read = async (attempt: string) => (await http<Checks>(product, `GET /attempts/${attempt}/checks`)).body;
const ended = (attempt: string, name: string) =>
  waitFor("the check on the base to end", async () => {
    const check = (await read(attempt)).items.find((each) => each.name === name);
    return check?.base_running === false && check.base !== null && check;
  });
const post = (attempt: string, body: object) =>
  http<Checks & { code?: string }>(product, `POST /attempts/${attempt}/checks/base`, body);

test(deep("a check runs on the base once, confined and beside everything of the person"), async () => {
  const ran = join(product.home, "..", "ran");
  await product.configure({
    setup: ["echo ready > ready.txt"],
    checks: [
      {
        name: "whole",
        run: `cat ready.txt && git rev-parse HEAD && echo at "$PWD" && echo "held: $TAZUNA_SANDBOX" && ! test -e broken.txt`,
        required: false,
      },
      { name: "other", run: "true" },
    ],
  });
  const { attempt } = await ask(product, ["run", "rm broken.txt", "--agent", "doer"]);
  const { id } = attempt;
  const base = attempt.base?.sha ?? "";
  const before = await read(id);
  expect(before.base_sha).toBe(base);
  expect(before.items).toMatchObject([
    { name: "whole", last: { outcome: "passed", exit_code: 0 }, base: null, base_running: false },
    { name: "other", last: { outcome: "passed" }, base: null },
  ]);
  const person = await usersSide(product, { ours: [attempt.branch] });
  const worktrees = await product.sandbox.git(product.repository, ["worktree", "list"]);
  const begun = await post(id, { name: "whole" });
  expect(begun.body.items[0]).toMatchObject({ name: "whole", base: null, base_running: true });
  const { base: result } = await ended(id, "whole");
  expect(result).toMatchObject({ sha: base, outcome: "failed", exit_code: 1 });
  const [ready, head, at, held] = String(result?.output).trim().split("\n");
  const inAttempt = String(before.items[0]?.last?.output).trim().split("\n");
  expect([ready, head, held]).toEqual(["ready", base, inAttempt[3]]);
  expect(at).not.toContain(attempt.worktree);
  expect(await usersSide(product, { ours: [attempt.branch] })).toEqual(person);
  expect(await product.sandbox.git(product.repository, ["worktree", "list"])).toBe(worktrees);
  await waitFor("its files to be gone", async () => {
    const left = await readdir(join(product.home, "scratch")).catch(() => []);
    return left.every((name) => !name.startsWith("base-"));
  });

  // It is known now, for other attempts at that base too, and by this definition alone.
  const other = await ask(product, ["run", "true", "--agent", "doer"]);
  const known = await post(other.attempt.id, { name: "whole" });
  expect(known.body.items[0]).toMatchObject({ base: { at: result?.at }, base_running: false });
  await post(id, { name: "whole", again: true });
  const anew = await waitFor("another result", async () => {
    const check = await ended(id, "whole");
    return check.base?.at !== result?.at && check;
  });
  expect(anew.base).toMatchObject({ outcome: "failed" });
  await product.configure({ setup: [], checks: [{ name: "whole", run: `touch '${ran}'; false` }] });
  expect((await read(id)).items).toMatchObject([{ name: "whole", base: null }, { name: "other" }]);

  const unknown = await post(id, { name: "nothing" });
  expect([unknown.status, unknown.body.code]).toEqual([400, "unknown_check"]);
  expect((await post("x", { name: "whole" })).status).toBe(404);
});

test(deep("a check whose files cannot be made on the base says so, and can be asked for again"), async () => {
  await product.configure({ setup: [], checks: [{ name: "quick", run: "true" }] });
  const { attempt } = await ask(product, ["run", "echo x > y.txt", "--agent", "doer"]);
  const scratch = join(product.home, "scratch");
  await rm(scratch, { recursive: true, force: true });
  await writeFile(scratch, "not a folder");
  await post(attempt.id, { name: "quick" });
  expect((await ended(attempt.id, "quick")).base).toMatchObject({
    outcome: "not_run",
    output: expect.stringContaining("scratch"),
  });
  await rm(scratch);
  await post(attempt.id, { name: "quick" });
  await waitFor("the check to pass", async () => {
    const { base } = await ended(attempt.id, "quick");
    return base?.outcome === "passed";
  });
});

test(deep("a check on the base goes with an engine that is killed, once the next one starts"), async () => {
  const pids = join(product.home, "..", "pids");
  const run = `sleep 600 & echo $! $$ > '${pids}'; wait`;
  await product.configure({ setup: [], checks: [] });
  const { attempt } = await ask(product, ["run", "echo x > z.txt", "--agent", "doer"]);
  await product.configure({ checks: [{ name: "long", run }] });
  await post(attempt.id, { name: "long" });
  await waitFor("the check to run", async () =>
    (await readFile(pids, "utf8").catch(() => "")).endsWith("\n"),
  );
  const started = (await readFile(pids, "utf8")).trim().split(" ").map(Number);
  await product.killEngine();
  await product.tazuna(["list"]);
  await waitFor("its processes to be gone", () => !started.some(isRunning));
  const left = await readdir(join(product.home, "scratch")).catch(() => [] as string[]);
  expect(left.filter((name) => name.startsWith("base-"))).toEqual([]);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test(
  deep("a setup that fails is told, scripts need trust, and a stopped engine leaves nothing"),
  async () => {
    await using barrier = gate(product, "base");
    await product.configure({ setup: [], checks: [{ name: "slow", run: "test -e broken.txt" }] });
    const { attempt } = await ask(product, ["run", "echo x > x.txt", "--agent", "doer"]);
    const { id } = attempt;
    await product.configure({ setup: ["echo no; exit 3"] });
    await post(id, { name: "slow" });
    expect((await ended(id, "slow")).base).toMatchObject({
      outcome: "not_run",
      output: expect.stringContaining("no"),
    });

    await product.configure({ setup: [], checks: [{ name: "slow", run: `${barrier.wait}` }] });
    await post(id, { name: "slow" });
    expect((await read(id)).items[0]).toMatchObject({ base_running: true });
    const engine = (await product.enginePid()) ?? 0;
    process.kill(engine, "SIGTERM");
    await waitFor("the engine to be gone", async () => (await product.enginePid()) !== engine);
    await product.tazuna(["list"]);
    expect((await read(id)).items[0]).toMatchObject({ base: null, base_running: false });
    expect(await readdir(join(product.home, "scratch")).catch(() => [])).toEqual([]);

    await mkdir(join(product.repository, ".tazuna"), { recursive: true });
    await writeFile(
      join(product.repository, ".tazuna", "config.json"),
      JSON.stringify({ checks: [{ name: "mine", run: "true" }] }),
    );
    await product.configure({ checks: undefined });
    const untrusted = await post(id, { name: "mine" });
    expect(untrusted.body.code).toBe("scripts_not_trusted");
  },
);
