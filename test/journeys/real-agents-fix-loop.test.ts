/** Tells that real agents get what failed on a forge by themselves, in the session that made it. */
import { expect, setDefaultTimeout, test } from "bun:test";
import type { AttemptAlone } from "../../src/contract/task-document.ts";
import type { Script } from "../helpers/fake-model/script.ts";
import { onForge, TOKEN } from "../helpers/forge-world.ts";
import { changedPaths, PATIENCE_MS } from "../helpers/journey.ts";
import { describeReal, INSTALLED, startRealProduct } from "../helpers/real-product.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const SCRIPT: Script = {
  scenarios: [
    {
      when: /expected 1, got 2/,
      turns: [{ tools: [{ op: "write", path: "fixed.txt", content: "1\n" }] }, { text: "I made it 1." }],
    },
    {
      when: /JOB-WRITE/,
      turns: [
        { tools: [{ op: "write", path: "number.txt", content: "2\n" }] },
        { text: "I wrote a number." },
      ],
    },
  ],
};

describeReal("the loop of real agents", () => {
  test("a check that failed becomes a follow-up in the same session, and what it mends is pushed", async () => {
    await using real = await startRealProduct({ script: SCRIPT, env: { TAZUNA_GITHUB_TOKEN: TOKEN } });
    const { product } = real;
    await using world = await onForge(product);
    await world.configure({ fix_loop: { enabled: true, attempts: 3 } });
    const { attempts } = await real.run("JOB-WRITE");
    for (const [at, { id, branch }] of attempts.entries()) {
      expect((await product.tazuna(["pr", id])).code).toBe(0);
      const head = (await world.headOf(branch)) ?? "";
      const check = { id: at + 1, name: "ci", conclusion: "failure", output: "expected 1, got 2" } as const;
      world.github.checks.set(head, [check]);
    }
    await world.attend();
    for (const { id, session, branch } of attempts) {
      const show = async () => (await product.tazuna(["show", id, "--json"])).json<AttemptAlone>();
      const done = await waitFor(
        "the follow-up",
        async () => {
          const attempt = await show();
          return (
            attempt.runs.length === 2 && attempt.runs.every(({ ended_at }) => ended_at !== null) && attempt
          );
        },
        { withinMs: 120_000 },
      );
      expect(done.runs.map(({ outcome }) => outcome)).toEqual(["pushed", "pushed"]);
      expect([done.session, done.pull_request?.tried.map(({ by }) => by)]).toEqual([session, ["loop"]]);
      expect(await changedPaths(product, world.bare, branch)).toEqual(["fixed.txt"]);
    }
    expect(attempts).toHaveLength(INSTALLED.length);
  });
});
