/** Kills the engine while an attempt is chosen or reviewed: the record and the comments are there once, or not at all. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommentDocument } from "../../../src/contract/endpoints/comments.ts";
import type { DecisionDocument } from "../../../src/contract/endpoints/decisions.ts";
import type { OperationDocument } from "../../../src/contract/endpoints/operations.ts";
import type { AttemptAlone } from "../../../src/contract/task-document.ts";
import { ask, noteCodes, PATIENCE_MS } from "../../helpers/journey.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep, drawn } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { around, moves } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

/** Asks for it with an engine that is killed at the failpoint; the next one goes on. */
async function killedAt(product: Product, failpoint: string, args: readonly string[]) {
  await product.killEngine();
  const reached = join(dirname(product.home), `reached-${failpoint.replace(":", "-")}`);
  const end = await product.tazuna([...args, "--json"], {
    env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` },
  });
  expect([existsSync(reached), end.code]).toEqual([true, 0]);
  tally("kill", `the engine at ${failpoint} of ${args[0]}`, { under: "guard" });
  return end;
}

test(
  deep("a choice that puts the others away, killed once it is stored, is finished at the next start"),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", "echo one > one.txt; echo Done.");
    const made = await ask(product, ["run", "Change it", "--agent", "agent", "--agent", "agent"]);
    const [chosen, other] = made.attempts.map(({ id }) => id);
    const args = ["choose", chosen ?? "", "--reason", "It is whole.", "--trash-others"];
    const end = await killedAt(product, "request:choose", args);
    const { decision } = end.json<{ decision: DecisionDocument }>();
    expect([decision.attempt, decision.trashed]).toEqual([chosen, [other]] as never);
    await waitFor("the other one to be put away", async () => {
      const shown = (await product.tazuna(["show", other ?? "", "--json"])).json<AttemptAlone>();
      return shown.state === "removed";
    });
    const list = await product.tazuna(["activity", made.document.task.id, "--json"]);
    const { operations } = list.json<{ operations: readonly OperationDocument[] }>();
    const kinds = operations.map(({ kind }) => kind).filter((kind) => kind === "choose" || kind === "trash");
    expect(kinds.toSorted()).toEqual(["choose", "trash"]);
  },
);

const REVIEWING = [
  ...moves("prepare", "start_agent", "agent_ended", "proved", "nothing_changed"),
  ...around("review_put_back"),
];

for (const failpoint of drawn(REVIEWING))
  test(deep(`a review whose agent changes files, killed at ${failpoint}`), async () => {
    await using product = await startProduct();
    await product.agent("maker", "echo one > one.txt; echo Done.");
    const said = [{ path: "one.txt", line: 1, severity: "high", body: "Why?" }];
    await product.agent("critic", `echo evil > one.txt; echo new > new.txt; echo '${JSON.stringify(said)}'`);
    const { id, worktree, commit } = (await ask(product, ["run", "Change it", "--agent", "maker"])).attempt;
    await killedAt(product, failpoint, ["review", id, "--agent", "critic"]);
    const shown = (await product.tazuna(["show", id, "--json"])).json<
      AttemptAlone & { comments: CommentDocument[] }
    >();
    const review = shown.runs.at(-1);
    expect([shown.state, shown.commit, review?.status]).toEqual(["pushed", commit, "SUCCEEDED"]);
    expect(shown.comments.map(({ path, line, quoted }) => [path, line, quoted])).toEqual([
      ["one.txt", 1, "one"],
    ]);
    expect(await readFile(join(worktree, "one.txt"), "utf8")).toBe("one\n");
    expect(await product.sandbox.git(worktree, ["status", "--porcelain"])).toBe("");
    if (review === undefined) throw new Error("no review");
    expect(noteCodes(review)).toContain("review_put_back");
  });
