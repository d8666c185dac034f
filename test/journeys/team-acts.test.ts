/** Tells what was done to a team, and who stopped a run: with the time, the name of who asked, and no secret. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TeamActDocument } from "../../src/contract/endpoints/access.ts";
import type { Actor } from "../../src/domain/actor.ts";
import { ask, PATIENCE_MS, refused, written } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { storedRows } from "../helpers/stored-rows.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { withToken } from "../helpers/with-token.ts";

setDefaultTimeout(PATIENCE_MS);

const OWNER: Actor = { kind: "owner", id: null, name: null };
const BOT: Actor = { kind: "token", id: expect.any(String), name: "ci-bot" };

const actsOf = async (product: Product) =>
  (await product.tazuna(["activity", "--team", "--json"])).json<{ acts: readonly TeamActDocument[] }>().acts;

/** What the newest fact of this kind says. */
const factOf = (product: Product, kind: string) => {
  const sql = "select data from facts where kind = $1 order by seq desc limit 1";
  const [row] = storedRows<{ data: string }>(product.home, { sql, values: [kind] });
  return JSON.parse(row?.data ?? "null");
};

test("one person sees what they did, without a name; a token is named as soon as it does anything", async () => {
  await using product = await startProduct();
  await product.agent("endless", 'echo begun > "$HOME/begun"; exec sleep 600');
  await product.tazuna(["repo", "add", product.repository]);
  const alone = await product.tazuna(["activity", "--team"]);
  expect(alone.stdout).toMatch(/^AT +ACT +OF\n\S+Z +repository added +\S+\n$/);
  expect((await refused(product, ["activity", "--team", "abc"])).error.code).toBe("bad_usage");

  const bot = await withToken(product, "ci-bot");
  await bot("/settings", { key: "limits.parallel", value: 3, repository: null }, "PATCH");
  await bot("/settings", { key: "limits.parallel", value: "many", repository: null }, "PATCH");
  const other = join(dirname(product.home), "other");
  await product.sandbox.git(dirname(other), ["clone", "--quiet", product.origin, other]);
  const { id } = await bot("/repositories", { path: other });
  // It is known already: nothing is done.
  await bot("/repositories", { path: other });
  await rename(other, `${other}-moved`);
  await bot(`/repositories/${id}/move`, { path: `${other}-moved` });
  await mkdir(join(`${other}-moved`, ".tazuna"));
  const config = JSON.stringify({ setup: ["true"] });
  await writeFile(join(`${other}-moved`, ".tazuna", "config.json"), config, { mode: 0o644 });
  await bot("/scripts/trust", { repository: id, hashes: "all" });
  await bot(`/repositories/${id}/remove`, {});
  await product.tazuna(["repo", "add", `${other}-moved`]);
  expect((await actsOf(product)).map(({ kind, name, actor }) => [kind, name, actor]).toReversed()).toEqual([
    ["repository_added", expect.any(String), OWNER],
    ["token_made", "ci-bot", OWNER],
    ["setting_changed", "limits.parallel", BOT],
    ["repository_added", "other", BOT],
    ["repository_moved", "other-moved", BOT],
    ["scripts_trusted", "other-moved", BOT],
    ["repository_removed", "other-moved", BOT],
    ["repository_added", "other-moved", OWNER],
  ]);
  const told = (await product.tazuna(["activity", "--team"])).stdout;
  expect(told).toMatch(/^AT +BY +ACT +OF\n/);
  expect(told).toMatch(/Z +token ci-bot +setting changed +limits\.parallel\n/);
  expect(told).toMatch(/Z +owner +token made +ci-bot \(admin\)\n/);
  const paged = (await product.tazuna(["activity", "--team", "--limit", "1"])).stdout;
  const [, more = ""] = /`tazuna (activity --team --limit 1 --cursor [^`]+)`/.exec(paged) ?? [];
  expect((await product.tazuna(more.split(" "))).stdout).toContain("repository removed");
});

test("who stopped a run is told, if it was not the one person there is", async () => {
  await using product = await startProduct();
  const started = join(product.home, "started");
  await product.agent("endless", `echo yes > '${started}'; exec sleep 600`);
  const first = await ask(product, ["run", "Change it", "--agent", "endless", "--detach"]);
  await written(started);
  expect((await product.tazuna(["stop", first.run.id])).code).toBe(0);
  const own = await ask(product, ["wait", first.run.id]);
  expect([own.run.status, own.run.stopped_by]).toEqual(["CANCELED", OWNER]);
  expect((await product.tazuna(["show", first.run.id])).stdout).not.toContain("Stopped by");

  const bot = await withToken(product, "ci-bot");
  const second = await ask(product, ["run", "Change it", "--agent", "endless", "--detach"]);
  const waits = await ask(product, ["continue", second.attempt.id, "Then this", "--detach"]);
  await bot(`/runs/${waits.run.id}`, undefined, "DELETE");
  expect(factOf(product, "run.state")).toMatchObject({ status: "CANCELED", actor: BOT });
  await bot(`/attempts/${second.attempt.id}/stop`, {});
  expect(factOf(product, "run.stop_requested")).toEqual({ wish: "stop", actor: BOT });
  const { attempt } = await ask(product, ["wait", second.attempt.id]);
  expect(attempt.runs.map(({ stopped_by }) => stopped_by)).toEqual([BOT, undefined]);
  expect((await product.tazuna(["show", second.run.id])).stdout).toMatch(/Stopped by +token ci-bot\n/);
  // Nobody stops what has ended.
  await product.tazuna(["stop", second.run.id]);
  const again = await ask(product, ["show", second.document.task.id]);
  expect(again.attempt.runs[0]?.stopped_by).toEqual(BOT);
});

test(deep("what was done more than a year ago goes by itself"), async () => {
  await using product = await startProduct({ timing: { trashKeepMs: 500 } });
  await product.tazuna(["repo", "add", product.repository]);
  const sql = `insert into team_acts (id, kind, name, at) values ('old', 'token_made', 'ci', $1) returning id`;
  storedRows(product.home, { sql, values: ["2020-01-02T12:00:00.000Z"] });
  await waitFor("the old act to go", async () => (await actsOf(product)).every(({ id }) => id !== "old"));
  expect((await actsOf(product)).map(({ kind }) => kind)).toEqual(["repository_added"]);
});
