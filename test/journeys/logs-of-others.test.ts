/** Reads at one machine the log of a run that works on another one: two engines on one Postgres. */
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LogPage } from "../../src/contract/endpoints/runs.ts";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import type { Product } from "../helpers/product.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { twoEngines } from "../helpers/two-engines.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

/** Both engines work, and a run of an agent that prints a word, waits for a file, and prints more. */
async function begin({ product, settle }: Awaited<ReturnType<typeof twoEngines>>, more: string) {
  const go = join(dirname(product.home), "go");
  await product.agent(
    "talker",
    `echo begun; echo amid >&2; until [ -e '${go}' ]; do sleep 0.1; done; ${more} echo one > one.txt; echo Done.`,
  );
  await settle();
  const { run } = await ask(product, ["run", "Talk", "--agent", "talker", "--detach"]);
  return { run: run.id, go: () => writeFile(go, "") };
}

/** All of its lines, as this machine knows them. */
async function pages(product: Product, home: string, run: string): Promise<LogPage> {
  const api = await httpApi({ ...product, home });
  const lines: LogPage["lines"] = [];
  for (;;) {
    const read = await api.client.log(run, { after: lines.at(-1)?.n ?? 0, limit: 1000 });
    const page = read._unsafeUnwrap();
    lines.push(...page.lines);
    if (page.lines.length === 0 || page.ended) return { ...page, lines };
  }
}

const ended = (product: Product, home: string, run: string) =>
  waitFor("the log to be over", async () => {
    const page = await pages(product, home, run);
    return page.ended ? page : null;
  });

/** The database notices at its own pace that an engine was killed. */
const cutOff = (product: Product, home: string, run: string) =>
  waitFor("its worker to count as gone", async () => {
    const page = await pages(product, home, run);
    return page.sent?.there === false ? page : null;
  });

journey("it is followed as it grows, and read as a whole once its worker has gone", async () => {
  await using world = await twoEngines();
  const { product, there, home } = world;
  const { run, go } = await begin(world, `seq -f "%g ${"of many".repeat(8)}" 1 4000;`);
  const following = product.start(["logs", run, "--follow"], there);
  await waitFor("its first words", () => following.printed().includes("begun"), {
    instead: () => following.printed(),
  });
  await go();
  expect((await following.end).code).toBe(0);
  expect(following.printed()).toContain("4000 of many");
  expect(following.printed()).toContain("Done.");
  const whole = await ended(product, product.home, run);
  const sent = async () => (await pages(product, home, run)).sent?.complete === true;
  await waitFor("all of it to be sent", sent);
  await product.killEngine();
  const read = await cutOff(product, home, run);
  expect([read.ended, read.total, read.lines]).toEqual([true, whole.total, whole.lines]);
  expect(read.sent).toMatchObject({ complete: true });
  const api = await httpApi({ ...product, home });
  const found = await api.client.log(run, { after: 0, limit: 10, query: "3999 of" });
  expect(found._unsafeUnwrap().lines.length).toBe(1);
});

journey("what a worker had sent is shown once it was killed, and the rest when it is back", async () => {
  await using world = await twoEngines();
  const { product, there, home } = world;
  const { run, go } = await begin(world, "");
  const words = async () => (await pages(product, home, run)).lines.map(({ event }) => event.text);
  const following = product.start(["logs", run, "--follow"], there);
  await waitFor("its first words", () => following.printed().includes("begun"));
  await product.killEngine();
  const now = await cutOff(product, home, run);
  expect(now.ended).toBe(false);
  expect(now.sent).toMatchObject({ complete: false, until: expect.any(String) });
  expect(await words()).toContain("begun");
  expect((await product.tazuna(["logs", run], there)).stderr).toMatch(
    / is not there\. This is what it had sent by \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/,
  );
  // The agent goes on under its keeper.
  await go();
  expect((await product.tazuna(["list"])).code).toBe(0);
  expect((await following.end).code).toBe(0);
  expect(following.printed()).toContain("Done.");
  const whole = await ended(product, product.home, run);
  expect((await ended(product, home, run)).lines).toEqual(whole.lines);
});

journey("a database that was away for a while misses nothing", async () => {
  await using world = await twoEngines();
  const { product, home, server } = world;
  const printed = join(dirname(product.home), "printed");
  const { run, go } = await begin(world, `seq -f "%g ${"of many".repeat(8)}" 1 6000; touch '${printed}';`);
  await waitFor("its first words", async () => (await pages(product, home, run)).lines.length > 0);
  await server.stop();
  await go();
  await waitFor("the agent to have printed it", () => existsSync(printed));
  await server.start();
  const over = () => ended(product, product.home, run).catch(() => null);
  const whole = await waitFor("the run to be over", over);
  const sent = async () => {
    const page = await pages(product, home, run).catch(() => null);
    return page?.sent?.complete === true ? page : null;
  };
  const read = await waitFor("all of it to be sent", sent);
  expect([read.total, read.lines]).toEqual([whole.total, whole.lines]);
});

journey("a log is deleted where its worker is, and anywhere once that one was removed", async () => {
  await using world = await twoEngines();
  const { product, there, home } = world;
  const { run, go } = await begin(world, "");
  await go();
  const second = await ask(product, ["run", "Again", "--agent", "talker"]);
  const [other, own] = [await httpApi({ ...product, home }), await httpApi(product)];
  const sent = async (id: string) => (await pages(product, home, id)).sent?.complete === true;
  for (const id of [run, second.run.id]) await waitFor("all of it to be sent", () => sent(id));
  const remove = async (api: typeof own, id: string) =>
    (await api.client.removeLogs({ runs: [id] }))._unsafeUnwrap();

  expect(await remove(other, run)).toMatchObject({ removed: [], kept: [{ run }] });
  expect(await remove(own, run)).toMatchObject({ removed: [{ run }], kept: [] });
  const words = async (id: string) => JSON.stringify((await pages(product, home, id)).lines);
  expect(await words(run)).toMatch(/"\d+ bytes of what the agent printed are not here\."/);
  expect(await words(run)).not.toContain("begun");
  expect((await remove(own, run)).kept).toMatchObject([{ reason: "There is no log any more." }]);

  // Nobody can delete the other one at its worker any more.
  await product.killEngine();
  const name = (await pages(product, home, second.run.id)).sent?.worker.name ?? "";
  const removed = () => product.tazuna(["workers", "remove", name, "--yes"], there);
  await waitFor("its worker to be removed", async () => (await removed()).code === 0);
  await other.client.scanStorage();
  const listed = async () => (await other.client.storedLogs({ limit: 10 }))._unsafeUnwrap().items;
  const [item] = await waitFor("it to be listed", async () => {
    const items = await listed();
    return items.length > 0 ? items : null;
  });
  expect(item).toMatchObject({ run: second.run.id, bytes: 0, sent_bytes: expect.any(Number) });
  expect(await remove(other, second.run.id)).toMatchObject({ removed: [{ run: second.run.id }] });
  expect(await words(second.run.id)).not.toContain("begun");
});
