import { describe, expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { PATIENCE_MS } from "../helpers/journey.ts";
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

  test.skipIf(process.getuid?.() === 0)(
    "that may not be written to is named (skipped as root, who may write anywhere; run the tests as another user)",
    async () => {
      await using world = await startProduct();
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
