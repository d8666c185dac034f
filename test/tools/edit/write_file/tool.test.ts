import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { swapForLink } from "../../swapping-racer.ts";
import { codeOf, toolkitIn } from "../../toolkit-in.ts";

describe("write_file", () => {
  test("makes a file and the folders on the way, and says how many bytes it wrote", async () => {
    await using bench = await toolkitIn();
    const answer = await bench.toolkit.writeFile({ path: "a/b/c.txt", content: "h\u00e9\r\n" });
    expect(answer).toEqual({
      status: "success",
      data: { path: "a/b/c.txt", created: true, bytes_written: 5 },
    });
    expect(readFileSync(join(bench.root, "a/b/c.txt"), "utf8")).toBe("h\u00e9\r\n");
    expect(readdirSync(join(bench.root, "a/b"))).toEqual(["c.txt"]);
  });

  test("gives a new file the bits that any program would give it", async () => {
    await using bench = await toolkitIn();
    await bench.invoke("write_file", { path: "new", content: "" });
    expect(statSync(join(bench.root, "new")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("replaces a file and keeps its permission bits", async () => {
    await using bench = await toolkitIn({ run: "old" });
    chmodSync(join(bench.root, "run"), 0o750);
    const answer = await bench.invoke("write_file", { path: "run", content: "new" });
    expect(answer).toEqual({ status: "success", data: { path: "run", created: false, bytes_written: 3 } });
    expect(statSync(join(bench.root, "run")).mode & 0o777).toBe(0o750);
  });

  test("create refuses a file that exists, replace one that does not", async () => {
    await using bench = await toolkitIn({ a: "old" });
    expect(await codeOf(bench.invoke("write_file", { path: "a", content: "", mode: "create" }))).toBe(
      "ALREADY_EXISTS",
    );
    expect(await codeOf(bench.invoke("write_file", { path: "b/c", content: "", mode: "replace" }))).toBe(
      "NOT_FOUND",
    );
    expect(readFileSync(join(bench.root, "a"), "utf8")).toBe("old");
    expect(existsSync(join(bench.root, "b"))).toBe(false);
  });

  test("of many that create the same file at once, one does", async () => {
    await using bench = await toolkitIn();
    const call = () => codeOf(bench.invoke("write_file", { path: "x/one", content: "1", mode: "create" }));
    const codes = await Promise.all(Array.from({ length: 20 }, call));
    expect(codes.filter((code) => code === "success")).toHaveLength(1);
    expect(readdirSync(join(bench.root, "x"))).toEqual(["one"]);
  });

  test("writes a file with a name as long as the system takes", async () => {
    await using bench = await toolkitIn();
    const path = "\u3042".repeat(85);
    expect(await codeOf(bench.invoke("write_file", { path, content: "" }))).toBe("success");
    expect(await codeOf(bench.invoke("write_file", { path: `${path}x`, content: "" }))).toBe(
      "INVALID_ARGUMENT",
    );
  });

  test("never follows a link out of the workspace", async () => {
    await using bench = await toolkitIn({ inside: "" });
    symlinkSync(bench.outside, join(bench.root, "out"));
    symlinkSync(join(bench.outside, "secret"), join(bench.root, "leak"));
    symlinkSync(join(bench.outside, "new"), join(bench.root, "dangling"));
    symlinkSync("inside", join(bench.root, "link"));
    for (const path of ["out/x", "out/secret", "leak", "dangling", "dangling/x", "../outside/x", "../new"])
      expect([path, await codeOf(bench.invoke("write_file", { path, content: "!" }))]).toEqual([
        path,
        "OUTSIDE_WORKSPACE",
      ]);
    expect(readdirSync(bench.outside)).toEqual(["secret"]);
    expect(readFileSync(join(bench.outside, "secret"), "utf8")).toBe("secret\n");
    expect(await bench.invoke("write_file", { path: "link", content: "!" })).toMatchObject({
      data: { path: "inside" },
    });
  });

  test("never writes what belongs to git", async () => {
    await using bench = await toolkitIn({
      ".git/config": "mine",
      "bare/HEAD": "",
      "bare/hooks/x": "",
      ".gitignore": "",
    });
    for (const folder of ["bare/objects", "bare/refs"]) mkdirSync(join(bench.root, folder));
    symlinkSync(".git", join(bench.root, "git-link"));
    const paths = [
      ".git/config",
      ".git/hooks/pre-commit",
      ".GIT/config",
      "sub/.git",
      "sub/.git/config",
      "git-link/config",
    ];
    const more = [".git /x", "git~1/x", ".g\u200cit/x", "bare/hooks/x", "bare/config", ".git"];
    for (const path of [...paths, ...more])
      expect([path, await codeOf(bench.invoke("write_file", { path, content: "!" }))]).toEqual([
        path,
        "GIT_DIRECTORY",
      ]);
    for (const path of [".gitignore", ".gitattributes", ".github/x", "git", "x.git/y"])
      expect([path, await codeOf(bench.invoke("write_file", { path, content: "!" }))]).toEqual([
        path,
        "success",
      ]);
    expect(readFileSync(join(bench.root, ".git/config"), "utf8")).toBe("mine");
  });

  test("folders and pipes are NOT_FILE, a file on the way is INVALID_ARGUMENT", async () => {
    await using bench = await toolkitIn({ "d/f": "" });
    spawnSync("mkfifo", [join(bench.root, "pipe")]);
    for (const path of ["d", "pipe"])
      expect([path, await codeOf(bench.invoke("write_file", { path, content: "" }))]).toEqual([
        path,
        "NOT_FILE",
      ]);
    expect(await codeOf(bench.invoke("write_file", { path: "d/f/x", content: "" }))).toBe("INVALID_ARGUMENT");
  });

  test("read-only refuses it", async () => {
    await using bench = await toolkitIn({}, { writeScope: "read-only" });
    expect(await codeOf(bench.invoke("write_file", { path: "a", content: "" }))).toBe("READ_ONLY");
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test("each wrong argument is INVALID_ARGUMENT and is named", async () => {
    await using bench = await toolkitIn();
    const wrong: readonly (readonly [object, string])[] = [
      [{ content: "" }, "path"],
      [{ path: "a" }, "content"],
      [{ path: "", content: "" }, "path"],
      [{ path: "a/", content: "" }, "path"],
      [{ path: "a\\", content: "" }, "path"],
      [{ path: ".", content: "" }, "path"],
      [{ path: "a/..", content: "" }, "path"],
      [{ path: "a\n", content: "" }, "path"],
      [{ path: "new/../x", content: "" }, "path"],
      [{ path: "a", content: 1 }, "content"],
      [{ path: "a", content: null }, "content"],
      [{ path: "a", content: "\ud83d" }, "content"],
      [{ path: "a", content: "x".repeat(10_000_001) }, "content"],
      [{ path: "a", content: "", mode: "append" }, "mode"],
      [{ path: "a", content: "", mode: null }, "mode"],
      [{ path: "a", content: "", append: true }, "append"],
    ];
    for (const [args, named] of wrong) {
      const result = await bench.invoke("write_file", args);
      expect([named, result.status === "success" || result.error.code]).toEqual([named, "INVALID_ARGUMENT"]);
      expect(result.status === "success" ? "" : result.message).toContain(named);
    }
    expect(readdirSync(bench.root)).toEqual([]);
  });

  test("a folder that is swapped for a link between look and use leads no write outside", async () => {
    await using bench = await toolkitIn({ "d/mine": "" });
    const codes = new Set<string>();
    await using _ = await swapForLink(join(bench.root, "d"), bench.outside);
    for (let round = 0; round < 1000 || !codes.has("success"); round++)
      codes.add(await codeOf(bench.invoke("write_file", { path: "d/mine", content: String(round) })));
    expect(codes.has("success")).toBe(true);
    expect(readdirSync(bench.outside)).toEqual(["secret"]);
    expect(readFileSync(join(bench.outside, "secret"), "utf8")).toBe("secret\n");
  }, 60_000);
});
