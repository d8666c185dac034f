import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PAST_THE_GUARD, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test(
  deep(
    "what an agent committed before its turn failed is taken back, and never reaches the remote past the gate",
  ),
  async () => {
    await using product = await startProduct();
    const flag = join(product.sandbox.home, "second");
    await product.agent(
      "hasty",
      `${PAST_THE_GUARD} echo more >> good.txt
if [ ! -e "${flag}" ]; then touch "${flag}"; echo SECRET=1 > .env; git add -f .env good.txt; git commit -q -m mine; exit 1; fi`,
    );
    const first = await product.tazuna(["run", "Work", "--agent", "hasty", "--json"]);
    const attempt = first.json().attempts[0];
    expect(attempt?.runs[0]).toMatchObject({ status: "FAILED", failure: { code: "agent_failed" } });
    expect(attempt?.runs[0]?.notes.map((note) => note.code)).toEqual(["agent_commit_undone"]);
    expect(await product.sandbox.git(attempt?.worktree ?? "", ["rev-parse", "HEAD"])).toBe(
      attempt?.base.sha ?? "",
    );
    const second = await product.tazuna(["continue", attempt?.id ?? "", "Go on", "--json"]);
    expect(second.json().attempts[0]?.runs.at(-1)).toMatchObject({ outcome: "pushed" });
    const files = await product.sandbox.git(product.origin, [
      "ls-tree",
      "-r",
      "--name-only",
      attempt?.branch ?? "",
    ]);
    expect(files.split("\n")).toEqual([".gitignore", "README.md", "good.txt"]);
    const commits = await product.sandbox.git(product.origin, [
      "rev-list",
      "--count",
      `main..${attempt?.branch}`,
    ]);
    expect(commits).toBe("1");
  },
);

test("an agent that stood on another branch when its turn was stopped stands on its own again", async () => {
  await using product = await startProduct();
  await product.agent("wanderer", `${PAST_THE_GUARD} git checkout -q -b mine; echo x > x.txt; exit 3`);
  const end = await product.tazuna(["run", "Work", "--agent", "wanderer", "--json"]);
  const attempt = end.json().attempts[0];
  expect(await product.sandbox.git(attempt?.worktree ?? "", ["symbolic-ref", "--short", "HEAD"])).toBe(
    attempt?.branch ?? "",
  );
  expect(attempt?.runs[0]?.notes.map((note) => note.code).sort()).toEqual([
    "agent_commit_undone",
    "foreign_ref_moved",
  ]);
});

test("a check that changed while the agent worked is not run before a person trusted it", async () => {
  await using product = await startProduct();
  const trace = join(product.sandbox.home, "trace");
  const file = join(product.repository, ".tazuna", "config.json");
  const withCheck = (run: string) => JSON.stringify({ checks: [{ name: "test", run }] });
  await mkdir(join(product.repository, ".tazuna"));
  await writeFile(file, withCheck("true"));
  const replaced = withCheck(`touch ${trace}`).replaceAll('"', '\\"');
  await product.agent("slow", `echo x > x.txt; printf '%s' "${replaced}" > '${file}'`);
  const end = await product.tazuna(["run", "Work", "--agent", "slow", "--trust", "--json"]);
  expect(end.json().attempts[0]?.runs[0]).toMatchObject({
    status: "FAILED",
    commit: null,
    failure: { code: "setup_failed" },
  });
  expect(await Bun.file(trace).exists()).toBe(false);
});

test(
  deep("a retry goes before the follow-ups that were held, and they begin after its success"),
  async () => {
    await using product = await startProduct();
    const log = join(product.sandbox.home, "order");
    const flag = join(product.sandbox.home, "again");
    await product.agent(
      "flaky",
      `echo "$TAZUNA_INSTRUCTION" >> "${log}"; echo x >> x.txt
if [ ! -e "${flag}" ]; then while [ ! -e "${flag}.go" ]; do sleep 0.1; done; touch "${flag}"; exit 1; fi`,
    );
    const detached = await product.tazuna(["run", "first", "--agent", "flaky", "--detach", "--json"]);
    const attempt = detached.json().attempts[0];
    await product.tazuna(["continue", attempt?.id ?? "", "tests for it", "--detach"]);
    await writeFile(`${flag}.go`, "");
    await product.tazuna(["wait", attempt?.runs[0]?.id ?? ""]);
    await product.tazuna(["retry", attempt?.runs[0]?.id ?? "", "--json"]);
    const lines = async () => (await Bun.file(log).text()).trim().split("\n");
    await waitFor("the follow-up to begin", async () => (await lines()).length === 3);
    expect(await lines()).toEqual(["first", "first", "tests for it"]);
  },
);

test("--from-worktree cannot be joined with --base or --branch", async () => {
  await using product = await startProduct();
  await product.agent("writer", "echo x > x.txt");
  for (const other of [
    ["--base", "main"],
    ["--branch", "main"],
  ]) {
    const end = await product.tazuna(["run", "Work", "--agent", "writer", "--from-worktree", ...other]);
    expect([end.code, end.stderr.includes("--from-worktree")]).toEqual([2, true]);
  }
});

test("the values of an agent's variables are not shown or stored, their names are", async () => {
  await using product = await startProduct();
  await mkdir(join(product.repository, ".tazuna"));
  await writeFile(
    join(product.repository, ".tazuna", "config.json"),
    JSON.stringify({
      agents: { keyed: { executor: "command", command: ["true"], env: { MY_API_KEY: "sk-very-secret" } } },
    }),
  );
  const end = await product.tazuna(["run", "Work", "--agent", "keyed", "--json"]);
  expect(end.code).toBe(3);
  expect(end.stdout).toContain("MY_API_KEY=…");
  await product.tazuna(["run", "Work", "--agent", "keyed", "--trust"]);
  const stored = await Bun.$`grep -rlaF sk-very-secret ${product.home}`.nothrow().text();
  expect(stored).toBe("");
});
