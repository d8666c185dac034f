import { describe, expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinLayers } from "../../../src/domain/configuration/layers.ts";
import { unknownVariables } from "../../../src/domain/configuration/variables.ts";

const faultIn = (values: unknown) => {
  const joined = joinLayers([{ source: "file", values }]);
  return joined.isErr() ? `${joined.error.key}: ${joined.error.message}` : null;
};

const named = (...names: string[]) => names.map((name) => ({ name, run: "true" }));

describe("slips in values are told with what was meant", () => {
  test.each([
    [{ gate: { rules: { credentail: "off" } } }, 'did you mean "credential"?'],
    [{ gate: { rules: { "symlink-outside": "off" } } }, 'did you mean "symlink_outside"?'],
    [{ gate: { rules: { nonsense_of_mine: "off" } } }, 'unknown rule "nonsense_of_mine"'],
    [{ branch: "me/{slugg}" }, 'unknown placeholder "{slugg}"; did you mean "{slug}"?'],
    [{ branch: "me/{id8}-{user}" }, 'unknown placeholder "{user}"'],
    [{ branch: "me/{ID8}" }, 'did you mean "{id8}"?'],
    [{ branch: "me/{slug" }, "one has no partner"],
    [{ branch: "me/{}" }, 'unknown placeholder "{}"'],
    [{ branch: "-{slug}..x" }, '"-{slug}..x" makes names that git refuses, such as "-fix-it..x"'],
    [{ branch: "{id8}/" }, "makes names that git refuses"],
    [{ copy: ["../secrets/*"] }, '"../secrets/*" leaves the repository'],
    [{ copy: ["ok", "!a/../../b"] }, "leaves the repository"],
    [{ copy: ["~/.npmrc"] }, "leaves the repository"],
    // The second line would take the first pattern of all back.
    [{ deny: [".env", "x\n!.env"] }, "a pattern is one line"],
    [{ notify: { webhook: "example.com/hook" } }, "must be an address such as https://example.com/hook"],
    [{ notify: { webhook: "http://example.com/hook" } }, "plain http goes to this machine only"],
    [{ notify: { webhook: "https://me:secret@example.com/" } }, "must not hold a user or a password"],
    [{ checks: named("Unit  tests", "unit tests") }, 'two checks are called "unit tests"'],
    [{ checks: named(" test") }, "a check is named on one line, without spaces around it"],
    [{ checks: named("a\nb") }, "a check is named on one line, without spaces around it"],
  ])("%p", (values, told) => {
    expect(faultIn(values)).toContain(told);
  });

  test.each([
    { gate: { rules: { credential: "report", left_by_setup: "off" } } },
    { branch: "me/{slug}-{id8}" },
    { branch: "plain" },
    { notify: { webhook: "https://example.com/hook?room=1", webhook_secret_env: "HOOK" } },
    { notify: { webhook: "http://127.0.0.1:9000/" } },
    { checks: named("unit", "unit tests", "a", "日本 語") },
    { copy: ["/config/local.json", "*..env", "!a..b/", "~backup", "dir/"] },
  ])("%p is in order", (values) => {
    expect(faultIn(values)).toBeNull();
  });
});

describe("variables that nothing reads", () => {
  const told = (...names: string[]) =>
    unknownVariables(Object.fromEntries(names.map((name) => [name, "1"]))).map(({ message }) => message);

  test("are told with the nearest name, and lists with where they belong", () => {
    expect(told("TAZUNA_BRANHC", "TAZUNA_LIMIT_PARALLEL", "TAZUNA_CHECKS", "TAZUNA_QQQQQQQQQ")).toEqual([
      "TAZUNA_BRANHC is not read; did you mean TAZUNA_BRANCH?",
      "TAZUNA_CHECKS is not read: a variable sets single values only, and this key belongs into a file.",
      "TAZUNA_LIMIT_PARALLEL is not read; did you mean TAZUNA_LIMITS_PARALLEL?",
      "TAZUNA_QQQQQQQQQ is not read.",
    ]);
  });

  test("are none of those that Tazuna, its tests and its measurements read or set", async () => {
    const root = join(import.meta.dir, "../../..");
    const names = new Set<string>();
    for (const folder of ["src", "bench", "scripts", "bin"])
      for (const file of await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
        if (file.isFile())
          for (const [name] of (await readFile(join(file.parentPath, file.name), "utf8")).matchAll(
            /\bTAZUNA_[A-Z0-9_]*[A-Z0-9]\b/g,
          ))
            names.add(name);
    expect(names.size).toBeGreaterThan(25);
    expect(unknownVariables(Object.fromEntries([...names].map((name) => [name, "1"])))).toEqual([]);
  });
});
