import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { confinePaths } from "../../../src/tools/core/confine-paths.ts";
import type { PathRule } from "../../../src/tools/core/tool.ts";
import { toolkitIn } from "../toolkit-in.ts";

type Must = PathRule["must"];
type Absolute = PathRule["absolute"];

function confine(
  root: string,
  given: string | undefined,
  must: Must = "be-directory",
  absolute: Absolute = "inside",
) {
  const args = given === undefined ? {} : { cwd: given };
  const result = confinePaths(root, [{ argument: "cwd", must, absolute }], args);
  return result.match(
    ({ cwd }) => cwd,
    ({ status, reason, error }) => `${status} ${reason} ${error.code} ${error.details.argument}`,
  );
}

const INVALID = "failure runtime INVALID_ARGUMENT cwd";
const OUTSIDE = "denied sandbox OUTSIDE_WORKSPACE cwd";
const NO_FOLDER = "failure runtime NOT_DIRECTORY cwd";

describe("confinePaths", () => {
  test("an absent path is the workspace, a present one where it really lies", async () => {
    await using bench = await toolkitIn({ "src/tools/x": "", "..foo/x": "", ".../x": "" });
    symlinkSync("src", join(bench.root, "link"));
    const { root } = bench;
    expect(confine(root, undefined)).toBe(root);
    for (const [given, real] of [
      [".", "."],
      ["./", "."],
      ["src/tools", "src/tools"],
      ["src\\tools", "src/tools"],
      ["src//tools/", "src/tools"],
      ["link/tools", "src/tools"],
      ["link/..", "."],
      ["..foo", "..foo"],
      ["...", "..."],
      [root, "."],
      [`${root}/src`, "src"],
    ] as const)
      expect([given, confine(root, given)]).toEqual([given, join(root, real)]);
  });

  test("an absolute path through a link to the workspace is inside", async () => {
    await using bench = await toolkitIn({ "src/x": "" });
    const link = join(bench.outside, "ws");
    symlinkSync(bench.root, link);
    expect(confine(bench.root, `${link}/src`)).toBe(join(bench.root, "src"));
  });

  test("each refusal has its code, in the order of the checks", async () => {
    await using bench = await toolkitIn({ file: "", "src/x": "" });
    const { root } = bench;
    symlinkSync(bench.outside, join(root, "out"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync("none", join(root, "dangling"));
    for (const [given, said] of [
      [" ", INVALID],
      ["a\0b", INVALID],
      ["a\tb", INVALID],
      ["C:\\work", INVALID],
      ["c:", INVALID],
      ["\\\\host\\share", INVALID],
      ["\\\\?\\C:\\x", INVALID],
      ["//./pipe/x", INVALID],
      ["x".repeat(4097), INVALID],
      ["x".repeat(256), INVALID],
      ["..", OUTSIDE],
      ["../none", OUTSIDE],
      ["src/../../outside", OUTSIDE],
      ["/", OUTSIDE],
      ["/none/at/all", OUTSIDE],
      [`${root}-evil`, OUTSIDE],
      ["out", OUTSIDE],
      ["out/none", OUTSIDE],
      ["out/../src", OUTSIDE],
      ["none", NO_FOLDER],
      ["file", NO_FOLDER],
      ["file/x", NO_FOLDER],
      ["loop", NO_FOLDER],
      ["dangling", NO_FOLDER],
      ["%2e%2e", NO_FOLDER],
      ["~", NO_FOLDER],
      ["\uff0e\uff0e", NO_FOLDER],
    ] as const)
      expect([given, confine(root, given)]).toEqual([given, said]);
  });

  test("if absolute paths are refused they are INVALID_ARGUMENT, inside or not", async () => {
    await using bench = await toolkitIn();
    for (const given of [bench.root, "/etc", "\\etc", "C:\\work", "//host/x"])
      expect([given, confine(bench.root, given, "be-directory", "refused")]).toEqual([given, INVALID]);
    expect(confine(bench.root, ".", "be-directory", "refused")).toBe(bench.root);
  });

  test("if something must exist it is NOT_FOUND, if it may be made it need not", async () => {
    await using bench = await toolkitIn({ file: "" });
    symlinkSync("none", join(bench.root, "dangling"));
    expect(confine(bench.root, "none", "exist")).toBe("failure runtime NOT_FOUND cwd");
    expect(confine(bench.root, "dangling", "exist")).toBe("failure runtime NOT_FOUND cwd");
    expect(confine(bench.root, "file", "exist")).toBe(join(bench.root, "file"));
    expect(confine(bench.root, "a/b", "stay-inside")).toBe(join(bench.root, "a/b"));
    expect(confine(bench.root, "dangling", "stay-inside")).toBe(join(bench.root, "none"));
    expect(confine(bench.root, "a/../b", "stay-inside")).toBe(INVALID);
    expect(confine(bench.root, "file/b", "stay-inside")).toBe(INVALID);
  });
});
