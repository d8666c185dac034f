import { describe, expect, test } from "bun:test";
import { chmod, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { asMortal, skippedAsRoot } from "../helpers/mortal.ts";
import { startProduct } from "../helpers/product.ts";

const TEST_MS = PATIENCE_MS;

describe("the data folder", () => {
  test(
    "may be named by a relative path: every command and the engine mean the same folder",
    async () => {
      await using world = await startProduct();
      const home = relative(world.repository, world.home);
      const listed = await world.tazuna(["list", "--json"], { env: { TAZUNA_HOME: home } });
      expect([listed.code, listed.json<unknown>()]).toEqual([0, { tasks: [], next: null }]);
      expect(await world.enginePid()).not.toBeNull();
    },
    TEST_MS,
  );

  test(
    "that cannot be one is named in one line, by clients and by the server",
    async () => {
      await using world = await startProduct();
      const file = join(world.home, "file");
      await mkdir(world.home, { recursive: true });
      await writeFile(file, "mine");
      for (const [home, reason] of [
        [file, "is not a folder"],
        [join(file, "below"), "lies below something that is not a folder"],
      ] as const)
        for (const args of [
          ["list"],
          ["serve", "--port", "0"],
          ["run", "x", "--agent", "demo", "--foreground"],
        ]) {
          const { code, stdout, stderr } = await world.tazuna(args, { env: { TAZUNA_HOME: home } });
          expect([code, stdout, stderr]).toEqual([
            1,
            "",
            `tazuna: The data folder ${home} ${reason}. Set TAZUNA_HOME to a folder that you may write to.\n`,
          ]);
        }
    },
    TEST_MS,
  );

  test(
    "gives away nothing to other users, though the umask would and a person made it for all to read",
    async () => {
      await using world = await startProduct({ behind: ["sh", "-c", 'umask 000; exec "$@"', "sh"] });
      await world.agent("doer", "echo x > x.txt");
      await chmod(world.home, 0o755);
      const { attempt } = await ask(world, ["run", "x", "--agent", "doer"]);
      await ask(world, ["cancel", attempt.id]);
      const names = (await readdir(world.home)).filter((name) => name !== "config.json");
      expect(names).toContain("server.json");
      const open: string[] = [];
      for (const name of names)
        if (((await lstat(join(world.home, name))).mode & 0o077) !== 0) open.push(name);
      expect(open).toEqual([]);
    },
    TEST_MS,
  );

  test.skipIf(asMortal === null)(
    `that may not be written to is named${skippedAsRoot}`,
    async () => {
      await using world = await startProduct({ behind: asMortal ?? [] });
      const locked = join(world.home, "locked");
      await mkdir(locked, { recursive: true });
      await chmod(locked, 0o500);
      const { code, stderr } = await world.tazuna(["list"], { env: { TAZUNA_HOME: locked } });
      expect([code, stderr]).toEqual([
        1,
        `tazuna: The data folder ${locked} cannot be written to (EACCES). Set TAZUNA_HOME to a folder that you may write to.\n`,
      ]);
    },
    TEST_MS,
  );
});
