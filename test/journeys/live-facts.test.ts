/** Follows the facts of a real engine: over its death without a gap, and with all that a control room shows. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FactDocument } from "../../src/contract/endpoints/operations.ts";
import type { RunAlone } from "../../src/contract/task-document.ts";
import { openDatabase } from "../../src/storage/database.ts";
import { appendFact } from "../../src/storage/tables/facts.ts";
import { transact } from "../../src/storage/transact.ts";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test(deep("a reader that returns after a killed engine gets every fact once and in order"), async () => {
  await using product = await startProduct();
  await replayedClaude(product, "claude", [{ stream: "success-edit.jsonl", before: "echo new > new.txt" }]);
  await product.configure({ checks: [{ name: "look", run: "test -f new.txt" }] });
  await product.tazuna(["trust", "--yes"]);
  const seen: FactDocument[] = [];
  const follow = async (after: number) => {
    const { client } = await httpApi(product);
    const stop = new AbortController();
    const resets: number[] = [];
    const end = client.followFacts({
      after,
      signal: stop.signal,
      retries: 0,
      onOpen: () => {},
      onReset: (seq) => void resets.push(seq),
      onFact: (fact) => void seen.push(fact),
    });
    return { stop: () => stop.abort(), end, resets };
  };
  await ask(product, ["run", "Change it", "--agent", "claude"]);
  const first = await follow(0);
  await waitFor("the facts of the first run", () => seen.some(({ data }) => data.status === "SUCCEEDED"));
  await product.killEngine();
  await first.end;
  const before = seen.length;
  await ask(product, ["run", "Change it again", "--agent", "claude"]);
  const second = await follow(seen.at(-1)?.seq ?? 0);
  await waitFor("the facts of the second run", () =>
    seen.slice(before).some(({ data }) => data.status === "SUCCEEDED"),
  );
  second.stop();
  await second.end;

  const all: FactDocument[] = [];
  const { client } = await httpApi(product);
  const stop = new AbortController();
  const whole = client.followFacts({
    after: 0,
    signal: stop.signal,
    onOpen: () => {},
    onFact: (fact) => void all.push(fact),
  });
  await waitFor("all facts", () => all.at(-1)?.seq === seen.at(-1)?.seq);
  stop.abort();
  await whole;
  expect([first.resets, second.resets]).toEqual([[], []]);
  expect(seen).toEqual(all);

  const kinds = new Set(all.map(({ kind }) => kind));
  for (const kind of [
    "repository.changed",
    "task.created",
    "run.state",
    "run.action",
    "run.usage",
    "run.check",
  ])
    expect([kind, kinds.has(kind)]).toEqual([kind, true]);
  const patch = all.find(({ kind, data }) => kind === "attempt.changed" && data.changes !== undefined);
  expect(patch?.data.changes).toEqual({ files: 1, additions: 1, deletions: 0 });
  const check = all.find(({ kind }) => kind === "run.check");
  expect(check?.data).toMatchObject({ check: "look", outcome: "passed", required: true, exit_code: 0 });
});

test(
  deep("the last action of an agent keeps its time if the next engine finds the agent at work"),
  async () => {
    await using product = await startProduct();
    const go = join(product.home, "..", "go");
    await product.agent(
      "patient",
      `echo "First step"; while [ ! -e '${go}' ]; do sleep 0.1; done; echo "Second step"`,
    );
    const { run } = await ask(product, ["run", "Take two steps", "--agent", "patient", "--detach"]);
    const lastAction = async () =>
      (await product.tazuna(["show", run.id, "--json"])).json<RunAlone>().last_action;
    const told = await waitFor("the first step", async () => {
      const action = await lastAction();
      return action?.text === "First step" ? action : null;
    });
    await product.killEngine();
    await product.tazuna(["list"]);
    await writeFile(go, "");
    expect((await ask(product, ["wait", run.id])).run.status).toBe("SUCCEEDED");
    const facts: FactDocument[] = [];
    const { client } = await httpApi(product);
    const stop = new AbortController();
    const end = client.followFacts({
      after: 0,
      signal: stop.signal,
      onOpen: () => {},
      onFact: (fact) => void facts.push(fact),
    });
    await waitFor("the end of the run", () => facts.some(({ data }) => data.status === "SUCCEEDED"));
    stop.abort();
    await end;
    const actions = facts.filter(({ kind }) => kind === "run.action");
    expect(actions.map(({ data }) => data.title)).toEqual(["First step", "Second step"]);
    expect(actions[0]?.at).toBe(told.at);
  },
);

const byOthers = "a fact that another worker writes to the same Postgres reaches a page at once";

test.skipIf("missing" in postgres)(
  deep("missing" in postgres ? `${byOthers} (skipped: ${postgres.missing})` : byOthers),
  async () => {
    await using server = await ownPostgres();
    await using product = await startProduct({ env: { TAZUNA_DATABASE: server.url } });
    await product.tazuna(["list"]);
    const { client } = await httpApi(product);
    const seen: string[] = [];
    const stop = new AbortController();
    const opened = Promise.withResolvers<void>();
    const following = client.followFacts({
      after: null,
      signal: stop.signal,
      onOpen: () => opened.resolve(),
      onFact: ({ kind }) => void seen.push(kind),
    });
    await opened.promise;
    const options = { backupDir: "/nowhere", programVersion: "0.1.0" };
    const other = (await openDatabase({ kind: "postgres", url: server.url }, options))._unsafeUnwrap();
    const ids = { taskId: null, attemptId: null, runId: null };
    const fact = { at: new Date().toISOString(), kind: "other.told", ...ids, data: {} };
    const begun = performance.now();
    await transact(other, (trx) => appendFact(trx, fact));
    await waitFor("the fact of the other", () => seen.includes("other.told"));
    expect(performance.now() - begun).toBeLessThan(500);
    await client.keepTaskDraft({ draft: null });
    await transact(other, (trx) => appendFact(trx, { ...fact, kind: "other.last" }));
    await waitFor("its next one", () => seen.includes("other.last"));
    expect(seen.filter((kind) => kind !== "workers.changed")).toEqual([
      "other.told",
      "draft.changed",
      "other.last",
    ]);
    stop.abort();
    await following;
    await other.close();
  },
);
