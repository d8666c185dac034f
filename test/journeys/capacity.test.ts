/** Asks what is left for runs while one works, and after it has ended. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { FactDocument } from "../../src/contract/endpoints/operations.ts";
import { httpApi } from "../helpers/http-api.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { replayedClaude } from "../helpers/replayed-claude.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

test("slots, money, logins and disk are told, and each change of the slots is a fact", async () => {
  await using product = await startProduct();
  const barrier = gate(product, "capacity");
  await replayedClaude(product, "claude", [{ stream: "success-edit.jsonl", before: barrier.wait }]);
  await product.configure({ limits: { parallel: 3, cost_usd: 5 } });
  await ask(product, ["run", "Change it", "--agent", "claude", "--detach"]);
  await barrier.reached();
  const api = await httpApi(product);
  const working = await api.json("/capacity");
  expect(working).toEqual({
    slots: { used: 1, limit: 3 },
    logins: [],
    spent_today_usd: 0,
    budget_usd: 5,
    disk: { free_bytes: expect.any(Number), floor_bytes: expect.any(Number), path: product.home },
  });
  const facts: FactDocument[] = [];
  const stop = new AbortController();
  const following = api.client.followFacts({
    after: 0,
    signal: stop.signal,
    onOpen: () => {},
    onFact: (fact) => void (fact.kind === "capacity.changed" && facts.push(fact)),
  });
  await barrier.open();
  await waitFor("the slot to be free", () => facts.length > 1);
  stop.abort();
  await following;
  expect(facts.map(({ data }) => data.slots)).toEqual([
    { used: 1, limit: 3 },
    { used: 0, limit: 3 },
  ]);
  const done = await api.json("/capacity");
  expect(done.slots).toEqual({ used: 0, limit: 3 });
  expect(done.spent_today_usd).toBeGreaterThan(0);
});
