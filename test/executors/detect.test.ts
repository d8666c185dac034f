import { describe, expect, test } from "bun:test";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { which } from "bun";
import { createExecutors } from "../../src/executors/registry.ts";
import type { AgentProfile, AgentReadiness, Probe } from "../../src/executors/shared/executor.ts";
import { agentProfile } from "../helpers/agent-streams.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const executors = createExecutors({ selfCommand: ["bun", "main.ts"] });

interface Machine {
  /** Program → shell script. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Files below HOME. */
  readonly files?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly profile?: Partial<AgentProfile>;
}

const VERSION: Readonly<Record<string, string>> = {
  claude: 'echo "2.1.330 (Claude Code)"',
  codex: 'echo "codex-cli 0.169.0"',
  gemini: "echo 0.61.0",
  opencode: "echo 1.18.33",
};

/** Asks on a machine of real little programs and files; PATH holds only those programs. */
async function detect(id: string, machine: Machine): Promise<AgentReadiness & { readonly folder: string }> {
  await using folder = await tempDir();
  const bin = join(folder.path, "bin");
  await mkdir(bin);
  for (const [name, script] of Object.entries(machine.programs ?? {})) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const home = join(folder.path, "home");
  for (const file of machine.files ?? []) {
    await mkdir(dirname(join(home, file)), { recursive: true });
    await writeFile(join(home, file), "{}");
  }
  const executor = executors.find(id);
  if (executor === null) throw new Error(id);
  const probe = probeOf({ HOME: home, PATH: bin, ...machine.env });
  const profile = agentProfile({ id, executor: id, ...machine.profile });
  return { ...(await executor.detect(profile, probe)), folder: folder.path };
}

const probeOf = (env: Readonly<Record<string, string>>): Probe => ({
  env,
  which: async (program) => which(program, { PATH: env.PATH ?? "" }),
  run: async (argv) => {
    const child = Bun.spawn([...argv], { env: { PATH: process.env.PATH }, stdout: "pipe", stderr: "pipe" });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { code: await child.exited, stdout, stderr };
  },
  exists: (path) => Bun.file(path).exists(),
});

const ask = async (id: string, program: string, machine: Machine) => {
  const { version, ready, reason } = await detect(id, {
    programs: { [program]: VERSION[program] ?? "true" },
    ...machine,
  });
  return { version, ready, reason };
};

const READY = { ready: true, reason: null };
const UNKNOWN = { ready: true, reason: "login could not be checked" };
const missing = (remedy: string) => ({ ready: false, reason: `Not logged in. ${remedy}` });

const LOGINS: readonly (readonly [
  string,
  string,
  string,
  Machine,
  { ready: boolean; reason: string | null },
])[] = [
  ["claude-code", "claude", "a key", { env: { ANTHROPIC_API_KEY: "k" } }, READY],
  ["claude-code", "claude", "a cloud", { env: { CLAUDE_CODE_USE_BEDROCK: "1" } }, READY],
  ["claude-code", "claude", "a stored login", { files: [".claude/.credentials.json"] }, READY],
  ["claude-code", "claude", "traces of a keychain", { files: [".claude.json"] }, UNKNOWN],
  [
    "claude-code",
    "claude",
    "nothing",
    { env: { ANTHROPIC_API_KEY: "" } },
    missing("Run `claude` once and log in, or set ANTHROPIC_API_KEY."),
  ],
  ["codex", "codex", "a stored login", { files: [".codex/auth.json"] }, READY],
  ["codex", "codex", "a key of its own", { env: { CODEX_API_KEY: "k" } }, READY],
  ["codex", "codex", "a provider of one's own", { files: [".codex/config.toml"] }, UNKNOWN],
  ["codex", "codex", "a key that it may not use", { env: { OPENAI_API_KEY: "k" } }, UNKNOWN],
  ["codex", "codex", "nothing", {}, missing("Run `codex login`, or set CODEX_API_KEY.")],
  ["gemini", "gemini", "a key", { env: { GEMINI_API_KEY: "k" } }, READY],
  ["gemini", "gemini", "a stored login", { files: [".gemini/oauth_creds.json"] }, READY],
  ["gemini", "gemini", "a method that was chosen", { files: [".gemini/settings.json"] }, UNKNOWN],
  ["gemini", "gemini", "nothing", {}, missing("Run `gemini` once and log in, or set GEMINI_API_KEY.")],
  ["opencode", "opencode", "a stored login", { files: [".local/share/opencode/auth.json"] }, READY],
  ["opencode", "opencode", "nothing to be seen", {}, UNKNOWN],
];

