import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const CLI = resolve(import.meta.dir, "../../src/cli");

/** Packages that are loaded with a module, through everything that it imports by statement and not only as a type. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const imports = new Bun.Transpiler({ loader: "ts" }).scanImports(readFileSync(file, "utf8"));
  for (const { kind, path } of imports.filter((each) => each.kind === "import-statement")) {
    if (!path.startsWith(".")) packages.add(`${path} (${kind})`);
    else for (const found of packagesOf(join(dirname(file), path), seen)) packages.add(found);
  }
  return packages;
}

test("help, version and the table of commands load no package, so that help stays fast", () => {
  const loaded = ["create-cli.ts", "root-help.ts", "verbs.ts"].flatMap((file) => [
    ...packagesOf(join(CLI, file)),
  ]);
  expect(loaded).toEqual([]);
});

test("no command loads schemas or prompts before it needs them", () => {
  const loaded = packagesOf(join(CLI, "commands/work/run.ts"));
  expect([...loaded].toSorted()).toEqual([
    "@stricli/core (import-statement)",
    "get-east-asian-width (import-statement)",
    "neverthrow (import-statement)",
  ]);
});
