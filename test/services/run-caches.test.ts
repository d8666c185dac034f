import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { dataPaths } from "../../src/services/core/data-paths.ts";
import { discardRunCaches, emptyScratch } from "../../src/services/runs/run-caches.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

async function remover() {
  const folder = await tempDir();
  const faults: unknown[] = [];
  const paths = dataPaths(folder.path);
  return {
    paths,
    faults,
    newId: () => crypto.randomUUID(),
    reportFault: (what: string, error: unknown) => void faults.push([what, error]),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

/** Two hundred files, and a folder that is closed to writing. */
async function fill(store: string): Promise<void> {
  await mkdir(join(store, "closed"), { recursive: true });
  for (const place of ["closed/one", ...Array.from({ length: 200 }, (_, at) => `${at}`)])
    await writeFile(join(store, place), "");
  await chmod(join(store, "closed"), 0o500);
}

const world = { run: { id: "0b1d2f3a" } } as Parameters<typeof discardRunCaches>[1];

test("package stores of a run leave its folder before it ends, and are deleted in the background, however often", async () => {
  await using context = await remover();
  const { paths, faults } = context;
  for (let times = 0; times < 2; times++) {
    await fill(join(paths.run(world.run.id), "own/home/.npm"));
    await discardRunCaches(context, world);
    expect(await readdir(paths.run(world.run.id))).toEqual([]);
  }
  await waitFor("the stores to be deleted", async () => (await readdir(paths.scratch)).length === 0);
  await discardRunCaches(context, world);
  expect(faults).toEqual([]);
});

test("what an engine that ended had not deleted is deleted by the next one, which does not wait for stores", async () => {
  await using context = await remover();
  const { paths, faults } = context;
  await emptyScratch(context);
  await fill(join(paths.scratch, "snapshot-1"));
  await fill(join(paths.scratch, "stores-1"));
  await emptyScratch(context);
  expect(readdirSync(paths.scratch)).toEqual(["stores-1"]);
  await waitFor("the stores to be deleted", async () => (await readdir(paths.scratch)).length === 0);
  expect(faults).toEqual([]);
});
