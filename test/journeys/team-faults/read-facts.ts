/** A program: prints the number of each fact of the engine of a data folder as it comes, also after the engine was away. */
import { setTimeout as delay } from "node:timers/promises";
import { httpApi } from "../../helpers/http-api.ts";

const AGAIN_MS = 200;

const [home = ""] = process.argv.slice(2);
let last = 0;

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
