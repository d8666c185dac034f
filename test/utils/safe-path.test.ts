import { describe, expect, test } from "bun:test";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { realLocation } from "../../src/utils/paths/real-location.ts";
import { realPathInside } from "../../src/utils/paths/safe-path.ts";
import { type TempDir, tempDir } from "../helpers/temp-dir.ts";

/** A folder `ws` with files and links in it, beside `ws-evil` and `outside`. */
async function workspace(): Promise<TempDir & { readonly root: string }> {
  const dir = await tempDir();
  const root = join(dir.path, "ws");
  for (const folder of ["ws/sub", "ws-evil", "outside/in"])
    await mkdir(join(dir.path, folder), { recursive: true });
  for (const file of ["ws/file", "ws/sub/file", "ws-evil/file", "outside/secret", "ws/-x $(y)\u00e9"])
    await writeFile(join(dir.path, file), "");
  await symlink("../outside/in", join(root, "out"));
  await symlink("sub", join(root, "inner"));
  await symlink("../outside/secret", join(root, "leak"));
  await symlink("../outside/new", join(root, "dangling"));
  await symlink("sub/new", join(root, "pending"));
  await symlink("loop", join(root, "loop"));
  return { path: dir.path, root, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const there = (path: string) => ({ ok: true, path, kind: "file" }) as const;

describe("realPathInside", () => {
  test("answers with the real path of what is inside", async () => {
    await using ws = await workspace();
    const inside = async (path: string) => realPathInside(ws.root, path);
    expect(await inside("file")).toEqual(there(join(ws.root, "file")));
    expect(await inside("./sub/../file")).toEqual(there(join(ws.root, "file")));
    expect(await inside("inner/file")).toEqual(there(join(ws.root, "sub/file")));
    expect(await inside("sub\\file")).toEqual(there(join(ws.root, "sub/file")));
    expect(await inside(".")).toEqual({ ok: true, path: ws.root, kind: "directory" });
    expect(await inside(join(ws.root, "file"))).toEqual(there(join(ws.root, "file")));
    expect(await inside("-x $(y)\u00e9")).toEqual(there(join(ws.root, "-x $(y)\u00e9")));
  });

  test("takes a root that is itself reached through a link", async () => {
    await using ws = await workspace();
    const link = join(ws.path, "link-to-ws");
    await symlink(ws.root, link);
    const file = there(join(ws.root, "file"));
    expect(await realPathInside(link, "file")).toEqual(file);
    expect(await realPathInside(link, join(link, "file"))).toEqual(file);
  });

  test("refuses what leaves by its spelling or by a link", async () => {
    await using ws = await workspace();
    const paths = [
      "..",
      "../outside/secret",
      "../ws-evil/file",
      "sub/../../outside/secret",
      "..\\outside\\secret",
      join(ws.path, "outside/secret"),
      join(ws.path, "ws-evil/file"),
      "/etc/passwd",
      "leak",
      "out",
      "out/../secret",
    ];
    const answers = await Promise.all(paths.map((path) => realPathInside(ws.root, path)));
    expect(answers.map((answer) => (answer.ok ? answer.path : answer.reason))).toEqual(
      paths.map(() => "outside"),
    );
  });

  test("refuses spellings that no path should have", async () => {
    await using ws = await workspace();
    const paths = [
      "",
      "  ",
      "a\0b",
      "a\nb",
      "\x7f",
      "x".repeat(4097),
      "C:\\x",
      "c:x",
      "\\\\host\\share",
      "//host/x",
      "/\\host/x",
      "\\\\?\\C:\\x",
      "//./pipe/x",
      "half \ud83d",
      "n".repeat(256),
      "\u00e9".repeat(128),
    ];
    const answers = await Promise.all(paths.map((path) => realPathInside(ws.root, path)));
    expect(answers.map((answer) => (answer.ok ? answer.path : answer.reason))).toEqual(
      paths.map(() => "invalid"),
    );
  });

  test("does not decode, expand or fold anything", async () => {
    await using ws = await workspace();
    for (const path of ["%2e%2e/outside", "~", "FILE ", "\uff0e\uff0e/outside"])
      expect(await realPathInside(ws.root, path)).toEqual({
        ok: false,
        reason: "missing",
        message: `${path} does not exist`,
      });
  });

  test("judges what does not exist yet by where it would be made, if that is asked", async () => {
    await using ws = await workspace();
    const future = async (path: string) => {
      const answer = await realPathInside(ws.root, path, { missing: "allow" });
      return answer.ok ? answer.path : answer.reason;
    };
    expect(await future("new/deep/file")).toBe(join(ws.root, "new/deep/file"));
    expect(await future("inner/new")).toBe(join(ws.root, "sub/new"));
    expect(await future("out/new")).toBe("outside");
    expect(await future("dangling")).toBe("outside");
    expect(await future("dangling/new")).toBe("outside");
    expect(await future("pending")).toBe(join(ws.root, "sub/new"));
    expect(await future("pending/x")).toBe(join(ws.root, "sub/new/x"));
    expect(await future("loop")).toBe("invalid");
    expect(await future("new/../../x")).toBe("invalid");
    expect(await future("new/../file")).toBe("invalid");
    expect(await future("file/x")).toBe("invalid");
    expect((await realPathInside(ws.root, "new")).ok).toBe(false);
  });

  test("does not tell whether something outside exists", async () => {
    await using ws = await workspace();
    const reason = (path: string) => {
      const answer = realPathInside(ws.root, path);
      return answer.ok ? answer.path : answer.reason;
    };
    for (const path of ["out/x", "out/../secret", "out/../none", "../none", join(ws.path, "none"), "leak/x"])
      expect([path, reason(path)]).toEqual([path, "outside"]);
  });

  test.if(process.platform === "linux")(
    "follows no link that means another place to each process",
    async () => {
      await using ws = await workspace();
      for (const [name, to] of [
        ["cwd", "/proc/self/cwd"],
        ["root", `/proc/self/root${ws.root}/sub`],
        ["descriptor", "/dev/fd/../cwd"],
      ] as const) {
        await symlink(to, join(ws.root, name));
        const leads = realLocation(join(ws.root, name, "file"));
        expect([name, leads]).toMatchObject([
          name,
          { found: "no-way", why: "it leads elsewhere in each process" },
        ]);
        expect(realPathInside(ws.root, `${name}/file`)).toMatchObject({ ok: false, reason: "outside" });
      }
    },
  );

  test("follows chains of links, and up from where a link leads", async () => {
    await using ws = await workspace();
    await mkdir(join(ws.root, "deep/er"), { recursive: true });
    await symlink("deep/er", join(ws.root, "one"));
    for (let at = 0; at < 39; at++) await symlink(at === 0 ? "one" : `c${at - 1}`, join(ws.root, `c${at}`));
    const path = (given: string) => {
      const answer = realPathInside(ws.root, given);
      return answer.ok ? answer.path : answer.reason;
    };
    expect(path("one/..")).toBe(join(ws.root, "deep"));
    expect(path("one/../../file")).toBe(join(ws.root, "file"));
    expect(path("c38/../../file")).toBe(join(ws.root, "file"));
    await symlink("c38", join(ws.root, "c39"));
    expect(path("c39")).toBe("missing");
  });

  test("takes names that only look like ways out, and does not trim", async () => {
    await using ws = await workspace();
    for (const name of ["..foo", "...", "foo..", " lead", "trail ", "~", "%2e%2e", "ab:c"]) {
      await writeFile(join(ws.root, name), "");
      expect(realPathInside(ws.root, name)).toEqual(there(join(ws.root, name)));
    }
  });

  test("a file with a slash behind it is no file", async () => {
    await using ws = await workspace();
    expect(realPathInside(ws.root, "sub/")).toEqual({
      ok: true,
      path: join(ws.root, "sub"),
      kind: "directory",
    });
    expect(realPathInside(ws.root, "file/")).toMatchObject({ ok: false, reason: "missing" });
    expect(realPathInside(ws.root, "file/.")).toMatchObject({ ok: false, reason: "missing" });
    expect(realPathInside(ws.root, "file/..")).toMatchObject({ ok: false, reason: "missing" });
  });

  test("refuses every absolute path if that is asked", async () => {
    await using ws = await workspace();
    expect(realPathInside(ws.root, ws.root, { absolute: "refused" })).toMatchObject({ reason: "invalid" });
    expect(realPathInside(ws.root, ".", { absolute: "refused" })).toMatchObject({ ok: true });
  });

  test("throws if the root is missing", async () => {
    expect(() => realPathInside("/no/such/root", "file")).toThrow(
      expect.objectContaining({ code: "ENOENT" }),
    );
  });
});
