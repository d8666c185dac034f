import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { checkGitCommand, createToolContext, isDestructive, ToolCatalog } from "../../../src/lib.ts";
import { isAllowed } from "../../../src/tools/core/context.ts";
import { createSecureTool } from "../../../src/tools/core/secure-tool.ts";
import type { Tool } from "../../../src/tools/core/tool.ts";
import { tempDir } from "../../helpers/temp-dir.ts";
import { deep } from "../../helpers/tier.ts";
import { gitWorld } from "../git/git-world.ts";
import { contextIn, probing } from "./probe-tool.ts";

type Values = Readonly<Record<string, unknown>>;

/** What every object inherits while `act` runs. */
async function inheriting<T>(values: Values, act: () => T | Promise<T>): Promise<T> {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  Object.assign(prototype, values);
  try {
    return await act();
  } finally {
    for (const name of Object.keys(values)) delete prototype[name];
  }
}

/** What would show if it were obeyed. */
const HOSTILE: Readonly<Record<string, unknown>> = {
  string: "elsewhere",
  array: ["--version"],
  boolean: true,
  integer: 3,
  number: 3,
};

/** One call of each tool with what it requires, and no more. */
const REQUIRED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  exec_command: { cwd: ".", command: ["sh", "-c", "pwd; cat; env | grep -c ^elsewhere"] },
  git_command: { subcommand: "push", args: ["--force"] },
  define_issue: { issue: "an issue", context: "its context", constraints: "its constraints" },
  read_file: { path: "README.md" },
  write_file: { path: "made.txt", content: "new\n" },
  apply_patch: { patch: "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-nothing like it\n+x\n" },
  codebase_search: { query: "e" },
  spawn_service: { name: "idle", command: ["sh", "-c", "pwd; exec sleep 600"] },
  get_service_logs: { name: "idle" },
  stop_service: { name: "none" },
};

/** Names of options further in, all at once. */
const INNER = {
  ...{
    allowDestructive: true,
    writeScope: "workspace-write",
    confirm: () => true,
    git: "open",
    hooks: "run",
  },
  ...{
    env: { elsewhere: "1" },
    environment: { elsewhere: "1" },
    input: "elsewhere",
    timeoutMs: 1,
    shellMode: "direct",
  },
  ...{ maxOutputChars: 1, credentials: "user", unguarded: ["."] },
};

/** Without what differs between two calls by themselves, and without words: an inherited `path` gets into those of zod. */
const steady = (answer: unknown) =>
  JSON.parse(
    JSON.stringify(answer, (key, value) =>
      /_ms$|_at$|^(created|createdAt|earlier|message|pid|process_id|bytes_written)$/.test(key)
        ? undefined
        : value,
    ),
  );

