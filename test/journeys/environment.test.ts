/** What the environment of a command sets holds for what that command asks for, with any engine. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gitHttpServer } from "../helpers/git-http-server.ts";
import { ask, ending, gate, PATIENCE_MS, refused, taskEnd } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const COMMITTED = { status: "SUCCEEDED", outcome: "committed" } as const;
const PUSHED = { status: "SUCCEEDED", outcome: "pushed" } as const;
const COMMIT = { env: { TAZUNA_PUBLISH: "commit" } } as const;

type Config = Readonly<Record<string, { readonly value: unknown; readonly source: string }>>;

/** A product whose engine runs already, started by a shell that sets nothing. */
async function runningProduct(): Promise<Product> {
  const product = await startProduct();
  await product.agent("agent", 'echo "$TAZUNA_RUN" >> new.txt; echo Done.');
  await product.tazuna(["list"]);
  return product;
}

const run = ["run", "Change it", "--agent", "agent"];

test(
  deep("a variable of the shell holds over every file though the engine runs already, and a flag over it"),
  async () => {
    await using product = await runningProduct();
    await product.configure({ publish: "hold", branch: "filed/{id8}" });
    await product.sandbox.commitTo(product.origin, "dev", { "dev.txt": "dev\n" });
    await product.sandbox.commitTo(product.origin, "next", { "next.txt": "next\n" });
    const env = { TAZUNA_PUBLISH: "push", TAZUNA_BRANCH: "mine/{id8}", TAZUNA_BASE: "dev" };

    const byVariable = await ask(product, run, { env });
    const byFlag = await ask(product, [...run, "--base", "next"], { env });

    expect([ending(byVariable.run), ending(byFlag.run)]).toEqual([PUSHED, PUSHED]);
    expect([byVariable.attempt.base.branch, byFlag.attempt.base.branch]).toEqual(["dev", "next"]);
    expect(byVariable.attempt.branch).toBe(`mine/${byVariable.run.id.slice(0, 8)}`);
  },
);

test(
  deep(
    "what the environment set for a task holds for its later runs from other shells, unless they set it too",
  ),
  async () => {
    await using product = await runningProduct();
    const { attempt, ...first } = await ask(product, run, COMMIT);
    const later = await ask(product, ["continue", attempt.id, "Once more"]);
    const pushes = await ask(product, ["continue", attempt.id, "And out"], {
      env: { TAZUNA_PUBLISH: "push" },
    });
    const last = await ask(product, ["continue", attempt.id, "Again"]);
    expect([first, later, pushes, last].map((end) => ending(end.run))).toEqual([
      COMMITTED,
      COMMITTED,
      PUSHED,
      COMMITTED,
    ]);
  },
);

test(deep("a retry keeps what the environment set for the run that it tries again"), async () => {
  await using product = await runningProduct();
  const { attempt } = await ask(product, run);
  const env = { TAZUNA_GATE_MAX_FILE_MIB: "0.001" };
  await product.agent("agent", "head -c 4096 /dev/zero | tr '\\0' a > big.txt; echo Done.");
  const refusedRun = await ask(product, ["continue", attempt.id, "Make it big"], { env });
  const retried = await ask(product, ["retry", refusedRun.run.id]);
  const plain = await ask(product, ["continue", attempt.id, "Make it big"]);
  expect([refusedRun, retried, plain].map((end) => ending(end.run).failure ?? end.run.outcome)).toEqual([
    "gate_rejected",
    "gate_rejected",
    "pushed",
  ]);
});

test(deep("the time that git gets is the shell's own too"), async () => {
  await using product = await runningProduct();
  await using silent = await gitHttpServer(dirname(product.origin));
  await product.sandbox.git(product.repository, ["remote", "set-url", "origin", silent.url("origin.git")]);
  silent.behave({ hang: true });
  const { run: given } = await ask(product, run, { env: { TAZUNA_LIMITS_GIT_S: "5" } });
  expect(given.failure).toMatchObject({
    code: "fetch_failed",
    message: expect.stringContaining("longer than 5 s"),
  });
});

test(
  deep("an engine that recovers a run in another environment goes on with what was set for it"),
  async () => {
    await using product = await runningProduct();
    await using door = gate(product, "agent");
    await product.agent("agent", `${door.wait}; head -c 4096 /dev/zero | tr '\\0' a > big.txt; echo Done.`);
    const env = { TAZUNA_GATE_MAX_FILE_MIB: "0.001" };
    const started = await ask(product, [...run, "--detach"], { env });
    await door.reached();
    await product.killEngine();
    await product.tazuna(["list"]);
    await door.open();
    const end = await ask(product, ["wait", started.document.task.id]);
    expect(ending(end.run)).toMatchObject({ failure: "gate_rejected" });
  },
);

