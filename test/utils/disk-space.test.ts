import { expect, test } from "bun:test";
import { freeSpace } from "../../src/utils/files/disk-space.ts";
import { tempDir } from "../helpers/temp-dir.ts";

test("the room of a file system is given in bytes", async () => {
  await using dir = await tempDir();
  const { free, total } = await freeSpace(dir.path);
  expect(Number.isInteger(free) && Number.isInteger(total)).toBe(true);
  expect(free).toBeGreaterThanOrEqual(0);
  expect(total).toBeGreaterThan(1_000_000);
  expect(total).toBeGreaterThanOrEqual(free);
});

test("a path that does not exist has none", async () => {
  await expect(freeSpace("/no/such/path")).rejects.toMatchObject({ code: "ENOENT" });
});
