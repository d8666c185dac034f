/** Gathers what became of a cancelled attempt: what is gone, and where its edits can still be read. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DepotWorld } from "../../helpers/depot-world.ts";
import { branchAt, exists } from "../../helpers/journey.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import type { CleanedAttempt } from "./judge.ts";
import { rowsOf } from "./left-behind.ts";
import { type HeldRun, PATIENT } from "./states.ts";

/** Waits for its clean-up to end, and restores it last. Call it once all machines are well again. */
export async function gatherCleaned(
  world: Pick<DepotWorld, "product" | "postgres" | "git">,
  { state: held, begun: { attempt, run } }: HeldRun,
): Promise<CleanedAttempt> {
  const { product, postgres } = world;
  const rows = (sql: string) => rowsOf(postgres.url, sql, [attempt.id]);
  const stateNow = async () => (await rows("select state from attempts where id = $1"))[0]?.state;
  await ended("the clean-up to end", async () => (await stateNow()) === "removed");
  const file = `${held}.txt`;
  const snapshot = (
    await rows("select ref, commit_sha from snapshots where attempt_id = $1 order by number desc limit 1")
  )[0];
  const inDepot = async () => (await rows("select sha from protections where attempt_id = $1"))[0]?.sha;
  await ended("the depot to have the snapshot", async () => (await inDepot()) === snapshot?.commit_sha);
  const words = await rows("select data from facts where attempt_id = $1 and kind = 'attempt.changed'");
  const intended = await rows("select kind from operations where subject_id = $1 and status = 'intended'");
  const left = {
    worktree: await exists(attempt.worktree),
    branch: (await branchAt(product, product.repository, attempt.branch)) !== null,
  };
  const show = (git: (args: readonly string[]) => Promise<string>, commit: unknown) =>
    git(["show", `${commit}:${file}`]).catch(() => null);
  const copies = {
    "the snapshot": await show((args) => product.sandbox.git(product.repository, args), snapshot?.ref),
    "the depot": await show(world.git, await inDepot()),
  };
  const state = String(await stateNow());
  const restored = await product.tazuna(["trash", "restore", attempt.id]);
  const text = await readFile(join(attempt.worktree, file), "utf8").catch(() => null);
  return {
    ...{ id: attempt.id, edit: run.id, state },
    // Facts of its copies have the state, too.
    removed: words.filter(({ data }) => JSON.stringify(JSON.parse(data)) === '{"state":"removed"}').length,
    left: [
      ...Object.entries(left).flatMap(([what, isLeft]) => (isLeft ? [`the ${what}`] : [])),
      ...intended.map(({ kind }) => `the intended ${kind}`),
    ],
    copies: {
      ...copies,
      "the restored worktree": restored.code === 0 ? (text?.trim() ?? null) : restored.stderr,
    },
  };
}

const ended = (what: string, is: () => Promise<boolean>) => waitFor(what, is, PATIENT).catch(() => undefined);
