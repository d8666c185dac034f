/** Holds that a function of the services names what it uses of the context. */
import { expect, test } from "bun:test";
import { sourceFiles } from "./source-files.ts";

/** A parameter that is the whole context. */
const WHOLE = /[\w}]: ServiceContext(?=[\s,)=])/;

/** They join other journeys, and so use nearly all of it; a folder stands for its files. */
const JOINING: ReadonlySet<string> = new Set([
  "app/engine/engine.ts",
  "app/engine/work-queue.ts",
  "services/core/context.ts",
  "services/core/shells.ts",
  "services/create-services.ts",
  "services/groups/",
  "services/recover-engine.ts",
  "services/requests/cancel-attempt.ts",
  "services/runs/drive-run.ts",
  "services/runs/prepare/prepare-run.ts",
]);

test("a function takes what it uses of the context; only what joins journeys takes all of it", () => {
  const whole = sourceFiles().filter(({ text }) => WHOLE.test(text));
  const places = whole.map(({ path }) => path.replace(/(?<=^services\/groups\/).+/, ""));
  expect([...new Set(places)].sort()).toEqual([...JOINING].sort());
  expect("async function f(\n  context: ServiceContext,\n) {}").toMatch(WHOLE);
  expect("function f({ db }: ServiceContext) {}").toMatch(WHOLE);
  expect('function f(db: ServiceContext["db"]) {}').not.toMatch(WHOLE);
});
