import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import PACKAGE from "../../package.json" with { type: "json" };
import * as contract from "../../src/contract/client/client.ts";
import * as root from "../../src/lib.ts";
import * as mcp from "../../src/mcp/index.ts";
import * as definitions from "../../src/registry/definitions.ts";

const page = readFileSync(join(import.meta.dir, "../../docs/toolkit/README.md"), "utf8");
const section = /^### What the package offers\n([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
const told = [...section.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);

test("whatever the package offers is in the README of the toolkit, and nothing that it does not offer", () => {
  const offered = [root, definitions, mcp, contract].flatMap((door) => Object.keys(door));
  expect([...new Set(told)].filter((name) => name !== PACKAGE.name).sort()).toEqual(
    [...new Set(offered)].sort(),
  );
});