describe("the login of an agent", () => {
  for (const [id, program, what, machine, expected] of LOGINS)
    test(`${id} with ${what}`, async () => {
      const version = /[\d.]+\d/.exec(VERSION[program] ?? "")?.[0] ?? null;
      expect(await ask(id, program, machine)).toEqual({ version, ...expected });
    });

  test("is looked for if the profile has its own HOME, folder or key", async () => {
    const elsewhere = { files: ["second/.claude/.credentials.json", "third/auth.json"] };
    await using folder = await tempDir();
    const second = { profile: { home: folder.path } };
    expect((await ask("claude-code", "claude", { ...elsewhere, ...second })).ready).toBe(false);
    await mkdir(join(folder.path, ".claude"));
    await writeFile(join(folder.path, ".claude/.credentials.json"), "{}");
    expect((await ask("claude-code", "claude", { ...elsewhere, ...second })).ready).toBe(true);
    const keyed = { profile: { env: { CODEX_API_KEY: "k" } } };
    expect((await ask("codex", "codex", keyed)).ready).toBe(true);
    await writeFile(join(folder.path, "auth.json"), "{}");
    const moved = { profile: { env: { CODEX_HOME: folder.path } } };
    expect(await ask("codex", "codex", moved)).toMatchObject(READY);
    await mkdir(join(folder.path, ".gemini"));
    await writeFile(join(folder.path, ".gemini/oauth_creds.json"), "{}");
    const ownHome = { profile: { env: { GEMINI_CLI_HOME: folder.path } } };
    expect(await ask("gemini", "gemini", ownHome)).toMatchObject(READY);
  });

  test("of the first HOME is not taken for the second's, although the user's environment names its folders", async () => {
    await using first = await tempDir();
    await using second = await tempDir();
    await mkdir(join(first.path, "opencode"));
    await writeFile(join(first.path, "opencode/auth.json"), "{}");
    const env = { XDG_DATA_HOME: first.path };
    expect(await ask("opencode", "opencode", { env })).toMatchObject(READY);
    const other = { env, profile: { home: second.path } };
    expect(await ask("opencode", "opencode", other)).toMatchObject(UNKNOWN);
  });
});

describe("the program of an agent", () => {
  test("is named with its absolute path", async () => {
    const found = await detect("codex", {
      programs: { codex: VERSION.codex ?? "" },
      files: [".codex/auth.json"],
    });
    expect(found.binary).toBe(join(found.folder, "bin/codex"));
  });

  test("that is missing is reported with the package that has it", async () => {
    expect(await ask("gemini", "nothing", {})).toEqual({
      version: null,
      ready: false,
      reason:
        "gemini was not found. Install it: `npm install --global @google/gemini-cli`; or name its binary in `agents.gemini.command`.",
    });
  });

  test("that the configuration names wrongly is reported with the setting", async () => {
    const profile = { id: "fast", command: ["/opt/nothing/claude"] };
    expect(await ask("claude-code", "claude", { profile })).toEqual({
      version: null,
      ready: false,
      reason: "/opt/nothing/claude was not found. Mend `agents.fast.command` in the configuration.",
    });
  });

  test("that does not answer is not ready", async () => {
    const broken = {
      programs: { claude: 'echo "boom: no binary" >&2; exit 1' },
      env: { ANTHROPIC_API_KEY: "k" },
    };
    expect(await ask("claude-code", "claude", broken)).toEqual({
      version: null,
      ready: false,
      reason:
        "`claude --version` failed: boom: no binary. Install it again: `npm install --global @anthropic-ai/claude-code`.",
    });
  });

  test("of a command or an ACP agent is only looked for, never run", async () => {
    for (const id of ["command", "acp"]) {
      const programs = { mine: "exit 1" };
      expect(await ask(id, "mine", { programs, profile: { command: ["mine", "-x"] } })).toMatchObject(READY);
      expect(await ask(id, "mine", { programs, profile: { command: ["other"] } })).toMatchObject({
        ready: false,
        reason: `other was not found or cannot be run. Mend \`agents.${id}.command\` in the configuration.`,
      });
      expect((await ask(id, "mine", { programs })).ready).toBe(false);
    }
  });
});

describe("the key of a login", () => {
  const key = (id: string, profile: Partial<AgentProfile>) =>
    executors.find(id)?.login(agentProfile({ id: "x", executor: id, ...profile }));

  test("is shared by all agents that use the user's own", () => {
    expect(key("claude-code", { id: "a", model: "haiku" })).toBe("claude-code");
    expect(key("claude-code", { id: "b", env: { FOO: "1" } })).toBe("claude-code");
  });

  test("is another one for another HOME, folder or key, and never shows the key", () => {
    const keys = [
      key("codex", {}),
      key("codex", { home: "/second" }),
      key("codex", { env: { CODEX_HOME: "/third" } }),
      key("codex", { env: { CODEX_API_KEY: "sk-secret-1" } }),
      key("codex", { env: { CODEX_API_KEY: "sk-secret-2" } }),
      key("gemini", {}),
      key("gemini", { env: { GEMINI_CLI_HOME: "/third" } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.join(" ")).not.toContain("secret");
    expect(key("codex", { env: { CODEX_API_KEY: "sk-secret-1" } })).toBe(keys[3]);
  });

  test("is each one's own for programs of which nothing is known", () => {
    expect([key("command", { id: "a" }), key("acp", { id: "b" }), key("demo", {})]).toEqual([
      "command:a",
      "acp:b",
      "demo",
    ]);
  });
});
