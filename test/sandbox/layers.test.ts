import { describe, expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { layersOf } from "../../src/sandbox/layers.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const NOTHING = { writable: [], own: [], readOnly: [], hidden: [] };

describe("layersOf", () => {
  test("what lies deeper comes later, whatever list it stands in", async () => {
    await using dir = await tempDir();
    const inner = join(dir.path, "home/data/work");
    await mkdir(inner, { recursive: true });
    await writeFile(join(inner, ".git"), "");
    const layers = layersOf({
      ...NOTHING,
      writable: [inner],
      readOnly: [join(inner, ".git"), join(dir.path, "home")],
      hidden: [join(dir.path, "home/data")],
    });
    expect(layers).toEqual([
      { path: join(dir.path, "home"), kind: "read-only", is: "folder" },
      { path: join(dir.path, "home/data"), kind: "hidden", is: "folder" },
      { path: inner, kind: "writable", is: "folder" },
      { path: join(inner, ".git"), kind: "read-only", is: "file" },
    ]);
  });

  test("of one place the strictest kind holds, by its real path", async () => {
    await using dir = await tempDir();
    const secrets = join(dir.path, "secrets");
    await mkdir(secrets);
    await symlink(secrets, join(dir.path, "alias"));
    expect(layersOf({ ...NOTHING, writable: [secrets], hidden: [join(dir.path, "alias")] })).toEqual([
      { path: secrets, kind: "hidden", is: "folder" },
    ]);
    expect(layersOf({ ...NOTHING, writable: [join(dir.path, "alias")], readOnly: [secrets] })).toEqual([
      { path: secrets, kind: "read-only", is: "folder" },
    ]);
  });

  test("what does not exist, and the root, are left out", async () => {
    await using dir = await tempDir();
    await symlink("nowhere", join(dir.path, "broken"));
    const writable = [join(dir.path, "missing"), join(dir.path, "broken"), "/"];
    expect(layersOf({ ...NOTHING, writable })).toEqual([]);
  });
});
