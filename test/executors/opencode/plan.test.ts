import { describe, expect, test } from "bun:test";
import { opencode } from "../../../src/executors/opencode/index.ts";
import { launchRequest } from "../../helpers/agent-streams.ts";

describe("the launch of opencode", () => {
  test("is headless, its settings in a variable, no file of the user's touched", () => {
    const server = { name: "tazuna", command: "/bin/tazuna", args: ["mcp"], env: { A: "b" }, inherit: [] };
    const plan = opencode.plan(
      launchRequest({ mcp: [server], profile: { model: "x/y", args: ["--print-logs"] } }),
    );
    const { OPENCODE_CONFIG_CONTENT, ...env } = plan.env;
    expect({ ...plan, env }).toEqual({
      argv: ["opencode", "run", "--format", "json", "--model", "x/y", "--print-logs"],
      env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" },
      stdin: "prompt",
      files: [],
      sessionId: null,
    });
    const { permission, mcp, ...rest } = JSON.parse(OPENCODE_CONFIG_CONTENT ?? "null");
    expect(rest).toEqual({ autoupdate: false, share: "disabled" });
    expect(mcp).toEqual({
      tazuna: {
        type: "local",
        command: ["/bin/tazuna", "mcp"],
        environment: { A: "b" },
        enabled: true,
        timeout: 3_600_000,
      },
    });
    expect(Object.entries(permission.bash)[0]).toEqual(["*", "allow"]);
    expect(permission.bash).toMatchObject({ "git commit*": "deny", "git push*": "deny" });
    expect(permission.read).toMatchObject({ "*": "allow", ".env": "deny", "*/*.pem": "deny" });
    expect(permission.external_directory).toBe("deny");
  });

  test("with another HOME takes its folders there, but for what the profile says itself", () => {
    const profile = { home: "/second", env: { XDG_DATA_HOME: "/third" } };
    expect(opencode.plan(launchRequest({ profile })).env).toMatchObject({
      HOME: "/second",
      XDG_CONFIG_HOME: "/second/.config",
      XDG_DATA_HOME: "/third",
    });
  });

  test("resumes a session", () => {
    const plan = opencode.plan(launchRequest({ session: { resume: "ses_1", fresh: "unused" } }));
    expect(plan.argv.slice(4)).toEqual(["--session", "ses_1"]);
    expect(plan.sessionId).toBe("ses_1");
  });
});
