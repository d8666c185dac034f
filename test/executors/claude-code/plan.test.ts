import { describe, expect, test } from "bun:test";
import { claudeCode } from "../../../src/executors/claude-code/index.ts";
import { launchRequest } from "../../helpers/agent-streams.ts";

const SETTINGS = "/data/runs/run-1/agent/claude-settings.json";
const MCP = "/data/runs/run-1/agent/claude-mcp.json";

const parsed = (plan: ReturnType<typeof claudeCode.plan>, path: string) =>
  JSON.parse(plan.files.find((file) => file.path === path)?.content ?? "null");

describe("the launch of Claude Code", () => {
  test("seed 003 Related files: Claude Code is started headless, with a session id of ours, edits and commands allowed", () => {
    const plan = claudeCode.plan(launchRequest({}));
    expect({ ...plan, files: plan.files.map((file) => file.path) }).toEqual({
      argv: [
        "claude",
        ...["--print", "--output-format", "stream-json", "--verbose"],
        ...["--session-id", "11111111-2222-4333-8444-555555555555"],
        ...["--permission-mode", "acceptEdits", "--permission-prompts", "none"],
        ...["--settings", SETTINGS, "--mcp-config", MCP, "--strict-mcp-config"],
      ],
      env: {
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_MAX_RETRIES: "2",
        CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: "0",
        DISABLE_AUTOUPDATER: "1",
        ENABLE_TOOL_SEARCH: "false",
        MCP_TIMEOUT: "60000",
      },
      stdin: "prompt",
      files: [SETTINGS, MCP],
      sessionId: "11111111-2222-4333-8444-555555555555",
    });
  });

  test("denies git writes and secret paths, and allows its own MCP servers", () => {
    const server = { name: "tazuna", command: "/bin/tazuna", args: ["mcp"], env: { A: "b" }, inherit: [] };
    const plan = claudeCode.plan(launchRequest({ mcp: [server] }));
    const { permissions } = parsed(plan, SETTINGS);
    expect(permissions.allow).toEqual(["Bash", "mcp__tazuna"]);
    for (const rule of [
      "Bash(git commit:*)",
      "Bash(git push:*)",
      "Bash(git reset --hard:*)",
      "Bash(git stash:*)",
    ])
      expect(permissions.deny).toContain(rule);
    for (const rule of ["Read(./.env)", "Edit(./**/*.pem)", "Read(./**/.env.*)", "Edit(./.git)"])
      expect(permissions.deny).toContain(rule);
    expect(parsed(plan, MCP)).toEqual({
      mcpServers: {
        tazuna: { type: "stdio", command: "/bin/tazuna", args: ["mcp"], env: { A: "b" }, timeout: 3_600_000 },
      },
    });
  });

  test("asks over its standard streams if a person may be asked, and then allows no command by itself", () => {
    for (const isolation of ["guard", "sandbox"] as const) {
      const plan = claudeCode.plan(launchRequest({ approvals: "ask", isolation }));
      const from = plan.argv.indexOf("--input-format");
      expect(plan.argv.slice(from, from + 6)).toEqual([
        ...["--input-format", "stream-json", "--permission-mode", "acceptEdits"],
        ...["--permission-prompt-tool", "stdio"],
      ]);
      expect(plan.argv).not.toContain("--permission-prompts");
      expect(plan.stdin).toBe("lines");
      expect(parsed(plan, SETTINGS).permissions.allow).toEqual([]);
      expect(parsed(plan, SETTINGS).permissions.deny).toContain("AskUserQuestion");
    }
  });

  test("resumes a session, with the profile's binary, model, arguments, variables and HOME", () => {
    const plan = claudeCode.plan(
      launchRequest({
        session: { resume: "0190-old", fresh: "unused" },
        profile: {
          command: ["/opt/claude", "--bare"],
          model: "haiku",
          args: ["--max-turns", "3"],
          env: { CLAUDE_CODE_MAX_RETRIES: "9" },
          home: "/second",
        },
      }),
    );
    expect(plan.argv.slice(0, 9)).toEqual([
      ...["/opt/claude", "--bare", "--print", "--output-format", "stream-json", "--verbose"],
      ...["--model", "haiku", "--resume"],
    ]);
    expect(plan.argv).not.toContain("--session-id");
    expect(plan.argv.slice(-2)).toEqual(["--max-turns", "3"]);
    expect(plan.sessionId).toBe("0190-old");
    expect(plan.env).toMatchObject({ HOME: "/second", CLAUDE_CODE_MAX_RETRIES: "9" });
  });

  test("asks for nothing inside our own sandbox", () => {
    const plan = claudeCode.plan(launchRequest({ isolation: "sandbox" }));
    expect(plan.argv).toContain("bypassPermissions");
    expect(plan.env.IS_SANDBOX).toBe("1");
  });
});

test("our hook is asked before each command, by our settings and by no other file", () => {
  const plan = claudeCode.plan(launchRequest({ hook: ["/it's/tazuna", "__hook", "/r/.git"] }));
  const settings = plan.files.find(({ path }) => path.endsWith("claude-settings.json"));
  expect(JSON.parse(settings?.content ?? "").hooks).toEqual({
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [{ type: "command", command: "'/it'\\''s/tazuna' '__hook' '/r/.git'", timeout: 30 }],
      },
    ],
  });
});
