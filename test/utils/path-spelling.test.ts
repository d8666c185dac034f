import { describe, expect, test } from "bun:test";
import { isInside, spellPath } from "../../src/utils/paths/path-spelling.ts";

const spell = (path: string, platform: NodeJS.Platform, absolute: "accepted" | "refused" = "accepted") => {
  const root = platform === "win32" ? "C:\\work\\ws" : "/work/ws";
  const spelling = spellPath(path, { root, platform, absolute });
  return spelling.ok ? spelling.path : false;
};

describe("spellPath on Linux and macOS", () => {
  test("joins what is relative to the root, without shortening it", () => {
    expect(spell("a/b", "linux")).toBe("/work/ws/a/b");
    expect(spell("a\\b", "darwin")).toBe("/work/ws/a/b");
    expect(spell("out/../x", "linux")).toBe("/work/ws/out/../x");
    expect(spell("/etc/x", "linux")).toBe("/etc/x");
    expect(spellPath("x", { root: "/", platform: "linux", absolute: "refused" })).toEqual({
      ok: true,
      path: "/x",
    });
  });

  test("knows drives, shares and devices of Windows, and refuses them", () => {
    for (const path of [
      "C:\\x",
      "c:x",
      "z:/",
      "\\\\host\\share",
      "//host/x",
      "\\\\?\\C:\\x",
      "//./x",
      "\\/x",
    ])
      expect([path, spell(path, "linux")]).toEqual([path, false]);
  });

  test("leaves alone what only Windows reads in another way", () => {
    for (const path of ["ab:b/cd:d", "nul", "x.", "a*b"])
      expect(spell(path, "linux")).toBe(`/work/ws/${path}`);
  });
});

describe("spellPath on Windows", () => {
  test("joins what is relative with backslashes", () => {
    expect(spell("src/tools", "win32")).toBe("C:\\work\\ws\\src\\tools");
    expect(spell("src\\tools", "win32", "refused")).toBe("C:\\work\\ws\\src\\tools");
    expect(spell(".", "win32")).toBe("C:\\work\\ws\\.");
  });

  test("takes an absolute path with a drive only if absolute paths are accepted", () => {
    expect(spell("C:\\work\\ws\\src", "win32")).toBe("C:\\work\\ws\\src");
    expect(spell("c:/work/ws", "win32")).toBe("c:\\work\\ws");
    expect(spell("C:\\work\\ws\\src", "win32", "refused")).toBe(false);
    expect(spell("\\\\host\\share\\ws", "win32")).toBe("\\\\host\\share\\ws");
    expect(spell("\\\\host\\share\\ws", "win32", "refused")).toBe(false);
    expect(spell("/tmp", "win32")).toBe("C:\\tmp");
    expect(spell("/tmp", "win32", "refused")).toBe(false);
  });

  test("refuses devices, streams, paths that depend on a drive's folder, and ends that Windows leaves out", () => {
    const paths = [
      "C:x",
      "C:",
      "\\\\?\\C:\\work\\ws",
      "\\\\.\\COM1",
      "nul",
      "a/NUL.txt",
      "com1",
      "LPT\u00b9",
      "con .x",
    ];
    const more = [
      "f:stream",
      ".git::$INDEX_ALLOCATION",
      "a?b",
      "dir./x",
      "x ",
      "...",
      ".. /x",
      "n".repeat(256),
    ];
    for (const path of [...paths, ...more]) expect([path, spell(path, "win32")]).toEqual([path, false]);
    for (const path of ["nullable", "console", "com10", "..foo", ".git"])
      expect(spell(path, "win32")).toBe(`C:\\work\\ws\\${path}`);
  });
});

describe("isInside", () => {
  test("needs a separator behind the folder", () => {
    expect(isInside("/ws", "/ws", "linux")).toBe(true);
    expect(isInside("/ws", "/ws/x", "linux")).toBe(true);
    expect(isInside("/ws", "/ws-evil", "linux")).toBe(false);
    expect(isInside("/", "/x", "linux")).toBe(true);
    expect(isInside("C:\\ws", "C:\\ws\\x", "win32")).toBe(true);
    expect(isInside("C:\\ws", "C:\\ws-evil\\x", "win32")).toBe(false);
    expect(isInside("C:\\", "C:\\x", "win32")).toBe(true);
  });
});
