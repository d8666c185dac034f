/** Fills in the form of a new task over HTTP: its draft, what it would do, branches, files and a fetch. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { httpApi } from "../helpers/http-api.ts";
import { ask, gate, PATIENCE_MS, usersSide } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** A colleague pushes a commit to the remote's `main`. */
async function push(product: Product): Promise<void> {
  const clone = join(product.home, "..", "colleague");
  await product.sandbox.git(product.repository, ["clone", "--quiet", product.origin, clone]);
  await mkdir(join(clone, "src"), { recursive: true });
  await writeFile(join(clone, "src", "greet.ts"), "export {};\n");
  await product.sandbox.git(clone, ["add", "-A"]);
  await product.sandbox.git(clone, ["commit", "--quiet", "-m", "More"]);
  await product.sandbox.git(clone, ["push", "--quiet", "origin", "main"]);
}

test("a draft is kept over a restart, and refused if it is no form", async () => {
  await using product = await startProduct();
  await product.tazuna(["engine", "restart"]);
  const api = await httpApi(product);
  expect(await api.json("/drafts/task")).toEqual({ draft: null, updated_at: null });
  const body = { draft: { issue: "Half a sen", agents: [{ id: "claude-code" }], repository: "/r" } };
  const kept = await api.json("/drafts/task", { method: "PUT", body });
  expect(kept.draft).toMatchObject({
    issue: "Half a sen",
    context: "",
    agents: [{ id: "claude-code", model: null }],
  });
  const refused = await api.call("/drafts/task", { method: "PUT", body: { draft: { isue: "x" } } });
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    400,
    expect.stringContaining("isue"),
  ]);
  await product.tazuna(["engine", "restart"]);
  const later = await httpApi(product);
  expect(await later.json("/drafts/task")).toEqual(kept);
  await later.json("/drafts/task", { method: "PUT", body: { draft: null } });
  expect((await later.json("/drafts/task")).draft).toBeNull();
});

test(deep("a preview says base, slots, cost and trust, makes nothing, and is quick"), async () => {
  await using product = await startProduct({ env: { ANTHROPIC_API_KEY: "key-of-the-test" } });
  const barrier = gate(product, "preview");
  await product.agent("slow", `${barrier.wait}; echo x > x.txt`);
  await product.agent("gone", "true", { command: ["/nowhere/agent"] });
  await replayedClaude(product, "claude", [{ stream: "success-edit.jsonl", before: "date +%N > new.txt" }]);
  await product.configure({ limits: { parallel: 2 } });
  for (let i = 0; i < 5; i += 1) await ask(product, ["run", `Change ${i}`, "--agent", "claude"]);
  await ask(product, ["run", "Wait", "--agent", "slow", "--detach"]);
  await barrier.reached();
  await push(product);
  await mkdir(join(product.repository, ".tazuna"));
  await writeFile(join(product.repository, ".tazuna", "config.json"), JSON.stringify({ setup: ["true"] }));
  const before = await usersSide(product);
  const api = await httpApi(product);
  const tasks = (await api.json("/tasks?all=true")).items.length;
  const preview = (agents: readonly string[]) =>
    api.json("/tasks/preview", { method: "POST", body: { repository: product.repository, agents } });
  const first = await preview(["claude", "claude", "gone"]);
  expect(first).toEqual({
    repository: { id: expect.any(String), name: "project", path: product.repository },
    base: {
      name: "origin/main",
      sha: await product.sandbox.git(product.repository, ["rev-parse", "origin/main"]),
      fetched_at: expect.any(String),
      checkout: { ahead: 0, behind: 0 },
    },
    base_problem: null,
    worker: null,
    attempts: [
      expect.objectContaining({ agent: "claude", ready: true, starts: "now", waits_for: null }),
      expect.objectContaining({
        agent: "claude",
        starts: "queued",
        waits_for: expect.objectContaining({ reason: "parallel", limit: 2 }),
      }),
      expect.objectContaining({ agent: "gone", ready: false, estimate: null, reason: expect.any(String) }),
    ],
    scripts: { untrusted: 1 },
    disk: { need_bytes: null, free_bytes: expect.any(Number), floor_bytes: expect.any(Number) },
    open_attempts: 6,
    // The newest first; the one that waits has changed nothing yet.
    changing: [4, 3, 2, 1, 0].map((number) =>
      expect.objectContaining({ title: `Change ${number}`, files: 1, paths: ["new.txt"] }),
    ),
  });
  const { estimate } = first.attempts[0];
  expect([estimate.runs, estimate.low_usd > 0, estimate.low_usd <= estimate.high_usd]).toEqual([
    5,
    true,
    true,
  ]);

  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const at = performance.now();
    await preview(["claude"]);
    times.push(performance.now() - at);
  }
  expect(Math.min(...times)).toBeLessThan(300);
  expect((await api.json("/tasks?all=true")).items.length).toBe(tasks);
  expect(await usersSide(product)).toEqual(before);

  // What the remote has is seen after a fetch.
  const { id } = first.repository;
  expect((await api.json(`/repositories/${id}/files?query=gree`)).items).toEqual([]);
  const fetched = await api.json(`/repositories/${id}/fetch`, { method: "POST", body: {} });
  expect(Date.parse(fetched.fetched_at)).toBeGreaterThan(0);
  expect((await preview(["claude"])).base.checkout).toEqual({ ahead: 0, behind: 1 });
  expect((await api.json(`/repositories/${id}/files?query=gree`)).items).toEqual([{ path: "src/greet.ts" }]);
  const { items: branches } = await api.json(`/repositories/${id}/branches?query=main`);
  expect(branches.map(({ name, remote }: { name: string; remote: boolean }) => [name, remote])).toEqual(
    expect.arrayContaining([
      ["origin/main", true],
      ["main", false],
    ]),
  );
  await barrier.open();
});

test(
  deep("a folder that is not known is previewed, and stays unknown; a base that is missing is told"),
  async () => {
    await using product = await startProduct({ remote: false });
    await product.agent("agent", "true");
    await product.tazuna(["engine", "restart"]);
    const api = await httpApi(product);
    const body = { repository: product.repository, agents: ["agent"], base: "nothing-alike" };
    const answer = await api.json("/tasks/preview", { method: "POST", body });
    expect([answer.repository.id, answer.base, answer.base_problem]).toEqual([
      null,
      null,
      expect.stringContaining("nothing-alike"),
    ]);
    expect((await api.json("/repositories")).items).toEqual([]);
  },
);
