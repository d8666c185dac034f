import { describe, expect, test } from "bun:test";
import { ToolCatalog } from "../../../src/tools/catalog.ts";
import { codeOf, toolkitIn } from "../toolkit-in.ts";

const NAMES = Object.keys(ToolCatalog);
const NO_ARGUMENTS: readonly unknown[] = [
  null,
  "{}",
  1,
  true,
  [],
  [{}],
  new Date(),
  () => ({}),
  Symbol("args"),
  1n,
];

describe("invoke with a name that no tool has", () => {
  for (const name of ["", "no_such_tool", "EXEC_COMMAND", "execCommand", "exec_command ", "exec-command"])
    test(`${JSON.stringify(name)} is TOOL_NOT_FOUND, and the answer tells which there are`, async () => {
      await using bench = await toolkitIn();
      const message = `There is no tool ${JSON.stringify(name)}; there are ${NAMES.join(", ")}.`;
      expect(await bench.invoke(name, {})).toEqual({
        ...{ status: "failure", reason: "runtime", message },
        error: { code: "TOOL_NOT_FOUND", message, retriable: false, details: { known: NAMES } },
      });
    });

  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "prototype"])
    test(`${name} is none, though every object has it`, async () => {
      await using bench = await toolkitIn();
      expect(await codeOf(bench.invoke(name, {}))).toBe("TOOL_NOT_FOUND");
    });

  for (const name of [
    undefined,
    null,
    7,
    {},
    ["exec_command"],
    Symbol("exec_command"),
    1n,
    () => "exec_command",
  ])
    test(`${typeof name} (${String(name)}) is none`, async () => {
      await using bench = await toolkitIn();
      expect(await bench.invoke(name as string, {})).toMatchObject({
        message: expect.stringContaining(`There is no tool of that type (${typeof name});`),
        error: { code: "TOOL_NOT_FOUND" },
      });
    });

  test("a very long one is cut in the message", async () => {
    await using bench = await toolkitIn();
    const { message } = (await bench.invoke("x".repeat(1_000_000))) as { message: string };
    expect(message.length).toBeLessThan(1000);
  });
});

for (const name of NAMES)
  describe(`invoke of ${name}`, () => {
    for (const args of NO_ARGUMENTS)
      test(`with ${typeof args} ${String(args).slice(0, 20)} is INVALID_ARGUMENT`, async () => {
        await using bench = await toolkitIn();
        expect(await codeOf(bench.invoke(name, args))).toBe("INVALID_ARGUMENT");
      });

    test("with an argument that it does not know is INVALID_ARGUMENT, and named", async () => {
      await using bench = await toolkitIn();
      const answer = await bench.invoke(name, { nonsense: true });
      expect(answer).toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
      expect(JSON.stringify(answer)).toContain("nonsense");
    });

    for (const argument of Object.keys(
      ToolCatalog[name as keyof typeof ToolCatalog].definition.parameters.properties,
    ))
      for (const wrong of [null, { of: "the wrong type" }, Number.NaN])
        test(`with ${argument}: ${JSON.stringify(wrong)} is INVALID_ARGUMENT, and names it`, async () => {
          await using bench = await toolkitIn();
          const answer = await bench.invoke(name, { [argument]: wrong });
          expect(answer).toMatchObject({ error: { code: "INVALID_ARGUMENT" } });
          expect(JSON.stringify(answer)).toContain(argument);
        });

    test("that the policy denies is POLICY_DENIED before anything else is looked at", async () => {
      await using bench = await toolkitIn(
        {},
        { policy: { defaultPolicy: "allow", tools: { [name]: "deny" } } },
      );
      expect(await codeOf(bench.invoke(name, null))).toBe("POLICY_DENIED");
    });

    test("that is not in the policy is denied", async () => {
      await using bench = await toolkitIn({}, { policy: {} });
      expect(await codeOf(bench.invoke(name, {}))).toBe("POLICY_DENIED");
    });
  });

test("every tool that writes or runs programs is READ_ONLY under read-only, before its arguments are looked at", async () => {
  await using bench = await toolkitIn({}, { writeScope: "read-only" });
  const codes = await Promise.all(
    Object.entries(ToolCatalog).map(async ([name, { effect }]) => [
      name,
      effect,
      await codeOf(bench.invoke(name, null)),
    ]),
  );
  expect(codes).toEqual(
    Object.entries(ToolCatalog).map(([name, { effect }]) => [
      ...[name, effect],
      ["writes", "executes"].includes(effect) ? "READ_ONLY" : "INVALID_ARGUMENT",
    ]),
  );
});

describe("a call that is canceled before it began", () => {
  test.each([
    ["exec_command", { cwd: ".", command: ["touch", "made"] }],
    ["write_file", { path: "made", content: "" }],
    ["apply_patch", { patch: "--- /dev/null\n+++ b/made\n@@ -0,0 +1 @@\n+one\n" }],
    ["define_issue", { issue: "i", context: "c", constraints: "c" }],
    ["spawn_service", { name: "made", command: ["touch", "made"] }],
    ["git_command", { subcommand: "init" }],
  ])("%s does nothing", async (name, args) => {
    await using bench = await toolkitIn();
    const call = bench.toolkit.invoke(name, args, { signal: AbortSignal.abort() });
    expect(await call).toMatchObject({ status: "failure", error: { code: "CANCELED" } });
    expect(await bench.toolkit.execCommand(".", ["ls", "-A"])).toMatchObject({ data: { stdout: "" } });
  });

  test.each(Object.keys(ToolCatalog))("%s is refused for its own fault", async (name) => {
    await using bench = await toolkitIn();
    const call = bench.toolkit.invoke(name, { no: "such" }, { signal: AbortSignal.abort() });
    expect(await codeOf(call)).toBe("INVALID_ARGUMENT");
  });
});

test("options that are none are no reason to throw", async () => {
  await using bench = await toolkitIn();
  for (const options of [null, 7, "signal", [], { signal: "now" }])
    expect(["success", "INTERNAL"]).toContain(
      await codeOf(bench.toolkit.invoke("exec_command", { cwd: ".", command: ["true"] }, options as object)),
    );
});
