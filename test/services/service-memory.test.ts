/** What the services remember serves every caller: `by` makes the calls anew, and never their memory. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { createServices } from "../../src/services/create-services.ts";

const GROUPS = join(import.meta.dir, "../../src/services/groups");

/** Makes something that remembers. What answers with a task is made for a caller, and remembers nothing. */
const MAKES = /\bcreate(?!TaskAnswers\b|dOnce\b|Once\b|Task\b)[A-Z]\w*\(/;

test("no group of services and no caller gets a memory of its own", () => {
  const files = readdirSync(GROUPS).filter((name) => name !== "memory.ts");
  const makers = files.filter((name) =>
    readFileSync(join(GROUPS, name), "utf8")
      .split("\n")
      .some((line) => !line.startsWith("export function ") && MAKES.test(line)),
  );
  expect(files.length).toBeGreaterThan(10);
  expect(makers).toEqual([]);
  expect("const known = createKnownAddressed();").toMatch(MAKES);
});

test("what was compared, found or read for one caller serves the next one", () => {
  const made = createServices({ db: { kind: "sqlite" }, timing: {} } as unknown as ServiceContext);
  const [ann, bot] = [
    made.by({ kind: "person", id: "p", name: "ann@example.com" }),
    made.by({ kind: "token", id: "t", name: "bot" }),
  ];
  for (const shared of ["askWorker", "recognizeBrowser", "ownName"] as const)
    expect([shared, ann[shared] === bot[shared], ann[shared] === made[shared]]).toEqual([shared, true, true]);
  expect(ann.operations).not.toBe(bot.operations);
});
