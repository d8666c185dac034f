import { expect, setDefaultTimeout, test } from "bun:test";
import { PATIENCE_MS } from "../helpers/journey.ts";
import { postgres, postgresUrl } from "../helpers/postgres-server.ts";
import { startProduct } from "../helpers/product.ts";

setDefaultTimeout(PATIENCE_MS);

const title = "the same product works on a Postgres";

test.skipIf("missing" in postgres)(
  "missing" in postgres ? `${title} (skipped: ${postgres.missing})` : title,
  async () => {
    await using product = await startProduct();
    const env = { TAZUNA_DATABASE: String(await postgresUrl()) };
    await product.agent("writer", "echo one >> hello.txt");
    const first = (
      await product.tazuna(["run", "Write hello", "--agent", "writer", "--json"], { env })
    ).json();
    const attempt = first.attempts[0];
    expect(attempt?.runs).toMatchObject([{ status: "SUCCEEDED", outcome: "pushed" }]);
    await product.killEngine();
    const second = (await product.tazuna(["continue", attempt?.id ?? "", "Again", "--json"], { env })).json();
    expect(second.attempts[0]?.runs.map((run) => run.outcome)).toEqual(["pushed", "pushed"]);
    expect(await product.sandbox.git(product.origin, ["show", `${attempt?.branch}:hello.txt`])).toBe(
      "one\none",
    );
  },
);
