/** A machine that was lost comes back: what only it had is kept, offered, shown, brought in and dropped (ADR 0097). */
import { expect, setDefaultTimeout } from "bun:test";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exists, PATIENCE_MS, refused } from "../helpers/journey.ts";
import { comesBack, movedRun, returnWorld } from "../helpers/return-world.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

journey("what only the lost machine had is offered, shown, brought in, and taken out again", async () => {
  await using team = await returnWorld();
  const { product, there } = team;
  const begun = await movedRun(team);
  const { id, worktree } = begun.attempt;
  await writeFile(join(worktree, "late.txt"), "late\n");
  await writeFile(join(worktree, "one.txt"), "one\nmore\n");
  const offer = await comesBack(team, begun);
  expect(offer).toMatchObject({ files: 2, path: worktree, not_contained: [] });
  const from = ["--from", offer.worker.name];
  const shown = (await product.tazuna(["show", id], there)).stdout;
  expect(shown).toContain(`tazuna diff ${id.slice(0, 8)} --from ${offer.worker.name}`);
  const diff = await product.tazuna(["diff", id, ...from], there);
  expect(diff.stdout).toContain("+late");
  expect(diff.stdout).toContain("+more");
  expect(diff.stdout).not.toContain("two.txt");
  // On the machine that came back, doctor and a clean-up name the offer and what decides it.
  for (const verb of ["doctor", "clean"]) {
    const told = (await product.tazuna([verb])).stdout.replaceAll(/\s+/g, " ");
    expect(told).toContain("Edits of 2 files are here alone");
    expect(told).toContain(`tazuna restore ${id.slice(0, 8)} --from ${offer.worker.name}`);
  }
  // Where the attempt is now, a clean-up leaves it until somebody has decided.
  const kept = (await product.tazuna(["clean", "--yes"], there)).stdout.replaceAll(/\s+/g, " ");
  expect(kept).toContain(`${offer.worker.name} came back with edits that it does not have.`);
  const now = await team.show(begun);
  const files = async () =>
    Promise.all(
      ["one.txt", "two.txt", "late.txt"].map((name) =>
        readFile(join(now.worktree, name), "utf8").catch(() => null),
      ),
    );
  const before = await files();
  expect(before).toEqual(["one\n", "two\n", null]);
  const restored = await product.tazuna(["restore", id, ...from, "--json"], there);
  expect([restored.code, await files()]).toEqual([0, ["one\nmore\n", "two\n", "late\n"]]);
  expect((await team.show(begun)).came_back).toBeUndefined();
  const { operation } = restored.json<{ readonly operation: { readonly id: string } }>();
  expect((await product.tazuna(["undo", operation.id], there)).code).toBe(0);
  expect(await files()).toEqual(before);
  // The reference of what was fetched for it belongs to the attempt.
  expect((await product.tazuna(["doctor"], there)).stdout).not.toContain("refs/tazuna/returned");
  // Nothing was deleted on the machine that came back.
  expect(await exists(join(worktree, "late.txt"))).toBe(true);
});

journey("an offer may be dropped; what does not fit, and what nobody left, is refused", async () => {
  await using team = await returnWorld();
  const { product, there } = team;
  const begun = await movedRun(team);
  const { id, worktree } = begun.attempt;
  const nothing = await refused(product, ["restore", id, "--from", "nobody"], there);
  expect(nothing.error.code).toBe("nothing_left");
  await writeFile(join(worktree, "two.txt"), "another two\n");
  const offer = await comesBack(team, begun);
  const from = ["--from", offer.worker.name];
  const clash = await refused(product, ["restore", id, ...from], there);
  expect(clash.error.code).toBe("does_not_fit");
  const now = await team.show(begun);
  expect(await readFile(join(now.worktree, "two.txt"), "utf8")).toBe("two\n");
  const dropped = await product.tazuna(["restore", id, ...from, "--discard"], there);
  expect([dropped.code, dropped.stdout]).toEqual([0, expect.stringContaining("The offer is dropped.")]);
  const facts = await team.db.query("select data from facts where kind = 'attempt.changed' order by seq");
  expect(facts.rows.map(({ data }) => JSON.parse(data).came_back).filter(Boolean)).toEqual([
    {
      worker: offer.worker.id,
      state: "discarded",
      actor: { kind: "owner", id: null, name: expect.any(String) },
    },
  ]);
  expect((await team.show(begun)).came_back).toBeUndefined();
  expect(await exists(join(worktree, "two.txt"))).toBe(true);
});

journey("nothing is offered if the lost machine has no more than the copy", async () => {
  await using team = await returnWorld();
  const begun = await movedRun(team);
  await team.product.tazuna(["list"]);
  const state = async () =>
    (await team.db.query("select state from left_worktrees where attempt_id = $1", [begun.attempt.id])).rows;
  await waitFor("it to be looked at", async () => (await state()).length > 0, { withinMs: 120_000 });
  expect(await state()).toEqual([{ state: "same" }]);
  expect((await team.show(begun)).came_back).toBeUndefined();
});

journey("what its agent still writes when a machine comes back is offered too", async () => {
  await using team = await returnWorld();
  const begun = await movedRun(team);
  const { worktree } = begun.attempt;
  await using agent = Bun.spawn(["sleep", "600"], { cwd: worktree, env: { TAZUNA_RUN: begun.run.id } });
  await team.product.tazuna(["list"]);
  await writeFile(join(worktree, "late.txt"), "late\n");
  agent.kill();
  expect(await comesBack(team, begun)).toMatchObject({ files: 1 });
});

journey("a name that is no text comes over, and what no snapshot holds is named", async () => {
  await using team = await returnWorld();
  const { product, there } = team;
  const begun = await movedRun(team);
  const { id, worktree } = begun.attempt;
  const odd = Buffer.from("caf\xe9.txt", "latin1");
  await writeFile(Buffer.concat([Buffer.from(`${worktree}/`), odd]), "odd\n");
  const inner = join(worktree, "inner");
  await mkdir(inner);
  await product.sandbox.git(inner, ["init", "--quiet"]);
  await writeFile(join(inner, "work.txt"), "work\n");
  const offer = await comesBack(team, begun);
  expect(offer).toMatchObject({ files: 1, not_contained: ["inner"] });
  expect((await product.tazuna(["show", id], there)).stdout).toContain("no copy holds inner");
  const restored = await product.tazuna(["restore", id, "--from", offer.worker.name], there);
  expect(restored.code).toBe(0);
  const names = await readdir((await team.show(begun)).worktree, { encoding: "buffer" });
  expect(names.some((name) => odd.equals(name))).toBe(true);
});