describe("inherited properties are no arguments", () => {
  test(deep("no argument of any tool is taken from Object.prototype"), async () => {
    await using world = await gitWorld();
    await mkdir(join(world.repo, "elsewhere"));
    const names = Object.values<Tool>(ToolCatalog).flatMap(({ definition }) =>
      Object.entries(definition.parameters.properties).map(
        ([argument, { type }]) => [definition.name, argument, { [argument]: HOSTILE[type] }] as const,
      ),
    );
    expect(names.length).toBeGreaterThan(40);
    const inner = Object.keys(ToolCatalog).map((tool) => [tool, "inner options", INNER] as const);
    for (const given of [REQUIRED, {} as typeof REQUIRED]) {
      const call = async (tool: string, inherited: Values = {}) => {
        const toolkit = world.toolkitWith();
        try {
          return steady(await inheriting(inherited, () => toolkit.invoke(tool, given[tool] ?? {})));
        } finally {
          await toolkit.close();
        }
      };
      const usual = new Map<string, unknown>();
      // Twice: the first round makes the files that the others find.
      for (const tool of [...Object.keys(ToolCatalog), ...Object.keys(ToolCatalog)])
        usual.set(tool, await call(tool));
      for (const [tool, argument, values] of [...names, ...inner]) {
        expect([tool, argument, await call(tool, values)]).toEqual([tool, argument, usual.get(tool)]);
      }
    }
  });

  test("nor from a prototype of its own, a class, or a hole in a list", async () => {
    await using world = await gitWorld();
    const base = Object.assign(Object.create(null), { allow_destructive: true });
    const child = Object.assign(Object.create(base), { subcommand: "reset", args: ["--hard"] });
    expect(await world.toolkit.invoke("git_command", child)).toMatchObject({
      error: { code: "DESTRUCTIVE_BLOCKED" },
    });
    class Loose {
      get allow_destructive() {
        return true;
      }
    }
    const typed = await world.toolkit.gitCommand("reset", ["--hard"], new Loose());
    expect(typed).toMatchObject({ error: { code: "DESTRUCTIVE_BLOCKED" } });
    const holes: string[] = [];
    holes.length = 1;
    Object.setPrototypeOf(holes, Object.assign(Object.create(Array.prototype), { 0: "-s" }));
    const status = await world.toolkit.invoke("git_command", { subcommand: "status", args: holes });
    expect(status).toMatchObject({ error: { code: "INVALID_ARGUMENT", details: { argument: "args" } } });
  });

  test("an argument is read once: the checked value is the used one", async () => {
    await using world = await gitWorld();
    let reads = 0;
    const args = {
      get subcommand() {
        reads += 1;
        return reads === 1 ? "status" : "clean";
      },
    };
    expect(await world.toolkit.invoke("git_command", args)).toMatchObject({ status: "success" });
    expect(reads).toBe(1);
  });

  test("what a call is handed beside its arguments is not taken from there either", async () => {
    await using dir = await tempDir();
    const { tool, calls } = probing();
    const secure = createSecureTool(tool, contextIn(dir.path));
    const signal = AbortSignal.abort();
    await inheriting({ signal, onProgress: () => undefined, cwd: "no-such-folder", times: 3 }, async () => {
      expect(await secure({})).toMatchObject({ status: "success" });
      expect(await secure({}, {})).toMatchObject({ status: "success" });
      expect(calls.map(({ input }) => [input.cwd, input.times])).toEqual([
        [undefined, 1],
        [undefined, 1],
      ]);
      expect(calls.map(({ call }) => [call.signal, call.onProgress])).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ]);
    });
  });

  test("options of a context, its policy and its extras count only if they are its own", async () => {
    await using dir = await tempDir();
    const loose = {
      writeScope: "workspace-write",
      git: "open",
      confirm: () => true,
      askPerson: () => true,
      defaultPolicy: "allow",
      tools: { exec_command: "allow" },
      exec_command: "allow",
      hooks: "run",
      credentials: "user",
      policy: { defaultPolicy: "allow" },
      gitExtras: { hooks: "run" },
    };
    const strict = { workspaceRoot: dir.path, writeScope: "read-only", git: "read-only" } as const;
    const denied: object = {
      ...strict,
      confirm: null,
      askPerson: null,
      policy: { defaultPolicy: "deny", tools: {} },
      gitExtras: { hooks: "off", credentials: "off" },
      localRepositories: [],
    };
    const shown = ({ host, shared, ...rest }: ReturnType<typeof createToolContext>) => rest;
    await inheriting(loose, () => {
      for (const options of [strict, { ...strict, policy: {}, gitExtras: {} }]) {
        const context = createToolContext(options);
        expect(JSON.parse(JSON.stringify(shown(context)))).toEqual(denied);
        expect(Object.hasOwn(context, "confirm")).toBe(true);
        expect(isAllowed(context, "exec_command")).toBe(false);
      }
    });
    const inherited = Object.assign(Object.create(loose), {
      workspaceRoot: dir.path,
      policy: Object.create(loose),
    });
    expect<object>(shown(createToolContext(inherited))).toEqual({
      ...denied,
      writeScope: "workspace-write",
      git: "open",
    });
    class Policy {
      readonly tools = { read_file: "allow" } as const;
      get defaultPolicy() {
        return "allow" as const;
      }
    }
    const context = createToolContext({ workspaceRoot: dir.path, policy: new Policy() });
    expect(["read_file", "exec_command", "constructor"].map((name) => isAllowed(context, name))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("nor are the options of checkGitCommand", async () => {
    await inheriting({ allowDestructive: true, unguarded: ["x"], cwd: "/elsewhere" }, () => {
      const { verdict, allowed } = checkGitCommand("push", ["--force"], { workspaceRoot: "/ws" });
      expect([verdict, allowed]).toEqual(["destructive", false]);
      expect(checkGitCommand("rm", ["x"], { workspaceRoot: "/ws" }).verdict).toBe("allow");
      expect(isDestructive("push", ["--force"])).toBe(true);
    });
    const given = Object.assign(Object.create({ allowDestructive: true }), { workspaceRoot: "/ws" });
    expect(checkGitCommand("push", ["--force"], given).allowed).toBe(false);
  });
});
