/** Holds which trusted script a new one is shown against. */
import { describe, expect, test } from "bun:test";
import { withReplaced } from "../../../src/domain/repository/replaced-script.ts";

const trusted = (hash: string, text: string) => ({
  repositoryId: "r",
  hash,
  text,
  trustedAt: "2026",
  actor: null,
});

describe("a script that changed", () => {
  test("is shown against the trusted one of its name that is gone", () => {
    const [script] = withReplaced({
      present: [{ hash: "new", text: "check test: bun test --all", trusted: false }],
      trusted: [trusted("x", "check lint: biome"), trusted("old", "check test: bun test")],
    });
    expect(script?.before).toBe("check test: bun test");
  });

  test("stands alone if it is new, trusted, or its likeness is still named", () => {
    const present = [
      { hash: "a", text: "setup: bun install", trusted: true },
      { hash: "b", text: "setup: bun run gen", trusted: false },
    ];
    const scripts = withReplaced({ present, trusted: [trusted("a", "setup: bun install")] });
    expect(scripts).toEqual(present);
  });
});
