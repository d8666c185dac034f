import { describe, expect, test } from "bun:test";
import {
  type GitCaller,
  HARDENED_SETTINGS,
  hardenedSettings,
} from "../../../src/domain/git-policy/hardening/settings.ts";
import { HARDENED_VARIABLES, hardenedVariables } from "../../../src/domain/git-policy/hardening/variables.ts";

const CALLERS: readonly GitCaller[] = ["engine", "engine-local", "tools", "tools-reading"];
const ROWS = [
  ...HARDENED_SETTINGS.map(({ settings, ...row }) => ({ ...row, values: settings })),
  ...HARDENED_VARIABLES.map(({ variables, ...row }) => ({ ...row, values: variables })),
];

describe("the table that hardens git", () => {
  test.each(CALLERS)("gives each key once to %s", (caller) => {
    const keys = ROWS.filter(({ callers }) => callers.includes(caller)).flatMap(({ values }) =>
      Object.keys(values),
    );
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  test("says of every row why its callers need it", () => {
    expect(ROWS.filter(({ why }) => !/^[A-Z].*\.$/.test(why))).toEqual([]);
  });

  test("gives a narrower caller no less than a wider one", () => {
    const all = (caller: GitCaller) => ({ ...hardenedSettings(caller), ...hardenedVariables(caller) });
    expect(all("engine-local")).toMatchObject(all("engine"));
    expect(all("tools")).toMatchObject(all("tools-reading"));
  });
});