test(deep("the engine that a command starts does not keep that command's settings for others"), async () => {
  await using product = await startProduct();
  await product.agent("agent", "echo new > new.txt; echo Done.");
  const first = await ask(product, run, COMMIT);
  const second = await ask(product, run);
  expect([ending(first.run), ending(second.run)]).toEqual([COMMITTED, PUSHED]);
});

test(deep("an engine in the foreground does not give its shell's settings to others either"), async () => {
  await using product = await startProduct();
  await using door = gate(product, "agent");
  await product.agent("slow", `${door.wait}; echo slow > slow.txt; echo Done.`);
  await product.agent("agent", "echo new > new.txt; echo Done.");
  const first = product.start(["run", "Change it", "--agent", "slow", "--foreground", "--json"], COMMIT);
  await door.reached();
  const second = await ask(product, run);
  await door.open();
  expect([taskEnd(await first.end), second].map((end) => ending(end.run))).toEqual([COMMITTED, PUSHED]);
});

test(deep("what a served engine was started with holds for commands that set nothing else"), async () => {
  await using product = await startProduct();
  await product.agent("agent", "echo new > new.txt; echo Done.");
  const serving = product.start(["serve", "--port", "0"], COMMIT);
  // Else the next command may be the first to start an engine.
  await waitFor("the served engine", () => product.enginePid());
  const first = await ask(product, run);
  const second = await ask(product, run, { env: { TAZUNA_PUBLISH: "push" } });
  serving.kill("SIGTERM");
  await serving.end;
  expect([ending(first.run), ending(second.run)]).toEqual([COMMITTED, PUSHED]);
});

test("config shows what the shell sets, with the variable as its source, and only to that shell", async () => {
  await using product = await runningProduct();
  const env = { TAZUNA_LIMITS_TIMEOUT_S: "77" };
  const here = (await product.tazuna(["config", "--json"], { env })).json<Config>();
  const elsewhere = (await product.tazuna(["config", "--json"])).json<Config>();
  expect(here["limits.timeout_s"]).toEqual({ value: 77, source: "TAZUNA_LIMITS_TIMEOUT_S" });
  expect(elsewhere["limits.timeout_s"]).toEqual({ value: 3600, source: "default" });
});

test("a variable that says nothing useful is refused by its name, also if the engine runs already", async () => {
  await using product = await runningProduct();
  const env = { TAZUNA_LIMITS_TIMEOUT_S: "soon" };
  const answer = await refused(product, run, { env });
  expect(answer).toMatchObject({ code: 2, error: { code: "bad_configuration" } });
  expect(answer.error.message).toContain("TAZUNA_LIMITS_TIMEOUT_S");
});

test("a variable that the running engine cannot follow is said in one line, without its value", async () => {
  await using product = await startProduct();
  await product.agent("agent", "echo new > new.txt; echo Done.");
  const env = { TAZUNA_LIMITS_PARALLEL: "3", TAZUNA_FORGE_API_URL: "https://user:secret@forge.example" };
  const started = await product.tazuna(["config", "--json"], { env });
  const other = { env: { ...env, TAZUNA_LIMITS_PARALLEL: "4" } };
  const differs = [
    await product.tazuna(["config", "--json"], other),
    await product.tazuna([...run, "--detach", "--json"], other),
  ];
  expect(started).toMatchObject({ code: 0, stderr: "" });
  for (const end of differs) {
    const said = end.stderr.split("\n").filter((line) => line.startsWith("Not followed"));
    expect(said).toEqual([expect.stringMatching(/^Not followed: TAZUNA_LIMITS_PARALLEL \(/)]);
    expect({ code: end.code, tells: end.stderr.includes("secret") }).toEqual({ code: 0, tells: false });
  }
  expect(differs[0]?.json<Config>()["limits.parallel"]).toEqual({
    value: 3,
    source: "TAZUNA_LIMITS_PARALLEL",
  });
  await product.tazuna(["wait", differs[1]?.json().task.id ?? ""]);
});

test(deep("what the environment sets beside those settings is not stored"), async () => {
  await using product = await runningProduct();
  // No name or number of Tazuna's own holds such a word. A few digits might be found in a hash.
  const secret = "never-to-be-stored";
  const env = { TAZUNA_FORGE_API_URL: `https://${secret}@forge.example`, API_KEY: secret };
  await ask(product, run, { env });
  await product.killEngine();
  const files = await readdir(product.home, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile() && !file.parentPath.includes("worktrees"))
    .map(async (file) => readFile(join(file.parentPath, file.name), "latin1"));
  expect((await Promise.all(texts)).filter((text) => text.includes(secret))).toEqual([]);
});
