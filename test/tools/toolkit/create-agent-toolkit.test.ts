import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createAgentToolkit, createToolContext } from "../../../src/lib.ts";
import { ToolCatalog } from "../../../src/tools/catalog.ts";
import { toolkitIn } from "../toolkit-in.ts";

/** Without a person, nobody can be asked. */
const NAMES = Object.keys(ToolCatalog).filter((name) => name !== "ask_person");

describe("definitions", () => {
  const namesUnder = (policy: Parameters<typeof createToolContext>[0]["policy"] & object) =>
    createAgentToolkit(createToolContext({ workspaceRoot: "/", policy })).definitions.map(({ name }) => name);

  test("are those of the tools that the policy allows, in the order of the catalog", () => {
    const backwards = Object.fromEntries([...NAMES].reverse().map((name) => [name, "allow" as const]));
    expect([
      namesUnder({}),
      namesUnder({ defaultPolicy: "allow" }),
      namesUnder({ tools: backwards }),
      namesUnder({ defaultPolicy: "allow", tools: { exec_command: "deny" } }),
      namesUnder({ tools: { git_status_summary: "allow" } }),
    ]).toEqual([[], NAMES, NAMES, NAMES.filter((name) => name !== "exec_command"), ["git_status_summary"]]);
  });

  test("are listed under read-only too: what is refused there says so when it is called", async () => {
    await using bench = await toolkitIn({}, { writeScope: "read-only" });
    expect(bench.toolkit.definitions.map(({ name }) => name)).toEqual(NAMES);
  });
});

describe("methods", () => {
  test("there is one for each tool, by the camelCase form of its name", async () => {
    await using bench = await toolkitIn();
    const methods = Object.keys(ToolCatalog).map((name) =>
      name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
    const others = ["definitions", "invoke", "close"];
    expect(Object.keys(bench.toolkit).sort()).toEqual([...methods, ...others].sort());
  });

  test("seed 001 §8: execCommand(cwd, command, options) is exec_command with these", async () => {
    await using bench = await toolkitIn();
    await mkdir(join(bench.root, "src"));
    const answer = await bench.toolkit.execCommand("src", ["cat"], { shell_mode: "direct", stdin: "x" });
    expect(answer).toMatchObject({
      status: "success",
      data: { cwd: join(bench.root, "src"), command: ["cat"], stdout: "x", exit_code: 0 },
    });
  });

  test("options of execCommand cannot replace its folder or its command", async () => {
    await using bench = await toolkitIn();
    const smuggled = { cwd: bench.outside, command: ["false"] } as object;
    expect(await bench.toolkit.execCommand(".", ["pwd"], smuggled)).toMatchObject({
      status: "success",
      data: { command: ["pwd"], stdout: `${bench.root}\n` },
    });
  });

  test("seed 000 §3.1 and §8: gitStatusSummary() and gitStatusSummary(undefined) ask for the workspace itself", async () => {
    await using bench = await toolkitIn();
    await bench.toolkit.execCommand(".", ["git", "init", "--quiet", "--initial-branch=trunk"]);
    const answers = [
      await bench.toolkit.gitStatusSummary(),
      await bench.toolkit.gitStatusSummary(undefined),
      await bench.toolkit.gitStatusSummary("."),
      await bench.invoke("git_status_summary", {}),
      await bench.invoke("git_status_summary"),
    ];
    const data = { repository_root: bench.root, branch: "trunk", raw: "## No commits yet on trunk\n" };
    expect(answers).toEqual(Array(5).fill({ status: "success", data }));
  });

  test("answer wrong input as values, whatever it is", async () => {
    await using bench = await toolkitIn();
    const { execCommand, gitStatusSummary } = bench.toolkit as unknown as Record<
      string,
      (...args: unknown[]) => Promise<{ error: { code: string; message: string } }>
    >;
    const calls = [
      execCommand?.(),
      execCommand?.(7, ["true"]),
      execCommand?.(".", "true"),
      execCommand?.(".", []),
      execCommand?.(".", ["true"], { timeout: 1 }),
      execCommand?.(".", ["true"], "fast"),
      gitStatusSummary?.(null),
      gitStatusSummary?.({ cwd: "." }),
      gitStatusSummary?.(""),
    ];
    expect((await Promise.all(calls)).map((answer) => answer?.error)).toMatchObject([
      { code: "INVALID_ARGUMENT", message: "cwd is required; command is required." },
      { code: "INVALID_ARGUMENT", message: "cwd: invalid input: expected string, received number." },
      { code: "INVALID_ARGUMENT", message: "command: invalid input: expected array, received string." },
      { code: "INVALID_ARGUMENT", message: "command: must hold at least the name of a program." },
      { code: "INVALID_ARGUMENT", message: '"timeout" is no argument of this tool.' },
      { code: "INVALID_ARGUMENT", message: '"0", "1", "2", "3" are no arguments of this tool.' },
      { code: "INVALID_ARGUMENT", message: "cwd: invalid input: expected string, received null." },
      { code: "INVALID_ARGUMENT", message: "cwd: invalid input: expected string, received object." },
      { code: "INVALID_ARGUMENT", message: "cwd: must not be empty." },
    ]);
  });

  test("can be taken out of the toolkit and called alone", async () => {
    await using bench = await toolkitIn();
    const { execCommand, invoke } = bench.toolkit;
    expect(await execCommand(".", ["true"])).toMatchObject({ status: "success" });
    expect(await invoke("exec_command", { cwd: ".", command: ["true"] })).toMatchObject({
      status: "success",
    });
  });
});

test("a toolkit of another workspace has nothing to do with this one", async () => {
  await using one = await toolkitIn({ "one.txt": "" });
  await using two = await toolkitIn({ "two.txt": "" });
  const list = (bench: typeof one) => bench.toolkit.execCommand(".", ["ls"]);
  const [first, second] = await Promise.all([list(one), list(two)]);
  expect([first, second]).toMatchObject([
    { data: { stdout: "one.txt\n" } },
    { data: { stdout: "two.txt\n" } },
  ]);
});

test("closing ends what the tools left, may be done twice, and every call after it is CLOSED", async () => {
  await using bench = await toolkitIn();
  await bench.toolkit.close();
  await bench.toolkit.close();
  expect(await bench.toolkit.execCommand(".", ["true"])).toMatchObject({ error: { code: "CLOSED" } });
});

test("64 calls at once are 64 answers", async () => {
  await using bench = await toolkitIn();
  const call = (n: number) => bench.toolkit.execCommand(".", ["printf", String(n)], { timeout_ms: 60_000 });
  const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => call(n)));
  expect(
    answers.map((answer) => (answer.status === "success" ? answer.data.stdout : answer.message)),
  ).toEqual(Array.from({ length: 64 }, (_, n) => String(n)));
});
