import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { postgres } from "../helpers/postgres-server.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { teamWorld } from "./teams.ts";

setDefaultTimeout(420_000);

const skipped = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";
const WORKERS = 20;
const COUNTED_MS = 15_000;

describe.skipIf(skipped !== "")(deep(`idle workers${skipped}`), () => {
  test("twenty of them send at most 60 statements a second, and all are known to be there", async () => {
    await using world = await teamWorld();
    let count = 0;
    let looks = 0;
    const sent = (text: string) => {
      count += 1;
      if (text.includes("SET monitor_claim_on")) looks += 1;
    };
    const members = await Promise.all(
      Array.from({ length: WORKERS }, (_, n) => world.join(`worker-${n}`, { sent, listens: true })),
    );
    await waitFor("each to have looked once", () => looks >= WORKERS);
    [count, looks] = [0, 0];
    const since = performance.now();
    await waitFor("the time to be over", () => performance.now() - since >= COUNTED_MS);
    const perSecond = count / ((performance.now() - since) / 1000);
    expect(perSecond).toBeLessThan(60);
    // Somebody looks often enough for a silence to be told within fifteen seconds.
    expect(looks).toBeGreaterThan(COUNTED_MS / 2_000);
    const told = members.flatMap((member, n) => member.told.filter((line) => line !== `there worker-${n}`));
    expect(told).toEqual([]);
  });
});
