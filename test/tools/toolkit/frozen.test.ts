import { expect, test } from "bun:test";
import {
  allGitTools,
  alwaysAllowedSubcommands,
  checkGitCommand,
  createAgentToolkit,
  createToolContext,
  defineTool,
  destructivePatterns,
  gitCommand,
  isDestructive,
  isSubcommandAllowed,
  modifyingSubcommands,
  TOOL_DEFINITIONS,
  ToolCatalog,
} from "../../../src/lib.ts";
import type { Tool } from "../../../src/tools/core/tool.ts";
import { contextIn, probeTool } from "../core/probe-tool.ts";
import { gitWorld } from "../git/git-world.ts";

/** Every place in plain data that can still be changed. */
function loose(value: unknown, at: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, part]) => loose(part, `${at}.${key}`));
  return Object.isFrozen(value) ? inner : [at, ...inner];
}

const context = createToolContext({ workspaceRoot: "/", policy: { defaultPolicy: "allow" } });
const tools = Object.entries<Tool>(ToolCatalog);

test("what is handed out is frozen, all the way down", () => {
  const handed = {
    TOOL_DEFINITIONS,
    definitions: createAgentToolkit(context).definitions,
    gitCommand: gitCommand(),
    allGitTools: allGitTools(),
    alwaysAllowed: alwaysAllowedSubcommands(),
    modifying: modifyingSubcommands(),
    patterns: destructivePatterns(),
    policy: context.policy,
    extras: context.gitExtras,
    ...Object.fromEntries(
      tools.flatMap(([name, { definition, hints, paths, codes, notes }]) =>
        Object.entries({ definition, hints, paths, codes, notes }).map(([part, value]) => [
          `${name}.${part}`,
          value,
        ]),
      ),
    ),
  };
  expect(Object.entries(handed).flatMap(([name, value]) => loose(value, name))).toEqual([]);
  expect([ToolCatalog, context, ...tools.map(([, tool]) => tool)].every(Object.isFrozen)).toBe(true);
});

test("a tool of one's own is frozen too", () => {
  const own = defineTool({ ...probeTool, notes: ["changeable"] });
  expect([
    Object.isFrozen(own),
    ...loose(own.definition, "definition"),
    ...loose(own.notes, "notes"),
  ]).toEqual([true]);
});

test("what a caller tries to change changes no verdict", async () => {
  await using world = await gitWorld();
  const changes: readonly (() => unknown)[] = [
    () => (alwaysAllowedSubcommands() as string[]).push("gc"),
    () => (modifyingSubcommands() as string[]).splice(0),
    () => (destructivePatterns() as unknown[]).splice(0),
    () => Object.assign(destructivePatterns()[0]?.args ?? {}, { 0: "--porcelain" }),
    () => Object.assign(destructivePatterns()[0] ?? {}, { subcommand: "status" }),
    () => Object.assign(gitCommand(), { name: "exec_command" }),
    () => Object.assign(TOOL_DEFINITIONS.git_command.parameters.required, { 0: "args" }),
    () => Object.assign(ToolCatalog, { git_command: probeTool }),
    () =>
      Object.assign(ToolCatalog.git_command, { run: probeTool.run, effect: "reads", input: probeTool.input }),
    () => Object.assign(ToolCatalog.exec_command.paths[0] ?? {}, { must: "stay-inside", argument: "other" }),
    () => Object.assign(context.policy, { defaultPolicy: "deny" }),
    () => Object.assign(context, { workspaceRoot: "/elsewhere" }),
  ];
  for (const change of changes) expect(change).toThrow(TypeError);
  expect([isSubcommandAllowed("gc"), isSubcommandAllowed("push")]).toEqual([false, true]);
  expect([isDestructive("push", ["--force"]), isDestructive("status", [])]).toEqual([true, false]);
  expect(checkGitCommand("push", ["--force"], { workspaceRoot: "/" }).allowed).toBe(false);
  expect(await world.toolkit.gitCommand("push", ["--force"])).toMatchObject({
    error: { code: "DESTRUCTIVE_BLOCKED" },
  });
});

test("a method that is put in front of a schema's own changes no verdict", async () => {
  await using world = await gitWorld();
  const { input } = ToolCatalog.git_command;
  const safeParse = () => ({ success: true, data: { subcommand: "gc", args: [], allow_destructive: true } });
  const before = Object.getOwnPropertyDescriptor(input, "safeParse");
  try {
    Object.assign(input, { safeParse, parse: safeParse });
    expect(await world.toolkit.invoke("git_command", { subcommand: 7 })).toMatchObject({
      error: { code: "INVALID_ARGUMENT" },
    });
  } finally {
    Object.defineProperty(input, "safeParse", before ?? { value: undefined });
  }
  expect(contextIn(world.repo).writeScope).toBe("workspace-write");
});
