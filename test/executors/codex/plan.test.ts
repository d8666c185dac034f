import { describe, expect, test } from "bun:test";
import { codex } from "../../../src/executors/codex/index.ts";
import { launchRequest } from "../../helpers/agent-streams.ts";

const config = (...pairs: readonly string[]) => pairs.flatMap((pair) => ["--config", pair]);

const QUIET = [
  "check_for_update_on_startup=false",
  "analytics.enabled=false",
  'otel.exporter="none"',
  'otel.metrics_exporter="none"',
  'otel.trace_exporter="none"',
];

describe("the launch of Codex", () => {
  test("confines it to the worktree and a temporary folder of the run", () => {
    expect(codex.plan(launchRequest({}))).toEqual({
      argv: [
        ...["codex", "exec", "--json", "--cd", "/workspace", "--sandbox", "workspace-write"],
        ...config(
          'approval_policy="never"',
          "sandbox_workspace_write.exclude_slash_tmp=true",
          "sandbox_workspace_write.exclude_tmpdir_env_var=true",
          'sandbox_workspace_write.writable_roots=["/data/runs/run-1/agent/tmp"]',
          ...QUIET,
        ),
        "-",
      ],
      env: { TMPDIR: "/data/runs/run-1/agent/tmp" },
      stdin: "prompt",
      files: [
        {
          path: "/data/runs/run-1/agent/tmp/README",
          content: "Temporary files of this run's commands.\n",
        },
      ],
      sessionId: null,
    });
  });

  test("resumes a thread in the process's folder, with the sandbox as configuration", () => {
    const plan = codex.plan(
      launchRequest({
        session: { resume: "01a1ffcd", fresh: "unused" },
        profile: { model: "gpt-5.5", args: ["--skip-git-repo-check"], home: "/second" },
      }),
    );
    expect(plan.argv.slice(0, 7)).toEqual([
      ...["codex", "exec", "resume", "--json", "--config", 'sandbox_mode="workspace-write"', "--model"],
    ]);
    expect(plan.argv.slice(-3)).toEqual(["--skip-git-repo-check", "01a1ffcd", "-"]);
    expect(plan.argv).not.toContain("--cd");
    expect(plan.sessionId).toBe("01a1ffcd");
    expect(plan.env.HOME).toBe("/second");
  });

  test("takes its own sandbox off inside ours", () => {
    const plan = codex.plan(launchRequest({ isolation: "sandbox" }));
    expect(plan.argv).toContain("danger-full-access");
    expect(plan.argv.join(" ")).not.toContain("sandbox_workspace_write");
    expect({ env: plan.env, files: plan.files }).toEqual({ env: {}, files: [] });
  });

  test("attaches MCP servers as TOML, whatever their words hold", () => {
    const args = ['a "quoted" \\ word', "päth\nline"];
    const server = { name: "tazuna", command: "/b in/tazuna", args, env: { KEY: "v=1" }, inherit: ["LANG"] };
    const plan = codex.plan(launchRequest({ mcp: [server], profile: { env: { OWN: "1" } } }));
    const pair = plan.argv.find((word) => word.startsWith("mcp_servers.tazuna=")) ?? "";
    const parsed = Bun.TOML.parse(`value=${pair.slice("mcp_servers.tazuna=".length)}`);
    expect(parsed).toEqual({
      value: {
        command: "/b in/tazuna",
        args,
        env: { KEY: "v=1" },
        env_vars: ["LANG", "OWN"],
        startup_timeout_sec: 60,
        tool_timeout_sec: 3600,
        default_tools_approval_mode: "approve",
      },
    });
  });
});

test("our hook is asked inside our sandbox only: the flag for it lets the repository's own hooks run too", () => {
  const hook = ["/bin/tazuna", "__hook", "/r/.git"];
  const inside = codex.plan(launchRequest({ isolation: "sandbox", hook })).argv;
  expect(inside).toContain("--dangerously-bypass-hook-trust");
  expect(inside).toContain(
    `hooks.PreToolUse=[{matcher="Bash",hooks=[{type="command",command="'/bin/tazuna' '__hook' '/r/.git'",timeout=30}]}]`,
  );
  const outside = codex.plan(launchRequest({ isolation: "guard", hook })).argv;
  expect(outside.filter((word) => word.includes("hook"))).toEqual([]);
});
