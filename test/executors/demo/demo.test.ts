import { describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runDemoAgent } from "../../../src/executors/demo/agent.ts";
import { createDemo, DEMO_VERB } from "../../../src/executors/demo/index.ts";
import { agentExit, launchRequest } from "../../helpers/agent-streams.ts";
import { tempDir } from "../../helpers/temp-dir.ts";

const demo = createDemo(["bun", "/app/main.ts"]);

interface Asked {
  readonly attempt?: string;
  readonly instruction?: string;
  readonly model?: string | null;
}

/** A worktree as `tazuna demo` makes it. */
async function scratch(worktree: string): Promise<void> {
  await mkdir(join(worktree, "src"), { recursive: true });
  await writeFile(join(worktree, "src/greet.js"), 'export function greet(name) {\n  return "Hello";\n}\n');
  await writeFile(join(worktree, "README.md"), "# Greetings\n");
}

/** Plans a run, runs the agent in this process by the planned words, and reads its stream. */
async function run(worktree: string, asked: Asked = {}) {
  const request = launchRequest({
    worktree,
    agentDir: join(worktree, ".agent"),
    ids: { task: "t", attempt: asked.attempt ?? "a", run: "r" },
    instruction: asked.instruction ?? "Greet people by name",
    profile: { id: "demo", executor: "demo", model: asked.model ?? null },
  });
  const plan = demo.plan(request);
  for (const file of plan.files) {
    await mkdir(join(file.path, ".."), { recursive: true });
    await writeFile(file.path, file.content);
  }
  const lines: string[] = [];
  const code = await runDemoAgent({
    argv: plan.argv.slice(plan.argv.indexOf(DEMO_VERB) + 1),
    env: { TAZUNA_DEMO_PAUSE_MS: "0" },
    worktree,
    write: (line) => lines.push(line),
  });
  const parser = demo.parser({ request, previous: null });
  const events = lines.flatMap((line) => parser.feed(line));
  const result = parser.finish(agentExit({ code }));
  return {
    plan,
    events,
    result,
    greet: await readFile(join(worktree, "src/greet.js"), "utf8").catch(() => null),
  };
}

describe("the demo agent", () => {
  test("is our own program, needs nothing, and is always ready", async () => {
    const probe = {
      env: {},
      which: async () => null,
      run: async () => null,
      exists: async () => false,
    };
    const { profile } = launchRequest({});
    expect(await demo.detect(profile, probe)).toEqual({
      version: null,
      ready: true,
      reason: null,
      binary: null,
    });
    expect(demo.plan(launchRequest({})).argv.slice(0, 3)).toEqual(["bun", "/app/main.ts", "__demo"]);
  });

  test("edits the greeting and the README, and tells it in events", async () => {
    await using folder = await tempDir();
    await scratch(folder.path);
    const { events, result, greet } = await run(folder.path, { model: "plain" });
    expect(events.map((event) => (event.kind === "tool_call" ? event.title : event.kind))).toEqual([
      ...["session", "message", "Edit src/greet.js", "tool_call_update"],
      ...["Edit README.md", "tool_call_update", "message"],
    ]);
    expect(result).toMatchObject({
      ok: true,
      summary: "Greet people by name, and say just Hello if there is none.",
    });
    expect(greet).toBe('export function greet(name) {\n  return name ? "Hello, " + name : "Hello";\n}\n');
    expect(await readFile(join(folder.path, "README.md"), "utf8")).toBe(
      "# Greetings\n- Greet people by name (plain)\n",
    );
  });

  test("writes greetings that work, another one for another style", async () => {
    const greetings = await Promise.all(
      ["plain", "friendly"].map(async (model) => {
        await using folder = await tempDir();
        await scratch(folder.path);
        await run(folder.path, { model });
        const { greet } = await import(join(folder.path, "src/greet.js"));
        return [greet("Ada"), greet()];
      }),
    );
    expect(greetings).toEqual([
      ["Hello, Ada", "Hello"],
      ["Hello, Ada! Good to see you.", "Hello, friend! Good to see you."],
    ]);
  });

  test("does the same every time for one attempt, and not the same for every attempt", async () => {
    const result = async (attempt: string) => {
      await using folder = await tempDir();
      await scratch(folder.path);
      return (await run(folder.path, { attempt })).greet;
    };
    const [a, again, b] = await Promise.all([result("a"), result("a"), result("b")]);
    expect(again).toBe(a);
    expect(b).not.toBe(a);
  });

  test("changes something in a follow-up too", async () => {
    await using folder = await tempDir();
    await scratch(folder.path);
    await run(folder.path, { model: "plain" });
    const second = await run(folder.path, { model: "plain", instruction: "名前を\nsecond line" });
    expect(second.result.ok).toBe(true);
    expect(await readFile(join(folder.path, "README.md"), "utf8")).toBe(
      "# Greetings\n- Greet people by name (plain)\n- 名前を (plain)\n",
    );
  });

  test("works in a repository without the greeting", async () => {
    await using folder = await tempDir();
    const { result, greet } = await run(folder.path, { model: "plain" });
    expect({ ok: result.ok, greet }).toEqual({ ok: true, greet: null });
    expect(await readFile(join(folder.path, "README.md"), "utf8")).toBe("- Greet people by name (plain)\n");
  });

  test("without its last event the turn is not finished", () => {
    const parser = demo.parser({ request: null, previous: null });
    parser.feed('{"type":"say","text":"Hi"}');
    expect(parser.finish(agentExit({ code: 0 })).ok).toBe(false);
  });
});
