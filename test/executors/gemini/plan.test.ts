import { describe, expect, test } from "bun:test";
import { geminiPlan } from "../../../src/executors/gemini/index.ts";
import type { LaunchPlan } from "../../../src/executors/shared/executor.ts";
import { launchRequest } from "../../helpers/agent-streams.ts";

const DEFAULTS = "/data/runs/run-1/agent/gemini-defaults.json";
const POLICY = "/data/runs/run-1/agent/gemini-policy.toml";

interface Rule {
  readonly toolName: string | readonly string[];
  readonly commandPrefix?: readonly string[];
  readonly argsPattern?: string;
  readonly decision: string;
}

const contentOf = (plan: LaunchPlan, path: string) =>
  plan.files.find((file) => file.path === path)?.content ?? "";

describe("the launch of the Gemini CLI", () => {
  test("is headless, with a session id of ours, nothing asked and the folder trusted", () => {
    const plan = geminiPlan(launchRequest({ profile: { model: "gemini-2.5-pro", args: ["--debug"] } }), {
      byRoot: false,
    });
    expect({ ...plan, files: plan.files.map((file) => file.path) }).toEqual({
      argv: [
        ...[
          "gemini",
          "--output-format",
          "stream-json",
          "--yolo",
          "--skip-trust",
          "--model",
          "gemini-2.5-pro",
        ],
        ...["--session-id", "11111111-2222-4333-8444-555555555555", "--policy", POLICY, "--debug"],
      ],
      env: {
        GEMINI_CLI_NO_RELAUNCH: "true",
        GEMINI_TELEMETRY_ENABLED: "false",
        TERM: "xterm-256color",
      },
      stdin: "prompt",
      files: [POLICY],
      sessionId: "11111111-2222-4333-8444-555555555555",
    });
  });

  test("resumes a session", () => {
    const plan = geminiPlan(launchRequest({ session: { resume: "old", fresh: "unused" } }), {
      byRoot: false,
    });
    expect(plan.argv.slice(5, 7)).toEqual(["--resume", "old"]);
    expect(plan.sessionId).toBe("old");
  });

  test("lowers retries and attaches MCP servers below the user's settings, where the CLI would read it", () => {
    const server = { name: "tazuna", command: "/bin/tazuna", args: ["mcp"], env: { A: "b" }, inherit: [] };
    const plan = geminiPlan(launchRequest({ mcp: [server] }), { byRoot: true });
    expect(plan.env.GEMINI_CLI_SYSTEM_DEFAULTS_PATH).toBe(DEFAULTS);
    expect(JSON.parse(contentOf(plan, DEFAULTS))).toEqual({
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 2 },
      privacy: { usageStatisticsEnabled: false },
      ide: { enabled: false },
      mcpServers: {
        tazuna: { command: "/bin/tazuna", args: ["mcp"], env: { A: "b" }, trust: true, timeout: 3_600_000 },
      },
    });
  });

  test("denies git writes and secret paths by policy", () => {
    const plan = geminiPlan(launchRequest({}), { byRoot: false });
    const { rule } = Bun.TOML.parse(contentOf(plan, POLICY)) as { readonly rule: readonly Rule[] };
    const [commands, ...paths] = rule;
    expect(commands?.commandPrefix).toContain("git commit");
    expect([...new Set(rule.map(({ decision }) => decision))]).toEqual(["deny"]);
    const touches = (path: string) =>
      paths.some(({ argsPattern }) =>
        new RegExp(argsPattern ?? "$x").test(JSON.stringify({ file_path: path, content: "/.env" })),
      );
    const denied = [
      ".env",
      "/a/.env.local",
      "keys/server.pem",
      "x.key",
      ".git/config",
      "/w/.git",
      "a/.git/x/y",
    ];
    const allowed = ["src/env.ts", "README.md", ".gitignore", "a.keys", "environment/.envrc", "x.git/y"];
    expect(denied.filter((path) => !touches(path))).toEqual([]);
    expect(allowed.filter(touches)).toEqual([]);
  });
});
