import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, chown, mkdir, readdir, readFile, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IssueDefinitionAggregate } from "../../src/domain/issue/issue-definition-aggregate.ts";
import {
  issueDefinitionExists,
  loadIssueDefinition,
  saveIssueDefinition,
} from "../../src/effect/issue-storage.ts";
import { program } from "../helpers/programs.ts";
import { type TempDir, tempDir } from "../helpers/temp-dir.ts";

// Real files and many runs, on a busy machine.
setDefaultTimeout(150_000);

const created = IssueDefinitionAggregate.defineIssue(
  { issue: "課題", context: "c".repeat(4000), constraints: "c".repeat(4000) },
  { createdAt: new Date(0) },
)._unsafeUnwrap();

const run = (...argv: string[]) => Bun.spawnSync(argv, { stdout: "ignore", stderr: "ignore" }).success;

/** A small file system of its own; null if this user may mount none. */
async function mounted(...options: string[]): Promise<TempDir | null> {
  const dir = await tempDir();
  if (run("mount", "-t", "tmpfs", "-o", options.join(","), "tmpfs", dir.path))
    return {
      path: dir.path,
      [Symbol.asyncDispose]: async () => {
        run("umount", "-l", dir.path);
        await dir[Symbol.asyncDispose]();
      },
    };
  await dir[Symbol.asyncDispose]();
  return null;
}

const probe = await mounted("size=64k");
const mayMount = probe !== null;
await probe?.[Symbol.asyncDispose]();
const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

const saveIn = (root: string) => saveIssueDefinition(root, created);

describe("a full disk", () => {
  const title =
    "seed 004 Error Categories and Error Scenario Tests: with a full disk the definition fails as disk_full, and the issue stays";
  test.skipIf(!mayMount)(
    mayMount ? title : `${title} (skipped: only who may mount can have a small disk)`,
    async () => {
      const disk = await mounted("size=256k");
      if (disk === null) throw new Error("could mount a moment ago");
      await using _ = disk;
      expect((await saveIn(disk.path)).isOk()).toBe(true);
      const file = join(disk.path, ".tazuna", "issue.json");
      const before = await readFile(file, "utf8");
      for (const pages of [0, 1, 2, 3]) {
        const { bavail, bsize } = await statfs(disk.path);
        await writeFile(
          join(disk.path, `ballast${pages}`),
          new Uint8Array(Math.max(0, bavail - pages) * bsize),
        );
        const failed = (await saveIn(disk.path))._unsafeUnwrapErr();
        expect(failed.type).toBe("disk_full");
        expect(await readFile(file, "utf8")).toBe(before);
        expect((await readdir(join(disk.path, ".tazuna"))).sort()).toEqual([
          ".gitignore",
          "issue.json",
          "issue.json.lock",
        ]);
        await Bun.file(join(disk.path, `ballast${pages}`)).delete();
      }
      expect((await saveIn(disk.path))._unsafeUnwrap()).toEqual({ earlier: 1, keptAside: null });
    },
  );
});

describe("missing permission", () => {
  const readOnly =
    "seed 004 Error Categories and Error Scenario Tests: on a read-only file system defining is permission_denied, and reading works";
  test.skipIf(!mayMount)(
    mayMount ? readOnly : `${readOnly} (skipped: only who may mount can make one)`,
    async () => {
      const disk = await mounted("size=256k");
      if (disk === null) throw new Error("could mount a moment ago");
      await using _ = disk;
      expect((await saveIn(disk.path)).isOk()).toBe(true);
      expect(run("mount", "-o", "remount,ro", disk.path)).toBe(true);
      expect((await saveIn(disk.path))._unsafeUnwrapErr().type).toBe("permission_denied");
      expect((await loadIssueDefinition({ kind: "workspace", root: disk.path })).isOk()).toBe(true);
    },
  );

  test("seed 004 Error Categories and Error Scenario Tests: defining in another user's folder is permission_denied", async () => {
    await using dir = await tempDir();
    await chmod(dir.path, 0o755);
    await mkdir(join(dir.path, ".tazuna"));
    if (!isRoot) await chmod(join(dir.path, ".tazuna"), 0o555);
    const argv = [process.execPath, program("define-issues.ts"), dir.path, "a", "1"];
    const child = Bun.spawn(isRoot ? [...argv, String(NOBODY)] : argv, { stdout: "pipe", stderr: "inherit" });
    const said = JSON.parse(await new Response(child.stdout).text());
    expect(said.type).toBe("permission_denied");
    expect(said.message).toStartWith(".tazuna/issue.json: ");
    expect(await readdir(join(dir.path, ".tazuna"))).toEqual([]);
    if (!isRoot) await chmod(join(dir.path, ".tazuna"), 0o755);
  });

  const unreadable =
    "seed 004 Error Categories and Error Scenario Tests: a file that may not be read is permission_denied, and counts as there";
  test.skipIf(isRoot)(isRoot ? `${unreadable} (skipped: root may read everything)` : unreadable, async () => {
    await using dir = await tempDir();
    expect((await saveIn(dir.path)).isOk()).toBe(true);
    await chmod(join(dir.path, ".tazuna", "issue.json"), 0);
    const place = { kind: "workspace", root: dir.path } as const;
    expect((await loadIssueDefinition(place))._unsafeUnwrapErr().type).toBe("permission_denied");
    expect(await issueDefinitionExists(place)).toBe(true);
    expect((await saveIn(dir.path))._unsafeUnwrapErr().type).toBe("permission_denied");
  });

  const foreign =
    "seed 004 Error Categories and Error Scenario Tests: a file that another user may not read is never replaced by that user";
  test.skipIf(!isRoot)(
    isRoot ? foreign : `${foreign} (skipped: only root can become another user)`,
    async () => {
      await using dir = await tempDir();
      await chmod(dir.path, 0o755);
      expect((await saveIn(dir.path)).isOk()).toBe(true);
      const folder = join(dir.path, ".tazuna");
      const before = await readFile(join(folder, "issue.json"), "utf8");
      for (const path of [folder, join(folder, "issue.json.lock")]) await chown(path, NOBODY, NOBODY);
      const argv = [process.execPath, program("define-issues.ts"), dir.path, "a", "1", String(NOBODY)];
      const child = Bun.spawn(argv, { stdout: "pipe", stderr: "inherit" });
      expect(JSON.parse(await new Response(child.stdout).text()).type).toBe("permission_denied");
      expect(await readFile(join(folder, "issue.json"), "utf8")).toBe(before);
    },
  );
});
