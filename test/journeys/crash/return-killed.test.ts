/** Kills the engines of a machine that comes back, and of the one that brings its edits in: nothing is lost or doubled. */
import { expect, setDefaultTimeout } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { comesBack, movedRun, returnWorld } from "../../helpers/return-world.ts";
import { tally } from "../../helpers/tally.ts";
import { teamJourney } from "../../helpers/team-journey.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { around } from "./scenarios.ts";

setDefaultTimeout(PATIENCE_MS);

for (const failpoint of ["returned:snapshot", "returned:row"])
  teamJourney(`a machine that is killed at ${failpoint} as it comes back offers its edits once`, async () => {
    await using folder = await tempDir();
    const reached = join(folder.path, "reached");
    await using team = await returnWorld();
    const { product, there } = team;
    const begun = await movedRun(team);
    const { id, worktree } = begun.attempt;
    await writeFile(join(worktree, "late.txt"), "late\n");
    await product.tazuna(["list"], { env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` } });
    await waitFor("its engine to be killed", () => existsSync(reached), { withinMs: 120_000 });
    // Written after the first snapshot: it is offered if there is no row yet.
    const isLater = failpoint === "returned:snapshot";
    if (isLater) await writeFile(join(worktree, "later.txt"), "later\n");
    const offer = await comesBack(team, begun);
    expect(offer.files).toBe(isLater ? 2 : 1);
    const rows = "select state from left_worktrees where attempt_id = $1";
    expect((await team.db.query(rows, [id])).rows).toEqual([{ state: "offered" }]);
    const restored = await product.tazuna(["restore", id, "--from", offer.worker.name], there);
    expect(restored.code).toBe(0);
    expect(await readFile(join((await team.show(begun)).worktree, "late.txt"), "utf8")).toBe("late\n");
    tally("kill", `the engine at ${failpoint}`, { under: "guard" });
  });

for (const failpoint of around("run_restore"))
  teamJourney(
    `edits that an engine killed at ${failpoint} was bringing in are in after its start`,
    async () => {
      await using folder = await tempDir();
      const reached = join(folder.path, "reached");
      await using team = await returnWorld({ TAZUNA_FAILPOINT: `${failpoint}@${reached}` });
      const { product, there } = team;
      const begun = await movedRun(team);
      const { id, worktree } = begun.attempt;
      await writeFile(join(worktree, "one.txt"), "one\nmore\n");
      const offer = await comesBack(team, begun);
      await product.tazuna(["restore", id, "--from", offer.worker.name], there);
      await waitFor("the other engine to be killed", () => existsSync(reached), { withinMs: 120_000 });
      await team.server.end;
      await team.serve(["--depot", team.folder], there.env);
      const now = await team.show(begun);
      const one = () => readFile(join(now.worktree, "one.txt"), "utf8");
      expect([await one(), now.came_back]).toEqual(["one\nmore\n", undefined]);
      const { stdout } = await product.tazuna(["activity", id, "--json"], there);
      const { operations } = JSON.parse(stdout) as {
        readonly operations: readonly {
          readonly id: string;
          readonly kind: string;
          readonly status: string;
        }[];
      };
      const last = operations.find(({ kind, status }) => kind === "run_restore" && status === "done");
      expect((await product.tazuna(["undo", last?.id ?? ""], there)).code).toBe(0);
      expect(await one()).toBe("one\n");
      tally("kill", `the engine at ${failpoint}`, { under: "guard" });
    },
  );
