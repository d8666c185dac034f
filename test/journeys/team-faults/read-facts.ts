/**
 * A program: prints the number of each fact of the engine of a data folder as it comes, also after the engine was away.
 * It begins behind the number that it is given.
 */
import { setTimeout as delay } from "node:timers/promises";
import { httpApi } from "../../helpers/http-api.ts";

const AGAIN_MS = 200;

const [home = "", after = "0"] = process.argv.slice(2);
let last = Number(after);

/** It comes back with the last number that it saw. */
async function follow(): Promise<void> {
  const { client } = await httpApi({ home });
  await client.followFacts({
    after: last,
    signal: new AbortController().signal,
    retries: 0,
    onOpen: () => {},
    onFact: ({ seq }) => {
      last = seq;
      process.stdout.write(`${seq}\n`);
    },
  });
}

for (;;) {
  await follow().catch(() => undefined);
  await delay(AGAIN_MS);
}
