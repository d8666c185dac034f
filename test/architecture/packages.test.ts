import { expect, test } from "bun:test";
import { isBuiltin } from "node:module";
import PACKAGE from "../../package.json" with { type: "json" };
import { sourceFiles } from "./source-files.ts";

/** `@scope/name` or `name` of what is imported; null for what is ours or comes with the runtime. */
function packageOf(specifier: string): string | null {
  if (specifier.startsWith(".") || isBuiltin(specifier) || /^bun($|:)/.test(specifier)) return null;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

test("the product imports exactly the packages on which it depends", () => {
  const imported = sourceFiles().flatMap((file) => file.imports.map(({ specifier }) => packageOf(specifier)));
  const names = new Set(imported.filter((name) => name !== null));
  expect([...names].sort()).toEqual(Object.keys(PACKAGE.dependencies).sort());
});

test("the package of jobs is known in dispatch/ alone (ADR 0085)", () => {
  const knowing = sourceFiles().filter(({ imports }) =>
    imports.some(({ specifier }) => packageOf(specifier) === "pg-boss"),
  );
  expect(knowing.length).toBeGreaterThan(0);
  expect(knowing.filter(({ room }) => room !== "dispatch").map(({ path }) => path)).toEqual([]);
});
