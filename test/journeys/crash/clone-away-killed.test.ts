/** Fills the disk: clones that nothing needs go, come back when they are needed, and a kill on the way loses nothing. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { appendFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FindingDocument } from "../../../src/contract/endpoints/repositories.ts";
import { cloneWorld, type KnownRepository } from "../../helpers/clone-world.ts";
import { ask, ending, exists, PATIENCE_MS } from "../../helpers/journey.ts";
import { tally } from "../../helpers/tally.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { readDataFolder } from "./data-folder.ts";
import { smallDisk, whyNoSmallDisk } from "./small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

/** The trash is looked at each second, and the clones after it. */
const TIMING = { trashKeepMs: 1_000, cloneUnusedMs: 0 };
/** Less than the floor of that disk, and enough for the database. */
const LITTLE = 2 * 1024 ** 2;

/** A clone on a disk that is nearly full. */
async function nearlyFull(timing: Readonly<Record<string, number>> = TIMING) {
  const world = await cloneWorld({ password: null }, { timing });
  const disk = await smallDisk(world.product.home, "64m");
  const added = await world.product.tazuna(["repo", "add", world.url, "--json"]);
  const [clone] = added.json<{ repositories: readonly KnownRepository[] }>().repositories;
  if (clone === undefined) throw new Error(added.stdout + added.stderr);
  return {
    ...world,
    disk,
    clone,
    git: (...args: readonly string[]) => world.product.sandbox.git(clone.path, args),
    acts: () => readDataFolder(world.product.home).operations.filter(({ kind }) => kind === "clone_away"),
    [Symbol.asyncDispose]: async () => {
      await disk[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

type World = Awaited<ReturnType<typeof nearlyFull>>;

/** The folder of a second clone that nothing needs; null if the server does not answer. */
async function another({ product, server }: World, isSilent: boolean): Promise<string | null> {
  if (isSilent) return null;
  await product.sandbox.git(dirname(product.origin), [
    "clone",
    "--quiet",
    "--bare",
    product.origin,
    "other.git",
  ]);
  const added = await product.tazuna(["repo", "add", server.url("other.git"), "--json"]);
  return added.json<{ repositories: readonly KnownRepository[] }>().repositories[0]?.path ?? null;
}

async function isGone({ clone, product, acts }: World): Promise<void> {
  await waitFor(
    "the clone to go",
    () => !existsSync(clone.path) && acts().some((act) => act.status === "done"),
  );
  expect(await readdir(join(product.home, "trash"))).toEqual([]);
}

async function findings({ product }: World): Promise<readonly FindingDocument[]> {
  const told = await product.tazuna(["doctor", "--json"]);
  return told.json<{ findings: readonly FindingDocument[] }>().findings;
}

/** Doctor and a clean-up say why the clone stays, until there is room. */
async function saysWhy(world: World, why: string): Promise<void> {
  const id = `clone_kept:${world.clone.id}`;
  const isKept = async () => (await findings(world)).find((finding) => finding.id === id) ?? null;
  const kept = await waitFor("doctor to say why the clone stays", isKept);
  expect(kept).toMatchObject({ level: "info", why: expect.stringContaining(why) });
  const { stdout } = await world.product.tazuna(["clean"]);
  expect(stdout).toContain(why);
  await world.disk.free();
  await waitFor("doctor to say no more of it", async () => (await isKept()) === null);
}

const noDisk = await whyNoSmallDisk();

describe.skipIf(noDisk !== null)(`a small disk${noDisk === null ? "" : ` (skipped: ${noDisk})`}`, () => {
  test(deep("a clone that nothing needs goes, the list says so, and a task clones it anew"), async () => {
    await using world = await nearlyFull();
    const { product, clone, disk, url, git } = world;
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const main = await git("rev-parse", "main");
    await git("branch", "kept", "main");
    await disk.fill(LITTLE);
    await isGone(world);
    expect(await world.repositories()).toMatchObject([{ id: clone.id, url, put_away: true }]);
    expect((await product.tazuna(["repo", "list"])).stdout).toContain("cloned anew when needed");
    expect((await findings(world)).filter(({ id }) => id === `repository:${clone.id}`)).toMatchObject([
      { level: "info", what: expect.stringContaining("cloned anew") },
    ]);
    const full = await product.tazuna(["run", "echo no", "--agent", "doer", "--repo", clone.id, "--json"]);
    expect(full.json<{ error: { code: string } }>().error.code).toBe("clone_no_room");
    await disk.free();
    const end = await ask(product, ["run", "echo one > one.txt", "--agent", "doer", "--repo", clone.id]);
    expect<unknown>(ending(end.run)).toEqual({ status: "SUCCEEDED", outcome: "pushed" });
    // What was put away with it came back, too.
    expect(await git("rev-parse", "kept")).toBe(main);
    expect(await world.repositories()).toMatchObject([{ id: clone.id, put_away: false }]);
    expect((await findings(world)).filter(({ id }) => /^(?:workspaces|act|trash):/.test(id))).toEqual([]);
  });

  const SILENT = "a remote that does not answer";
  const LACKED = "It holds what its remote lacks:";
  const STRANGE = "It has what no clone has:";
  const WHY: Readonly<Record<string, string>> = {
    "a branch that the remote lacks": LACKED,
    "a reference to a tree": `${LACKED} refs/kept.`,
    "a tag of its own": `${LACKED} refs/tags/mine.`,
    "a file of a person": `${STRANGE} notes.txt.`,
    "a hook of a person": `${STRANGE} .git/description.`,
    "a setting of a person": `${STRANGE} user.name.`,
    "a worktree of a person": "Others work in it:",
  };
  const KEEPS: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
    "a branch that the remote lacks": async ({ git }) =>
      git(
        ...["-c", "user.name=U", "-c", "user.email=u@example.com"],
        ...[
          "update-ref",
          "refs/heads/mine",
          await git("commit-tree", "main^{tree}", "-p", "main", "-m", "mine"),
        ],
      ),
    "a reference to a tree": async ({ git }) =>
      git("update-ref", "refs/kept", await git("rev-parse", "main^{tree}")),
    "a tag of its own": ({ git }) =>
      git("-c", "user.name=U", "-c", "user.email=u@example.com", "tag", "-a", "-m", "mine", "mine", "main"),
    "a file of a person": ({ clone }) => writeFile(join(clone.path, "notes.txt"), "mine\n"),
    "a hook of a person": ({ clone }) => appendFile(join(clone.path, ".git", "description"), "mine\n"),
    "a setting of a person": ({ git }) => git("config", "user.name", "Una"),
    "a worktree of a person": ({ git, product }) =>
      git("worktree", "add", "--quiet", "--detach", join(dirname(product.home), "theirs"), "main"),
    [SILENT]: async ({ server }) => server.behave({ hang: true }),
  };

  for (const [what, change] of Object.entries(KEEPS))
    test(deep(`a clone with ${what} stays`), async () => {
      await using world = await nearlyFull();
      const { disk, clone, server, acts } = world;
      await change(world);
      const asked = server.requests.length;
      const second = await another(world, what === SILENT);
      await disk.fill(LITTLE);
      // It was used later. So it goes only in a look that has passed over the first one.
      if (second === null) await waitFor("a question to the remote", () => server.requests.length > asked);
      else await waitFor("the second clone to go", () => !existsSync(second));
      expect(await exists(join(clone.path, ".git"))).toBe(true);
      expect(acts().filter(({ subject }) => subject === clone.id)).toEqual([]);
      if (second !== null) await saysWhy(world, WHY[what] ?? "");
    });

  for (const failpoint of ["before:clone_away", "clone_away:aside", "after:clone_away"])
    test(
      deep(`a clone whose going is killed at ${failpoint} is there whole or gone, and comes back`),
      async () => {
        await using world = await nearlyFull();
        const { product, disk, clone, git, url } = world;
        const main = await git("rev-parse", "main");
        const reached = join(dirname(product.home), "reached");
        await product.killEngine();
        await disk.fill(LITTLE);
        await product.tazuna(["list"], { env: { TAZUNA_FAILPOINT: `${failpoint}@${reached}` } });
        await waitFor("the failpoint", () => existsSync(reached));
        await product.tazuna(["list"]);
        await isGone(world);
        expect(world.acts().filter(({ status }) => status === "intended")).toEqual([]);
        await disk.free();
        expect((await product.tazuna(["repo", "add", url])).code).toBe(0);
        expect(await git("rev-parse", "main")).toBe(main);
        expect((await findings(world)).filter(({ id }) => /^(?:workspaces|act|trash):/.test(id))).toEqual([]);
        expect(await readdir(join(product.home, "workspaces"))).toEqual([clone.id]);
        tally("kill", `a clone that goes for room, at ${failpoint}`, { under: "guard" });
      },
    );
});
