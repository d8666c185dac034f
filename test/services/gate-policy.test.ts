import { describe, expect, test } from "bun:test";
import { configurationSchema } from "../../src/domain/configuration/schema.ts";
import { gatePolicy } from "../../src/services/runs/stage/gate-policy.ts";
import { tally } from "../helpers/tally.ts";

const denied = (deny: readonly string[] | undefined, path: string) =>
  gatePolicy({ values: configurationSchema.parse({ deny }) } as Parameters<typeof gatePolicy>[0]).isDenied(
    path,
  );

describe("deny", () => {
  test.each([
    [".env", true],
    ["deep/.env", true],
    [".env.local", true],
    [".env.example", false],
    ["a/server.pem", true],
    [".env/inside.txt", true],
    ["env", false],
  ])("holds for %s by itself: %p", (path, expected) => {
    expect(denied(undefined, path)).toBe(expected);
  });

  test.each([
    [["secrets/"], "secrets/a/b", true],
    [["secrets/"], "secrets", false],
    [["secrets/", "!secrets/a"], "secrets/a", true],
    [["/top"], "a/top", false],
    [["a/**/b"], "a/x/y/b", true],
    [["*.txt", "!keep.txt"], "x/keep.txt", false],
    [["é?.txt"], "éa.txt", true],
    [["a?b"], "a\nb", true],
  ])("is read as git reads a .gitignore: %j of %j", (deny, path, expected) => {
    expect(denied(deny, path)).toBe(expected);
  });

  test.each([
    ["folders", `${"**/a/".repeat(14)}*c`, `${"a/".repeat(60)}d`],
    ["stars", `${"*[ab]*?".repeat(14)}*c`, `${"a".repeat(200)}d`],
    ["both", `${"**/*a*/".repeat(14)}c`, `${"aaa/".repeat(60)}d`],
  ])("takes no time that a pattern of a repository's file makes long: %s", (what, pattern, path) => {
    const begun = performance.now();
    expect(denied([pattern], path)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(1000);
    tally("attack", `a pattern of \`deny\` that takes long: ${what}`);
  });
});
