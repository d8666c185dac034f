import { describe, expect, test } from "bun:test";
import type { ToolCall, Turn } from "../helpers/fake-model/script.ts";
import { startFakeModel } from "../helpers/fake-model/start-fake-model.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { ask } from "./model-client.ts";

const tool = (name: string) => ({ name, input_schema: { type: "object" } });
const SYSTEM = "Primary working directory: /w";

interface Said {
  readonly messages: readonly unknown[];
  readonly system?: string;
  readonly tools?: readonly unknown[];
}

/** Asks in the Messages format and returns what the model says: its texts, or the error. */
async function say(
  url: string,
  { messages, system = SYSTEM, tools = [tool("Bash")] }: Said,
): Promise<string> {
  const { body } = await ask(`${url}/v1/messages`, { model: "m", system, tools, messages });
  const { content, error } = body as {
    content?: { type: string; text?: string }[];
    error?: { message: string };
  };
  return error ? `error: ${error.message}` : (content ?? []).map(({ text = "" }) => text).join("");
}

const user = (content: unknown) => ({ role: "user", content });
const model = (content: string) => ({ role: "assistant", content });

describe("a script", () => {
  test("is chosen by what the user said, the first that fits", async () => {
    await using fake = await startFakeModel({
      script: {
        scenarios: [
          { when: /TASK-1\b/, turns: [{ text: "one" }, { text: "one, again" }] },
          { when: /TASK-\d/g, turns: [{ text: "two" }] },
        ],
      },
    });
    expect(await say(fake.url, { messages: [user("do TASK-1")] })).toBe("one");
    expect(await say(fake.url, { messages: [user("do TASK-2")] })).toBe("two");
    expect(await say(fake.url, { messages: [user("do TASK-3")] })).toBe("two");
    expect(await say(fake.url, { messages: [user("hello")] })).toBe(
      "error: script: no scenario is meant for what the user said",
    );
  });

  test("answers a retry with the same turn and a resumed conversation with the next", async () => {
    await using fake = await startFakeModel({
      script: { scenarios: [{ when: /first/, turns: [{ text: "one" }, { text: "two" }] }] },
    });
    const begun = [user("first")];
    expect(await say(fake.url, { messages: begun })).toBe("one");
    expect(await say(fake.url, { messages: begun })).toBe("one");
    const resumed = [...begun, model("one"), user("second")];
    expect(await say(fake.url, { messages: resumed })).toBe("two");
    const further = [...resumed, model("two"), user("third")];
    expect(await say(fake.url, { messages: further })).toBe("There is nothing more to do.");
  });

  test("begins anew for a new message that a scenario further up is meant for", async () => {
    await using fake = await startFakeModel({
      script: {
        scenarios: [
          { when: /second/, turns: [{ text: "2.0" }, { text: "2.1" }] },
          { when: /first/, turns: [{ text: "1.0" }] },
        ],
      },
    });
    const begun = [user("first"), model("1.0")];
    expect(await say(fake.url, { messages: [user("first")] })).toBe("1.0");
    expect(await say(fake.url, { messages: [...begun, user("second")] })).toBe("2.0");
    const went = [...begun, user("second"), model("2.0"), user("and so on")];
    expect(await say(fake.url, { messages: went })).toBe("2.1");
  });

  test("does not count what a CLI puts in the model's place when an interrupted session is resumed", async () => {
    await using fake = await startFakeModel({
      script: { scenarios: [{ turns: [{ text: "one" }, { text: "two" }] }] },
    });
    const messages = [user("first"), model("No response requested."), user("go on")];
    expect(await say(fake.url, { messages })).toBe("one");
  });

  test("is not misled by what the CLI adds to the user's words", async () => {
    await using fake = await startFakeModel({
      script: {
        scenarios: [
          { when: /TASK-1/, turns: [{ text: "one" }] },
          { when: /TASK-2/, turns: [{ text: "two" }] },
        ],
      },
    });
    const reminder = "<system-reminder>\nRecent commits:\nabc TASK-1\n</system-reminder>\n";
    expect(await say(fake.url, { messages: [user(`${reminder}do TASK-2`)] })).toBe("two");
  });

  test("keeps many conversations at once apart", async () => {
    const markers = Array.from({ length: 40 }, (_, n) => `TASK-${n}!`);
    await using fake = await startFakeModel({
      script: {
        scenarios: markers.map((marker) => ({
          when: new RegExp(marker),
          turns: [{ text: `did ${marker}` }],
        })),
      },
    });
    const answers = markers.map((marker) => say(fake.url, { messages: [user(marker)] }));
    expect(await Promise.all(answers)).toEqual(markers.map((marker) => `did ${marker}`));
  });

  test("can be replaced, which forgets what was seen", async () => {
    await using fake = await startFakeModel({ script: { scenarios: [{ turns: [{ text: "old" }] }] } });
    expect(await say(fake.url, { messages: [user("x")] })).toBe("old");
    fake.setScript({ scenarios: [{ turns: [{ text: "new" }] }] });
    expect(fake.requests).toEqual([]);
    expect(await say(fake.url, { messages: [user("x")] })).toBe("new");
    expect(fake.requests.length).toBe(1);
  });

  test("is left alone by requests on the side, which offer no tools", async () => {
    await using fake = await startFakeModel({ script: { scenarios: [{ when: /never/, turns: [] }] } });
    expect(await say(fake.url, { messages: [user("a title, please")], tools: [] })).toBe("ok");
    const schema = {
      type: "object",
      properties: {
        who: { type: "string", enum: ["user", "model"] },
        why: { type: "string" },
        n: { type: "number" },
      },
    };
    const { body } = await ask(`${fake.url}/v1beta/models/m:generateContent`, {
      contents: [{ role: "user", parts: [{ text: "who speaks next?" }] }],
      generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema },
    });
    const [candidate] = (body as { candidates: { content: { parts: { text: string }[] } }[] }).candidates;
    expect(JSON.parse(candidate?.content.parts[0]?.text ?? "")).toEqual({ who: "user", why: "ok", n: 0 });
    expect(fake.requests.map(({ turn }) => turn)).toEqual([null, null]);
  });
});

