import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import PACKAGE from "../../package.json" with { type: "json" };

const SRC = join(import.meta.dir, "../../src");

test("a Node that is too old is named as the cause when the library is loaded", async () => {
  const text = await readFile(join(SRC, "tools/core/needs-node.ts"), "utf8");
  const code = new Bun.Transpiler({ loader: "ts" }).transformSync(text).replace(/export\s*\{\s*\};?/, "");
  const load = (versions: Readonly<Record<string, string>>) => () =>
    new Function("process", code)({ versions });
  const message = "Tazuna needs Node 22 or newer, and this is Node 20.20.2.";
  expect(load({ node: "20.20.2" })).toThrow(message);
  for (const versions of [{ node: "22.0.0" }, { node: "24.1.0" }]) expect(load(versions)).not.toThrow();
  expect(PACKAGE.engines.node).toBe(">=22");
});

test("each door of the library asks for it before anything else", async () => {
  for (const door of ["lib.ts", "mcp/index.ts", "registry/definitions.ts"]) {
    const [first] = (await readFile(join(SRC, door), "utf8")).match(/^(?:import|export) .*$/m) ?? [];
    expect([door, first]).toEqual([door, expect.stringMatching(/^import ".*\/needs-node\.ts";$/)]);
  }
});
