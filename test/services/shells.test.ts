import { expect, test } from "bun:test";
import type { ServiceContext } from "../../src/services/core/context.ts";
import { createShells } from "../../src/services/core/shells.ts";
import { waitFor } from "../helpers/wait-for.ts";

const engine = { userEnv: { WHO: "engine" }, shell: null } as unknown as ServiceContext;
const make = (variables: Readonly<Record<string, string>>) =>
  ({ userEnv: variables }) as unknown as Parameters<typeof createShells>[0] extends (v: never) => infer R
    ? R
    : never;

test("a shell's environment holds for its calls and its runs, and is gone with the last of them", async () => {
  const shells = createShells(make, { keepMs: 1 });
  shells.keep("a", { WHO: "shell" });
  const shell = shells.contextOf(engine, "a");
  expect(shell?.userEnv).toEqual({ WHO: "shell" });
  shells.bindToRun(shell?.shell ?? null, "run");
  await waitFor("the calls to be over", () => shells.contextOf(engine, "a") === null);
  expect([shells.holdsFor("run"), shells.contextOfRun(engine, "run").userEnv]).toEqual([
    true,
    { WHO: "shell" },
  ]);
  shells.release("run");
  expect([shells.holdsFor("run"), shells.contextOfRun(engine, "run").userEnv]).toEqual([
    false,
    { WHO: "engine" },
  ]);
});

test("what is asked for without a shell has the engine's own environment", () => {
  const shells = createShells(make);
  shells.bindToRun(engine.shell, "run");
  expect([shells.holdsFor("run"), shells.contextOf(engine, "unknown")]).toEqual([false, null]);
});