/** The calls that the model makes if these tools are offered. */
async function callsFor(
  tools: readonly ToolCall[],
  offered: { readonly names: readonly string[]; readonly cwd?: string },
): Promise<unknown> {
  const turn: Turn = { tools };
  await using fake = await startFakeModel({ script: { scenarios: [{ turns: [turn] }] } });
  const { body } = await ask(`${fake.url}/v1/messages`, {
    model: "m",
    system: offered.cwd === undefined ? "" : `Working directory: ${offered.cwd}`,
    tools: offered.names.map(tool),
    messages: [user("go")],
  });
  const { content, error } = body as {
    content?: { name: string; input: unknown }[];
    error?: { message: string };
  };
  return error?.message ?? content?.map(({ name, input }) => ({ name, input }));
}

describe("an act in neutral words", () => {
  const acts: readonly ToolCall[] = [
    { op: "write", path: "a b.txt", content: "x\n" },
    { op: "edit", path: "/abs/c.txt", old: "x", new: "y" },
    { op: "read", path: "a b.txt" },
    { op: "shell", command: "ls" },
  ];

  test("becomes the tool that each CLI offers", async () => {
    const description = "Runs what the script says";
    expect(await callsFor(acts, { names: ["Bash", "Edit", "Read", "Write"], cwd: "/w" })).toEqual([
      { name: "Write", input: { file_path: "/w/a b.txt", content: "x\n" } },
      { name: "Edit", input: { file_path: "/abs/c.txt", old_string: "x", new_string: "y" } },
      { name: "Read", input: { file_path: "/w/a b.txt" } },
      { name: "Bash", input: { command: "ls", description } },
    ]);
    const geminis = ["write_file", "replace", "read_file", "run_shell_command"];
    expect(await callsFor(acts, { names: geminis, cwd: "/w" })).toEqual([
      { name: "write_file", input: { file_path: "/w/a b.txt", content: "x\n" } },
      {
        name: "replace",
        input: {
          file_path: "/abs/c.txt",
          old_string: "x",
          new_string: "y",
          instruction: "Replace x in /abs/c.txt.",
        },
      },
      { name: "read_file", input: { file_path: "/w/a b.txt" } },
      { name: "run_shell_command", input: { command: "ls", description } },
    ]);
    expect(await callsFor(acts, { names: ["apply_patch", "shell"] })).toEqual([
      {
        name: "apply_patch",
        input: { input: "*** Begin Patch\n*** Add File: a b.txt\n+x\n*** End Patch\n" },
      },
      {
        name: "apply_patch",
        input: { input: "*** Begin Patch\n*** Update File: /abs/c.txt\n@@\n-x\n+y\n*** End Patch\n" },
      },
      { name: "shell", input: { command: ["sh", "-c", "cat -- 'a b.txt'"] } },
      { name: "shell", input: { command: ["sh", "-c", "ls"] } },
    ]);
  });

  test("falls back to the shell if a CLI cannot write, and the file is exactly what was meant", async () => {
    const content = "quote ' and $HOME\n日本";
    const write: ToolCall = { op: "write", path: "it's/a b.txt", content };
    const [call] = (await callsFor([write], { names: ["shell_command"] })) as [
      { input: { command: string } },
    ];
    await using folder = await tempDir();
    expect(Bun.spawnSync(["sh", "-c", call.input.command], { cwd: folder.path }).exitCode).toBe(0);
    expect(await Bun.file(`${folder.path}/it's/a b.txt`).text()).toBe(content);
  });

  test("is a fault of the script if the CLI has no tool for it, or no place for the path", async () => {
    expect(await callsFor(acts, { names: ["Read", "Glob"], cwd: "/w" })).toBe(
      "script: no tool for write among: Read, Glob",
    );
    expect(await callsFor(acts, { names: ["Write"] })).toBe(
      "script: the CLI does not say where it works, so a b.txt has no place",
    );
  });

  test("leaves a tool called by name as it is", async () => {
    const named: ToolCall = { name: "mcp__lab__look", input: { deep: [1, { a: null }] } };
    expect(await callsFor([named], { names: ["Bash"] })).toEqual([named]);
  });
});
