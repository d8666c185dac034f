/** Puts back an older copy of the database from each phase of a run: nothing is lost or done twice. */
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ask, branchAt, ending, noteCodes, PATIENCE_MS, refused } from "../../helpers/journey.ts";
import { IN_TEAM, onSqlite } from "../../helpers/own-schema.ts";
import { type Product, startProduct } from "../../helpers/product.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { readDataFolder } from "../crash/data-folder.ts";
import { EDIT, holdable, type Phase, whileAt } from "./phases.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const copyOf = (product: Product) => join(dirname(product.home), "copy.db");

/** A whole copy, as a backup program would take it beside a working engine. */
async function copyDatabase(product: Product): Promise<void> {
  await rm(copyOf(product), { force: true });
  const db = new Database(join(product.home, "tazuna.db"), { readonly: true });
  db.run("pragma busy_timeout = 10000");
  db.run("vacuum into ?", [copyOf(product)]);
  db.close();
}

/** Puts the copy in the place of the database, with no engine on it. */
async function putBack(product: Product): Promise<void> {
  await product.killEngine();
  for (const end of ["", "-wal", "-shm"]) await rm(join(product.home, `tazuna.db${end}`), { force: true });
  await cp(copyOf(product), join(product.home, "tazuna.db"));
}

describe("a copy of when a run was", () => {
  test.skipIf(IN_TEAM).each(["preparing", "agent", "checking", "pushing"] as readonly Phase[])(
    onSqlite(deep("at `%s`: the run ends as it had, with the very commit that it had made")),
    async (phase) => {
      await using product = await startProduct();
      await holdable(product);
      const end = await whileAt(product, phase, () => copyDatabase(product));
      const tip = await branchAt(product, product.origin, end.attempt.branch);
      await putBack(product);
      await product.tazuna(["list", "--json"]);
      const again = await ask(product, ["wait", end.run.id]);
      const trailers = [
        "log",
        "--format=%(trailers:key=Tazuna-Run,valueonly)",
        `main..${end.attempt.branch}`,
      ];
      expect((await product.sandbox.git(product.origin, trailers)).trim()).toBe(end.run.id);
      expect<unknown>([ending(again.run), again.run.commit]).toEqual([PUSHED, end.run.commit]);
      expect(await branchAt(product, product.origin, end.attempt.branch)).toBe(tip);
      expect(await branchAt(product, product.repository, end.attempt.branch)).toBe(tip);
      tally("fault", `older database, of when its run was at ${phase}`);
    },
  );
});

test.skipIf(IN_TEAM)(
  onSqlite(
    deep("a copy from before a cancel: the attempt is open again and keeps its commits, and the trash stays"),
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", EDIT);
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await copyDatabase(product);
    await writeFile(join(end.attempt.worktree, "mine.txt"), "mine\n");
    await ask(product, ["cancel", end.attempt.id]);
    const ref = `refs/tazuna/snapshots/${end.attempt.id}/1`;
    const snapshot = await product.sandbox.git(product.repository, ["rev-parse", ref]);
    await putBack(product);

    const later = await ask(product, ["continue", end.attempt.id, "Once more"]);
    expect<unknown>([ending(later.run), noteCodes(later.run)]).toEqual([PUSHED, ["worktree_restored"]]);
    expect(await product.sandbox.git(product.origin, ["rev-parse", `${later.run.commit}^`])).toBe(
      end.run.commit ?? "",
    );
    await ask(product, ["cancel", end.attempt.id]);
    expect(await readFile(join(product.home, "trash", end.attempt.id, "mine.txt"), "utf8")).toBe("mine\n");
    expect(await readdir(join(product.home, "trash"))).toHaveLength(2);
    expect(await product.sandbox.git(product.repository, ["rev-parse", ref])).toBe(snapshot);
    const numbers = readDataFolder(product.home).snapshots.map((each) => each.ref);
    expect(new Set(numbers).size).toBe(numbers.length);
    tally("fault", "older database, of before a cancel");
  },
);

test.skipIf(IN_TEAM)(
  onSqlite(
    deep(
      "a copy from before the trash was emptied: a restore finds nothing, and new work takes no used name",
    ),
  ),
  async () => {
    await using product = await startProduct();
    await product.agent("agent", EDIT);
    const end = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await ask(product, ["cancel", end.attempt.id]);
    await copyDatabase(product);
    await product.tazuna(["trash", "empty", "--yes"]);
    const unknown = await ask(product, ["run", "Change it", "--agent", "agent"]);
    await putBack(product);

    const listed = await product.tazuna(["trash", "list", "--json"]);
    expect(listed.json<{ entries: readonly object[] }>().entries).toEqual([]);
    const { code } = await refused(product, ["trash", "restore", end.attempt.id]);
    expect(code).toBe(1);
    const ref = `refs/tazuna/snapshots/${end.attempt.id}/1:made.txt`;
    expect(await product.sandbox.git(product.repository, ["cat-file", "-p", ref])).toBe(end.run.id);
    const next = await ask(product, ["run", "Change it", "--agent", "agent"]);
    expect<unknown>(ending(next.run)).toEqual(PUSHED);
    expect(next.attempt.branch).not.toBe(unknown.attempt.branch);
    expect(await branchAt(product, product.repository, unknown.attempt.branch)).toBe(unknown.run.commit);
    expect(await readFile(join(unknown.attempt.worktree, "made.txt"), "utf8")).toBe(`${unknown.run.id}\n`);
    tally("fault", "older database, of before the trash was emptied");
  },
);
