/** Shows what takes room, with the verdict that `clean` gives, and puts several attempts away at once. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HttpApi, httpApi } from "../helpers/http-api.ts";
import { ask, exists, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

interface Item {
  readonly attempt: string | null;
  readonly verdict: string | null;
  readonly reason: string | null;
  readonly bytes: number | null;
  readonly dirty: boolean | null;
  readonly unpushed: boolean | null;
  readonly path: string;
}

/** After a scan that began now. */
async function scanned(api: HttpApi) {
  const before = (await api.json("/storage")).scanned_at;
  await api.json("/storage/scan", { method: "POST", body: {} });
  return waitFor("a new scan", async () => {
    const list = await api.json("/storage");
    return list.scanned_at !== before && !list.scanning ? list : null;
  });
}

test(deep("every worktree has its size, and the verdict and words of `clean`"), async () => {
  await using product = await startProduct();
  const barrier = gate(product, "storage");
  await product.agent("done", "head -c 50000 /dev/zero | tr '\\0' x > new.txt; echo Done.");
  await product.agent("slow", `${barrier.wait}; echo x > x.txt`);
  const [pushed, edited] = (await ask(product, ["run", "Change it", "--agent", "done", "--agent", "done"]))
    .attempts;
  await writeFile(join(edited?.worktree ?? "", "mine.txt"), "mine\n");
  const slow = await ask(product, ["run", "Wait", "--agent", "slow", "--detach"]);
  await barrier.reached();
  await mkdir(join(product.home, "worktrees", "not-ours"));
  const api = await httpApi(product);
  const first = await api.json("/storage");
  expect([first.items.length, first.totals.free > 0]).toEqual([3, true]);

  const { items, totals } = (await scanned(api)) as {
    items: readonly Item[];
    totals: Record<string, number>;
  };
  const of = (id: string | undefined) => items.find(({ attempt }) => attempt === id);
  expect(of(pushed?.id)).toMatchObject({ verdict: "may_go", dirty: false, unpushed: false });
  expect(of(pushed?.id)?.bytes).toBeGreaterThan(50_000);
  expect(of(edited?.id)).toMatchObject({ verdict: "kept", dirty: true, unpushed: false });
  expect(of(slow.attempt.id)).toMatchObject({ verdict: "working", reason: "A run goes on.", dirty: null });
  expect(items.find(({ verdict }) => verdict === "not_ours")?.path).toBe(
    join(product.home, "worktrees", "not-ours"),
  );
  expect(totals.worktrees).toBeGreaterThan(100_000);
  expect(totals.database).toBeGreaterThan(0);
  expect(totals.logs).toBeGreaterThan(0);

  // A log that was deleted is listed no more, also before the next scan.
  const run = pushed?.runs[0]?.id ?? "";
  const logsNow = async () =>
    (await api.json("/storage/logs")).items.map((each: { run: string }) => each.run);
  expect(await logsNow()).toContain(run);
  /** Also if it was read before. */
  const printed = async () =>
    (await api.json(`/runs/${run}/events`)).lines.filter(
      (line: { source: string }) => line.source !== "tazuna",
    );
  expect(await printed()).not.toEqual([]);
  const remove = () => api.json("/storage/logs/remove", { method: "POST", body: { runs: [run] } });
  expect(await remove()).toEqual({ removed: [{ run, bytes: expect.any(Number) }], kept: [] });
  expect(await logsNow()).not.toContain(run);
  expect(await printed()).toEqual([]);
  expect(await remove()).toEqual({ removed: [], kept: [{ run, reason: "There is no log any more." }] });
  expect((await product.tazuna(["logs", run])).stdout).toContain("What the agent printed was deleted.");

  // One judge: `clean` says the same of each.
  const cleaned = (await product.tazuna(["clean", "--json"])).json<{
    removed: readonly { id: string; why: string }[];
    kept: readonly { id: string; reason: string }[];
  }>();
  const words = new Map([
    ...cleaned.removed.map(({ id, why }) => [id, why] as const),
    ...cleaned.kept.map(({ id, reason }) => [id, reason] as const),
  ]);
  for (const { attempt, reason } of items)
    if (attempt !== null) expect(reason).toBe(words.get(attempt) ?? "");

  // A run since the scan counts, without another scan.
  await ask(product, ["continue", pushed?.id ?? "", "Once more", "--detach"]);
  const later = (await api.json("/storage")).items as readonly Item[];
  expect(later.find(({ attempt }) => attempt === pushed?.id)?.verdict).toBe("working");
  // What it left is not known before the next scan.
  await product.tazuna(["wait", pushed?.id ?? ""]);
  const ended = (await api.json("/storage")).items as readonly Item[];
  expect(ended.find(({ attempt }) => attempt === pushed?.id)).toMatchObject({
    verdict: "kept",
    reason: "A run worked in it since it was measured.",
    dirty: null,
    unpushed: null,
  });
  const again = (await scanned(api)).items as readonly Item[];
  expect(again.find(({ attempt }) => attempt === pushed?.id)).toMatchObject({
    dirty: false,
    unpushed: false,
  });
  await barrier.open();
});

test(
  deep("several attempts go into the trash by one act; each says until when it stays, and comes back"),
  async () => {
    await using product = await startProduct();
    await product.agent("done", "echo new > new.txt");
    const { attempts } = await ask(product, [
      "run",
      "Change it",
      "--agent",
      "done",
      "--agent",
      "done",
      "--agent",
      "done",
    ]);
    const [one = "", two = "", three = ""] = attempts.map(({ id }) => id);
    const api = await httpApi(product);
    const both = { id: one, ids: [two], yes: true };
    expect((await api.call("/clean", { method: "POST", body: both })).status).toBe(400);
    const cleaned = await api.json("/clean", { method: "POST", body: { ids: [one, two], yes: true } });
    expect(cleaned.removed.map(({ id }: { id: string }) => id).sort()).toEqual([one, two].sort());
    const trash = (await api.json("/trash")).items;
    expect(trash.length).toBe(2);
    for (const { deleted_at, purge_at, snapshot_stays } of trash)
      expect([Date.parse(purge_at) - Date.parse(deleted_at), snapshot_stays]).toEqual([
        14 * 24 * 3_600_000,
        true,
      ]);
    expect((await api.json("/storage")).items.map(({ attempt }: Item) => attempt)).toEqual([three]);
    const { items } = await api.json("/operations?limit=50");
    for (const id of [one, two]) {
      const operation = items.find(
        (each: { kind: string; subject: { id: string } }) => each.kind === "trash" && each.subject.id === id,
      );
      expect((await api.call(`/operations/${operation.id}/undo`, { method: "POST", body: {} })).status).toBe(
        200,
      );
    }
    for (const { worktree } of attempts) expect(await exists(join(worktree, "new.txt"))).toBe(true);
  },
);
