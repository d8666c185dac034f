/** Shows what the publish gate came to, rule by rule, as it goes from nothing over a rejection to an override. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { http } from "../helpers/http.ts";
import { ask, gate, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

/** Made up; put together here, so that no file of ours holds one. */
const TOKEN = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

interface Gate {
  readonly run: string | null;
  readonly tree: string | null;
  readonly rows: readonly {
    readonly rule: string;
    readonly verdict: string;
    readonly findings: readonly { readonly message: string }[];
  }[];
}

test(deep("the gate has a row for every rule and check, with what it found and who allowed it"), async () => {
  await using product = await startProduct();
  await using barrier = gate(product, "rows");
  await product.configure({
    gate: { rules: { workflow_file: "off" } },
    checks: [
      { name: "tests", run: "test -e fixed.txt", required: true },
      { name: "style", run: "exit 3", required: false },
    ],
  });
  await product.agent(
    "doer",
    `${barrier.wait}; printf 'x\\0y' > data.bin; echo 'key = ${TOKEN}' > config.txt`,
  );
  const started = await ask(product, ["run", "Change it", "--agent", "doer", "--detach"]);
  const { id } = started.attempt;
  const read = async () => (await http<Gate>(product, `GET /attempts/${id}/gate`)).body;
  const row = (shown: Gate, rule: string) => shown.rows.find((each) => each.rule === rule);
  const before = await read();
  expect([before.run, before.tree]).toEqual([null, null]);
  expect(new Set(before.rows.map(({ verdict }) => verdict))).toEqual(new Set(["not_run"]));
  await barrier.open();
  await product.tazuna(["wait", id]);

  const rejected = await read();
  expect(rejected).toMatchObject({ run: started.run.id, tree: null });
  expect<unknown>(row(rejected, "credential")).toEqual({
    rule: "credential",
    title: expect.any(String),
    verdict: "reject",
    level: "reject",
    findings: [
      {
        path: "config.txt",
        line: 1,
        message: expect.stringContaining("config.txt:1 holds a credential"),
        masked: "ghp_…, 40 characters",
        remedy: expect.any(String),
        allowable: true,
      },
    ],
    more: 0,
    override: null,
    taken_back: [],
    why_not_run: null,
  });
  expect(JSON.stringify(rejected)).not.toContain(TOKEN.slice(0, 8));
  expect(row(rejected, "binary_file")).toMatchObject({ verdict: "report" });
  expect(row(rejected, "conflict_marker")).toMatchObject({ verdict: "pass", findings: [] });
  expect(row(rejected, "workflow_file")).toMatchObject({ verdict: "not_run", level: "off" });
  expect(row(rejected, "check:tests")).toMatchObject({ verdict: "not_run", title: "test -e fixed.txt" });

  const allow = { allow: ["credential"], reason: "A key of the test server" };
  await http(product, `POST /attempts/${id}/publish`, allow);
  await product.tazuna(["wait", id]);
  const allowed = await read();
  expect(row(allowed, "credential")).toMatchObject({
    verdict: "overridden",
    override: { by: expect.any(String), reason: allow.reason, at: expect.any(String) },
    findings: [{ path: "config.txt", line: 1, masked: "ghp_…, 40 characters" }],
  });
  // The row says it on its own.
  expect(row(allowed, "credential")?.findings[0]?.message).not.toContain("allowed by");
  expect(row(allowed, "check:tests")).toMatchObject({
    verdict: "reject",
    findings: [{ path: null, message: "The check tests ended with exit code 1", allowable: true }],
  });
  expect(row(allowed, "check:style")).toMatchObject({ verdict: "report", level: "report" });

  await http(product, `POST /attempts/${id}/publish`, { allow: ["check:tests"], reason: "Later" });
  await product.tazuna(["wait", id]);
  const pushed = await read();
  expect(pushed.run).toBe(allowed.run);
  expect(row(pushed, "check:tests")).toMatchObject({
    verdict: "overridden",
    override: { reason: "Later" },
  });
});
