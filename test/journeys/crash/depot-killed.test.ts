/** Cancels attempts while the depot is away, or as their engine is killed: their last snapshots are in the depot in the end. */
import { expect, setDefaultTimeout } from "bun:test";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptDocument } from "../../../src/contract/task-document.ts";
import { type DepotWorld, depotWorld } from "../../helpers/depot-world.ts";
import { ask, exists, PATIENCE_MS } from "../../helpers/journey.ts";
import { isRunning } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { teamJourney as journey } from "../../helpers/team-journey.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);
const WITHIN = { withinMs: 60_000 };

/** The newest copy is the attempt's last snapshot, with what a person edited last. */
async function reaches(world: DepotWorld, { id }: AttemptDocument): Promise<void> {
  const newest = async () =>
    (
      await world.db.query(
        "select ref, commit_sha as sha from snapshots where attempt_id = $1 order by number desc limit 1",
        [id],
      )
    ).rows[0];
  await waitFor(
    "the attempt to be put away",
    async () =>
      (await world.db.query("select state from attempts where id = $1", [id])).rows[0].state === "removed",
    { withinMs: 120_000 },
  );
  const { ref, sha } = await newest();
  await waitFor(
    "its last snapshot to be in the depot",
    async () => (await world.protection(id))?.sha === sha,
    {
      ...WITHIN,
      instead: () => world.protection(id),
    },
  );
  expect(await world.git(["rev-parse", ref])).toBe(sha);
  expect(await world.git(["show", `${sha}:later.txt`])).toBe("later");
  expect(await world.protection(id)).toMatchObject({ ref, unprotected_since: null });
}

/** Cancels it by an engine that is killed at `point` of it. */
async function cancelKilledAt(
  world: DepotWorld,
  { id }: AttemptDocument,
  at: { point: string; file: string },
) {
  const engine = await world.product.enginePid();
  const asked = world.product.start(["cancel", id]);
  await waitFor(at.point, () => exists(at.file), { withinMs: 120_000 });
  asked.kill("SIGKILL");
  await asked.end;
  await waitFor("the engine to be gone", () => engine === null || !isRunning(engine));
  tally("kill", `the engine at ${at.point} of a cancel, with a depot`, { under: "guard" });
}

journey("the last snapshot of a cancelled attempt is in the depot, whatever came between", async () => {
  await using world = await depotWorld();
  const { product, folder } = world;
  const names = ["away", "cut", "absent"];
  for (const name of names) await product.agent(name, "echo late > late.txt; exit 3");
  const first = await world.serve(["--depot", folder]);
  const { attempts } = await ask(product, ["run", "Write", ...names.flatMap((name) => ["--agent", name])]);
  const [away, cut, absent] = attempts;
  if (away === undefined || cut === undefined || absent === undefined) throw new Error("not three attempts");
  for (const { id, worktree } of attempts) {
    await world.holds(id, { "late.txt": "late" });
    await writeFile(join(worktree, "later.txt"), "later\n");
  }
  const unmount = () => rename(folder, `${folder} away`);
  const mount = () => rename(`${folder} away`, folder);

  await unmount();
  await product.tazuna(["cancel", away.id]);
  await waitFor(
    "the attempt to be unprotected",
    async () => (await world.protection(away.id))?.trouble,
    WITHIN,
  );
  await mount();
  await reaches(world, away);

  const file = (point: string) => `${folder}-${point.replace(":", "-")}`;
  const killedAt = (point: string) => ({ TAZUNA_FAILPOINT: `${point}@${file(point)}` });
  first.kill("SIGKILL");
  await first.end;
  // Its worktree is in the trash by then: no later start takes a snapshot of it.
  const point = "before:worktree_prune";
  await world.serve(["--depot", folder], killedAt(point));
  await unmount();
  await cancelKilledAt(world, cut, { point, file: file(point) });
  await mount();
  const stored = "request:cancel";
  await world.serve(["--depot", folder], killedAt(stored));
  await reaches(world, cut);

  await cancelKilledAt(world, absent, { point: stored, file: file(stored) });
  // This start takes the snapshot before it copies anything.
  await world.serve(["--depot", folder]);
  await reaches(world, absent);
  expect((await product.tazuna(["list", "--all"])).stdout).not.toContain("unprotected");
});
