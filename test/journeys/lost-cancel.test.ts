/** Loses the answer of the database to a cancel: what was stored is carried out by the engine that works (issue 15). */
import { expect, setDefaultTimeout } from "bun:test";
import { ask, exists, gate, PATIENCE_MS, processesOf } from "../helpers/journey.ts";
import { ownPostgres } from "../helpers/own-postgres.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { type SilentLine, silentLine } from "../helpers/silent-line.ts";
import { teamJourney } from "../helpers/team-journey.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const journey = (title: string, play: (world: World) => Promise<void>) =>
  teamJourney(title, async () => {
    await using own = await ownPostgres();
    await using line = await silentLine(own.url);
    await using product = await startProduct({
      env: { TAZUNA_DATABASE: line.url },
      timing: { leaseMs: 12_000 },
    });
    await play({ product, line });
  });

interface World {
  readonly product: Product;
  readonly line: SilentLine;
}

/** The cancel is stored, and the engine that was asked believes that it failed. */
async function loseCancel({ product, line }: World, attempt: string): Promise<void> {
  line.loseCommitOf('update "attempts" set "state"');
  const { code, stdout } = await product.tazuna(["cancel", attempt, "--json"]);
  expect([code === 0, stdout]).toEqual([false, expect.stringContaining("database")]);
}

function cleaned(
  { product }: World,
  { task, worktree }: { readonly task: string; readonly worktree: string },
) {
  return waitFor(
    "the attempt to be cleaned up",
    async () => {
      const { attempt } = await ask(product, ["show", task]);
      return attempt.state === "removed" && !(await exists(worktree));
    },
    { withinMs: 120_000 },
  );
}

journey("a cancel whose answer was lost is cleaned up without a new start", async (world) => {
  const { product } = world;
  await product.agent("writer", "echo one > one.txt");
  const { attempt, document } = await ask(product, ["run", "Write", "--agent", "writer"]);
  const pid = await product.enginePid();
  await loseCancel(world, attempt.id);
  await cleaned(world, { task: document.task.id, worktree: attempt.worktree });
  expect(await product.enginePid()).toBe(pid);
});

journey("a cancel whose answer was lost stops the agent that works", async (world) => {
  const { product } = world;
  await using held = gate(product, "held");
  await product.agent("writer", `echo one > one.txt; ${held.wait}`);
  const begun = await ask(product, ["run", "Write", "--agent", "writer", "--detach"]);
  await held.reached();
  await loseCancel(world, begun.attempt.id);
  await cleaned(world, { task: begun.document.task.id, worktree: begun.attempt.worktree });
  expect(await processesOf(begun.run.id)).toEqual([]);
});
