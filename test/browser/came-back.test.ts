/** Brings in, and drops, what a machine that came back still had: on the page of the attempt, in both languages. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessibilityFaults, BROWSER, keepShot, openControlRoom, settled } from "../helpers/browser.ts";
import { exists, PATIENCE_MS } from "../helpers/journey.ts";
import { postgres } from "../helpers/postgres-server.ts";
import { comesBack, movedRun, returnWorld } from "../helpers/return-world.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

const missing = "missing" in postgres ? ` (skipped: ${postgres.missing})` : "";

test.skipIf(BROWSER.missing || missing !== "")(
  deep(`the page of an attempt says who came back, and takes or drops the edits${BROWSER.why}${missing}`),
  async () => {
    await using team = await returnWorld();
    const { product } = team;
    const begun = await movedRun(team);
    const { id, worktree } = begun.attempt;
    await writeFile(join(worktree, "late.txt"), "late\n");
    const { worker } = await comesBack(team, begun);
    const path = `/attempts/${id}`;
    const late = join((await team.show(begun)).worktree, "late.txt");
    const rows = "select state from left_worktrees where attempt_id = $1";
    const becomes = (state: string) =>
      waitFor(
        `the offer to be ${state}`,
        async () => (await team.db.query(rows, [id])).rows[0]?.state === state,
      );

    await using room = await openControlRoom(product, { path });
    const { page } = room;
    const line = page.getByText(`${worker.name} came back: 1 file edited after the copy`);
    await line.waitFor();
    await line.scrollIntoViewIfNeeded();
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await keepShot(page, "came-back-en");
    await using second = await openControlRoom(product, { language: "ja", theme: "dark", path });
    const japanese = second.page.getByText(`${worker.name} が復帰：コピーのあとに変更されたファイル 1 件`);
    await japanese.waitFor();
    await japanese.scrollIntoViewIfNeeded();
    await settled(second.page);
    expect(await accessibilityFaults(second.page)).toEqual([]);
    await keepShot(second.page, "came-back-ja-dark");

    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Press again: Discard" }).click();
    await becomes("discarded");
    await line.waitFor({ state: "detached" });
    expect(await exists(late)).toBe(false);

    // The same edits, as if nobody had decided yet.
    await team.db.query("update left_worktrees set state = 'offered', ended_at = null");
    await page.reload();
    await line.waitFor();
    await page.getByRole("button", { name: "Bring in" }).click();
    expect(await exists(late)).toBe(false);
    await page.getByRole("button", { name: "Press again: Bring in" }).click();
    await becomes("restored");
    await line.waitFor({ state: "detached" });
    expect(await readFile(late, "utf8")).toBe("late\n");
    expect([...room.faults, ...second.faults]).toEqual([]);
  },
);
