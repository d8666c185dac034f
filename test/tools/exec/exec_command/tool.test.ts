import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { createAgentToolkit, createToolContext, TOOL_DEFINITIONS, ToolCatalog } from "../../../../src/lib.ts";
import { execCommandInput } from "../../../../src/tools/exec/exec_command/validator.ts";
import { sourceFiles } from "../../../architecture/source-files.ts";
import { execWorld } from "./exec-world.ts";

// Real processes on a busy machine.
setDefaultTimeout(150_000);

const DIRECT = { shell_mode: "direct" } as const;

describe("seed 001 §3.1: one command, once, without dialogue", () => {
  test("seed 001 §1, §4.2 and §11: an existing folder and [echo, hello] give exit code 0, the output and the command as given", async () => {
    await using world = await execWorld();
    const { duration_ms, ...data } = await world.run(["echo", "hello"]);
    expect(data).toEqual({
      cwd: world.root,
      command: ["echo", "hello"],
      exit_code: 0,
      stdout: "hello\n",
      stderr: "",
      stdout_truncated: false,
      stderr_truncated: false,
      timed_out: false,
    });
    expect(Number.isInteger(duration_ms)).toBe(true);
  });

  test("seed 001 §3.1: takes cwd and command, and runs them exactly once", async () => {
    await using world = await execWorld();
    await world.run(["sh", "-c", "echo ran >>log"]);
    expect((await world.run(["cat", "log"])).stdout).toBe("ran\n");
  });

  test("seed 001 §1, §3.1 and §3.3: without stdin a command that reads finds the end, and there is no terminal", async () => {
    await using world = await execWorld();
    expect((await world.run(["cat"])).stdout).toBe("");
    expect((await world.run(["sh", "-c", "test -t 0 || test -t 1 || test -t 2; echo $?"])).stdout).toBe(
      "1\n",
    );
    expect((await world.run(["sh", "-c", "(: </dev/tty) 2>/dev/null; test $? -ne 0; echo $?"])).stdout).toBe(
      "0\n",
    );
  });

  test("seed 001 §3.1 and §4.2: answers exit_code, stdout, stderr and timed_out; a failure of the command is data", async () => {
    await using world = await execWorld();
    for (const mode of ["default", "direct"]) {
      const data = await world.run(["sh", "-c", "echo out; echo err >&2; exit 3"], { shell_mode: mode });
      expect([data.exit_code, data.stdout, data.stderr, data.timed_out]).toEqual([
        3,
        "out\n",
        "err\n",
        false,
      ]);
    }
  });

  test("seed 001 §3.1: exit code and output come back as they are, for the same input the same", async () => {
    await using world = await execWorld();
    const odd = "\ufeff  no\ttrim \r\n\n\u001b[31mred\u001b[0m \0 あ🐎 end without line feed";
    await world.write("odd", odd);
    const runs = [await world.run(["cat", "odd"]), await world.run(["cat", "odd"])];
    expect(runs.map(({ stdout, exit_code }) => [stdout, exit_code])).toEqual([
      [odd, 0],
      [odd, 0],
    ]);
  });

  test("seed 001 §2: git status --short, a script that fails with its log on stderr, a command in a sub-directory", async () => {
    await using world = await execWorld({
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
    await world.run(["git", "init", "-q"]);
    await world.write("sub/new.txt", "x");
    expect((await world.run(["git", "status", "--short"])).stdout).toBe("?? sub/\n");
    const failed = await world.run(["sh", "-c", "echo 'expected 1, got 2' >&2; exit 1"]);
    expect([failed.exit_code, failed.stderr]).toEqual([1, "expected 1, got 2\n"]);
    expect((await world.run(["ls"], { cwd: "sub" })).stdout).toBe("new.txt\n");
  });
});

describe("seed 001 §3.1: cwd is a folder inside the workspace", () => {
  test("seed 001 §4.2 and §11: an absolute cwd comes back unchanged (departs: a relative one as the absolute real path)", async () => {
    await using world = await execWorld();
    await mkdir(join(world.root, "a/b"), { recursive: true });
    await symlink("a/b", join(world.root, "link"));
    for (const cwd of [world.root, `${world.root}/a/../a/b/`, `${world.root}/link`]) {
      const data = await world.run(["pwd", "-P"], { cwd });
      expect(data.cwd).toBe(cwd);
    }
    const relative = { ".": world.root, "a/b": `${world.root}/a/b`, link: `${world.root}/a/b` };
    for (const [cwd, real] of Object.entries(relative)) {
      const data = await world.run(["pwd", "-P"], { cwd });
      expect([data.cwd, data.stdout]).toEqual([real, `${real}\n`]);
    }
  });

  test("a workspace that was named by a link takes absolute paths by the link and by the real folder", async () => {
    await using world = await execWorld();
    await mkdir(join(world.root, "real/sub"), { recursive: true });
    await symlink("real", join(world.root, "link"));
    const toolkit = createAgentToolkit(
      createToolContext({ workspaceRoot: join(world.root, "link"), policy: { defaultPolicy: "allow" } }),
    );
    for (const cwd of [`${world.root}/link/sub`, `${world.root}/real/sub`]) {
      const result = await toolkit.execCommand(cwd, ["pwd", "-P"]);
      expect(result.status === "success" && [result.data.cwd, result.data.stdout]).toEqual([
        cwd,
        `${world.root}/real/sub\n`,
      ]);
    }
  });

  test("seed 001 §3.1: both separators name the same real folder", async () => {
    await using world = await execWorld();
    await mkdir(join(world.root, "src/tools"), { recursive: true });
    for (const cwd of ["src/tools", "src\\tools", ".\\src/tools\\"])
      expect((await world.run(["pwd", "-P"], { cwd })).stdout).toBe(`${world.root}/src/tools\n`);
  });

  test("seed 001 §3.1: what leads outside is refused and nothing runs, by spelling and by links", async () => {
    await using world = await execWorld();
    await symlink("..", join(world.root, "out"));
    await symlink("/", join(world.root, "slash"));
    for (const cwd of [
      "..",
      "../..",
      "/",
      "/tmp",
      `${world.root}/..`,
      `${world.root}-evil`,
      "out",
      "slash/etc",
    ]) {
      const result = await world.call({ cwd, command: ["touch", join(world.root, "ran")] });
      expect([cwd, result.status, result.status !== "success" && result.reason]).toEqual([
        cwd,
        "denied",
        "sandbox",
      ]);
      expect(result.status !== "success" && result.error.code).toBe("OUTSIDE_WORKSPACE");
    }
    expect((await world.run(["ls"])).stdout).toBe("out\nslash\n");
  });

  test("seed 001 §4.3, §7 and §11: a cwd that is missing, a file or a link to a file gives NOT_DIRECTORY", async () => {
    await using world = await execWorld();
    await world.write("file", "x");
    await symlink("file", join(world.root, "link"));
    for (const cwd of ["missing", "file", "link", "missing/deeper", join(world.root, "file")])
      expect([cwd, await world.codeOf({ cwd, command: ["true"] })]).toEqual([cwd, "NOT_DIRECTORY"]);
  });

  test("a folder called ..foo, and one with spaces, quotes and kanji, are folders like others", async () => {
    await using world = await execWorld();
    for (const name of ["..foo", "a b", "it's", "手綱", "$HOME", "-x"]) {
      await mkdir(join(world.root, name));
      expect((await world.run(["pwd", "-P"], { cwd: name })).stdout).toBe(`${world.root}/${name}\n`);
    }
  });
});

describe("seed 001 §4.3: INVALID_ARGUMENT, before anything runs", () => {
  const wrong: readonly [string, object][] = [
    ["an empty cwd", { cwd: "", command: ["true"] }],
    ["a blank cwd", { cwd: "  ", command: ["true"] }],
    ["a cwd with a NUL", { cwd: "a\0b", command: ["true"] }],
    ["no cwd", { command: ["true"] }],
    ["a cwd that is no text", { cwd: 1, command: ["true"] }],
    ["an empty command", { cwd: ".", command: [] }],
    ["a command that is text", { cwd: ".", command: "true" }],
    ["no command", { cwd: "." }],
    ["an element that is no text", { cwd: ".", command: ["echo", 1] }],
    ["a null element", { cwd: ".", command: ["echo", null] }],
    ["an empty program", { cwd: ".", command: ["", "x"] }],
    ["a NUL in an argument", { cwd: ".", command: ["echo", "a\0b"] }],
    ["half of a surrogate pair", { cwd: ".", command: ["echo", "\ud83d"] }],
    ["timeout_ms 0", { cwd: ".", command: ["true"], timeout_ms: 0 }],
    ["timeout_ms 120001", { cwd: ".", command: ["true"], timeout_ms: 120_001 }],
    ["timeout_ms 1.5", { cwd: ".", command: ["true"], timeout_ms: 1.5 }],
    ["timeout_ms as text", { cwd: ".", command: ["true"], timeout_ms: "30000" }],
    ["timeout_ms NaN", { cwd: ".", command: ["true"], timeout_ms: Number.NaN }],
    ["timeout_ms null", { cwd: ".", command: ["true"], timeout_ms: null }],
    ["max_output_chars 999", { cwd: ".", command: ["true"], max_output_chars: 999 }],
    ["max_output_chars 1000001", { cwd: ".", command: ["true"], max_output_chars: 1_000_001 }],
    ["an unknown shell_mode", { cwd: ".", command: ["true"], shell_mode: "bash" }],
    ["stdin that is no text", { cwd: ".", command: ["true"], stdin: 1 }],
    ["stdin null", { cwd: ".", command: ["true"], stdin: null }],
    ["an environment", { cwd: ".", command: ["true"], env: { A: "1" } }],
  ];
  for (const [what, args] of wrong)
    test(`seed 001 §4.3 and §11: any wrong argument gives INVALID_ARGUMENT: ${what}`, async () => {
      await using world = await execWorld();
      expect(await world.codeOf(args)).toBe("INVALID_ARGUMENT");
    });

  test("seed 001 §3.1, §4.3 and §11: a command needs at least its program, and only strings; the message names what is wrong", async () => {
    await using world = await execWorld();
    const messages = await Promise.all(
      [{ command: [] }, { command: ["a", 1] }, { command: ["a"], timeout_ms: 0 }].map((args) =>
        world.call(args),
      ),
    );
    expect(messages.map((result) => result.status !== "success" && result.message)).toEqual([
      "command: must hold at least the name of a program.",
      "command[1]: invalid input: expected string, received number.",
      "timeout_ms: too small: expected number to be >=1.",
    ]);
  });

  test("seed 001 §3.1 and §4.1: unless told, shell_mode is default, timeout_ms 30,000 and max_output_chars 200,000", () => {
    const given = { cwd: ".", command: ["true"] };
    expect(execCommandInput.parse(given)).toEqual({
      ...given,
      shell_mode: "default",
      timeout_ms: 30_000,
      max_output_chars: 200_000,
    });
  });

  test("seed 001 §4.1: the limits themselves are allowed: 1 to 120,000 ms, 1,000 to 1,000,000 characters", async () => {
    await using world = await execWorld();
    for (const more of [{ timeout_ms: 120_000 }, { max_output_chars: 1000 }, { max_output_chars: 1_000_000 }])
      expect((await world.run(["true"], more)).exit_code).toBe(0);
    expect(await world.codeOf({ cwd: ".", command: ["true"], timeout_ms: 1 })).toBe("success");
  });
});

describe("seed 001 §7: order of the checks", () => {
  test("seed 001 §5 and §7: the order is policy, write scope, arguments, the workspace's border, the folder, then the program", async () => {
    const inputs = {
      noArguments: {},
      outside: { cwd: "..", command: ["no-such-program"], ...DIRECT },
      missing: { cwd: "missing", command: ["no-such-program"], ...DIRECT },
      program: { cwd: ".", command: ["no-such-program"], ...DIRECT },
    };
    const codes = async (options: Parameters<typeof execWorld>[0]) => {
      await using world = await execWorld(options);
      return Promise.all(Object.values(inputs).map((input) => world.codeOf(input)));
    };
    const denied = { policy: { defaultPolicy: "deny" }, writeScope: "read-only" } as const;
    expect(await codes(denied)).toEqual(Array(4).fill("POLICY_DENIED"));
    expect(await codes({ writeScope: "read-only" })).toEqual(Array(4).fill("READ_ONLY"));
    expect(await codes({})).toEqual([
      "INVALID_ARGUMENT",
      "OUTSIDE_WORKSPACE",
      "NOT_DIRECTORY",
      "COMMAND_NOT_FOUND",
    ]);
  });

  test("seed 001 §7: there is no list of allowed programs (departs: in attempts the door judges git)", async () => {
    await using world = await execWorld();
    for (const program of ["rm", "sh", "git", "env"])
      expect(await world.codeOf({ cwd: ".", command: [program, "--help"] })).toBe("success");
  });
});

describe("seed 001 §3.1: the environment is inherited as it is", () => {
  test("seed 001 §3.1 and §3.3: every variable of the calling process reaches the command as it is (departs: the mark TAZUNA_EXEC is beside them)", async () => {
    const env = {
      EMPTY: "",
      ODD: "a=b\nc 'd' \"$e\"",
      "name.with-odd": "1",
      BASH_ENV: "/nowhere",
      GONE: undefined,
    };
    await using world = await execWorld({ env });
    const { stdout } = await world.run(["env", "-0"], DIRECT);
    const seen = Object.fromEntries(
      stdout
        .split("\0")
        .filter((line) => line !== "")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
    );
    const { TAZUNA_EXEC, TAZUNA_TEST_TAG, PATH, ...others } = seen;
    expect(others).toEqual({
      EMPTY: "",
      ODD: "a=b\nc 'd' \"$e\"",
      "name.with-odd": "1",
      BASH_ENV: "/nowhere",
    });
    expect([TAZUNA_EXEC !== undefined, TAZUNA_TEST_TAG !== undefined, PATH]).toEqual([
      true,
      true,
      process.env.PATH,
    ]);
  });

  test("seed 001 §3.2: the library hands on process.env as it is when the call is made", async () => {
    await using world = await execWorld();
    const toolkit = createAgentToolkit(
      createToolContext({ workspaceRoot: world.root, policy: { defaultPolicy: "allow" } }),
    );
    const name = `TAZUNA_TEST_${world.root.replaceAll(/\W/g, "_")}`;
    const ask = async () => {
      const result = await toolkit.execCommand(".", ["printenv", name]);
      return result.status === "success" && [result.data.exit_code, result.data.stdout];
    };
    expect(await ask()).toEqual([1, ""]);
    process.env[name] = "set meanwhile";
    try {
      expect(await ask()).toEqual([0, "set meanwhile\n"]);
    } finally {
      delete process.env[name];
    }
  });

  test("seed 001 §2, §7, §9 and §11: under a version manager the shim on PATH is what runs, without preparation", async () => {
    await using world = await execWorld();
    const shims = join(world.root, ".shims");
    await world.write(
      ".shims/tool",
      '#!/bin/sh\necho "shim for $(basename "$0") in $TOOL_ROOT: $*"\n',
      0o755,
    );
    await using managed = await execWorld({
      env: { PATH: `${shims}:/usr/bin:/bin`, TOOL_ROOT: "/opt/tool" },
    });
    for (const shell_mode of ["default", "direct"])
      expect((await managed.run(["tool", "test"], { shell_mode })).stdout).toBe(
        "shim for tool in /opt/tool: test\n",
      );
  });
});

describe("seed 001 §5: shell_mode", () => {
  test("seed 001 §3.1: default is the default, and every token arrives as it is: nothing is read as shell text", async () => {
    await using world = await execWorld();
    const hostile = [
      "$HOME",
      "`id`",
      "$(id)",
      "a;b",
      "a && b",
      "*",
      "~",
      "#x",
      "'",
      '"',
      "\\",
      "",
      " ",
      "\n",
      "!",
      "{a,b}",
    ];
    for (const more of [{}, { shell_mode: "default" }, DIRECT]) {
      const data = await world.run(["printf", "<%s>\\0", ...hostile], more);
      expect(data.stdout).toBe(hostile.map((token) => `<${token}>\0`).join(""));
      expect(data.command).toEqual(["printf", "<%s>\\0", ...hostile]);
    }
  });

  test("seed 001 §3.1 and §5: default runs through the shell of the system, direct does not", async () => {
    await using world = await execWorld();
    // What only a shell can do is there in the one mode and not in the other.
    expect((await world.run(["eval", "echo $((6 * 7))"])).stdout).toBe("42\n");
    expect(await world.codeOf({ cwd: ".", command: ["eval", "echo"], ...DIRECT })).toBe("COMMAND_NOT_FOUND");
  });

  test("a command that the shell does not find is data: 127, and the shell's own words name it", async () => {
    await using world = await execWorld();
    const data = await world.run(["tazuna-no-such-program"]);
    expect(data.exit_code).toBe(127);
    expect(data.stderr).toContain("tazuna-no-such-program");
  });

  test("seed 001 §3.2, §4.3 and §11: direct mode and an unknown program give COMMAND_NOT_FOUND with its name", async () => {
    await using world = await execWorld();
    const result = await world.call({ command: ["tazuna-no-such-program", "x"], ...DIRECT });
    expect(result).toEqual({
      status: "failure",
      reason: "runtime",
      message:
        "Command not found: tazuna-no-such-program (no file of that name is on PATH that may be executed).",
      error: {
        code: "COMMAND_NOT_FOUND",
        message:
          "Command not found: tazuna-no-such-program (no file of that name is on PATH that may be executed).",
        retriable: false,
        details: { command: "tazuna-no-such-program" },
      },
    });
  });

  test("seed 001 §5: in direct mode a path runs as it is, from cwd; a name is looked for on PATH only", async () => {
    await using world = await execWorld();
    const script = await world.write("bin/hello", "#!/bin/sh\necho hello from $PWD\n", 0o755);
    expect((await world.run(["bin/hello"], DIRECT)).stdout).toBe(`hello from ${world.root}\n`);
    expect((await world.run(["./hello"], { ...DIRECT, cwd: "bin" })).stdout).toBe(
      `hello from ${world.root}/bin\n`,
    );
    expect((await world.run([script], DIRECT)).exit_code).toBe(0);
    expect(await world.codeOf({ cwd: "bin", command: ["hello"], ...DIRECT })).toBe("COMMAND_NOT_FOUND");
  });

  test("what cannot be started has a code and a reason that helps", async () => {
    await using world = await execWorld();
    await world.write("plain.txt", "text\n");
    await world.write("bad-shebang", "#!/no/such/interpreter\n", 0o755);
    await world.write("binary", "\x7f\x01\x02\x03", 0o755);
    await mkdir(join(world.root, "folder"));
    const answers = await Promise.all(
      ["./plain.txt", "./folder", "./missing", "./bad-shebang", "./binary"].map(async (program) => {
        const result = await world.call({ command: [program], ...DIRECT });
        if (result.status === "success") return `${program} ran`;
        return `${result.error.code} ${result.message.replaceAll(world.root, "WS")}`;
      }),
    );
    expect(answers).toEqual([
      "COMMAND_NOT_FOUND Command not found: ./plain.txt (no file is there that may be executed).",
      "COMMAND_NOT_FOUND Command not found: ./folder (no file is there that may be executed).",
      "COMMAND_NOT_FOUND Command not found: ./missing (no file is there that may be executed).",
      "COMMAND_NOT_FOUND Command not found: WS/./bad-shebang could not be started: the interpreter in its #! line does not exist.",
      "INTERNAL WS/./binary is neither a binary nor a script with a #! line.",
    ]);
  });

  test("a command that is longer than the system takes is INVALID_ARGUMENT, and names why", async () => {
    await using world = await execWorld();
    for (const shell_mode of ["default", "direct"]) {
      const result = await world.call({ command: ["echo", "x".repeat(4_000_000)], shell_mode });
      expect(result.status !== "success" && [result.error.code, result.message.includes("too long")]).toEqual(
        ["INVALID_ARGUMENT", true],
      );
    }
    const many = Array.from({ length: 20_000 }, (_, index) => `argument ${index}`);
    const { stdout } = await world.run(["printf", "%s\\n", ...many], {
      ...DIRECT,
      max_output_chars: 1_000_000,
    });
    expect(stdout).toBe(many.map((one) => `${one}\n`).join(""));
  });

  test("seed 001 §3.1 and §4.3: an unforeseen failure is INTERNAL, and the call does not throw", async () => {
    await using world = await execWorld();
    const broken = {
      ...createToolContext({ workspaceRoot: world.root, policy: { defaultPolicy: "allow" } }),
      host: {
        platform: process.platform,
        environment: () => {
          throw new Error("no environment today");
        },
      },
    };
    expect(await createAgentToolkit(broken).execCommand(".", ["true"])).toMatchObject({
      status: "failure",
      reason: "runtime",
      error: { code: "INTERNAL", message: "Unexpected error: no environment today" },
    });
  });
});

describe("seed 001 §3.1: stdin is UTF-8 text", () => {
  test("seed 001 §3.1: stdin arrives as UTF-8, as it is, of any length, empty too", async () => {
    await using world = await execWorld();
    const text = `\ufeffあ🐎\0\r\n${"x".repeat(1000)}`;
    expect((await world.run(["cat"], { stdin: text })).stdout).toBe(text);
    expect((await world.run(["cat"], { stdin: "" })).stdout).toBe("");
    const { stdout } = await world.run(["wc", "-c"], { stdin: "é".repeat(5 * 1024 * 1024) });
    expect(Number(stdout)).toBe(10 * 1024 * 1024);
  });

  test("10 MB to a command that never reads them does no harm, whether it ends by itself or over time", async () => {
    await using world = await execWorld();
    const stdin = "x".repeat(10_000_000);
    expect((await world.run(["true"], { stdin })).exit_code).toBe(0);
    const late = await world.run(["sleep", "300"], { stdin, timeout_ms: 300 });
    expect([late.timed_out, late.exit_code]).toEqual([true, 124]);
    expect(await world.left()).toEqual([]);
  });
});

describe("seed 001 §8: the doors", () => {
  test("seed 001 §8: the library's method is execCommand(cwd, command, options?)", async () => {
    await using world = await execWorld();
    const toolkit = createAgentToolkit(
      createToolContext({ workspaceRoot: world.root, policy: { tools: { exec_command: "allow" } } }),
    );
    const plain = await toolkit.execCommand(world.root, ["echo", "hello"]);
    const more = await toolkit.execCommand(".", ["cat"], { stdin: "in", ...DIRECT });
    expect([plain, more].map((result) => result.status === "success" && result.data.stdout)).toEqual([
      "hello\n",
      "in",
    ]);
  });

  test("seed 001 §8 and §11: exec_command is registered in ToolCatalog and TOOL_DEFINITIONS", () => {
    expect(ToolCatalog.exec_command.definition).toBe(TOOL_DEFINITIONS.exec_command);
    expect(Object.keys(TOOL_DEFINITIONS)).toContain("exec_command");
  });

  test("seed 001 §4.4, §8 and §11: the definition is the seed's, letter by letter", () => {
    expect(JSON.stringify(TOOL_DEFINITIONS.exec_command)).toBe(JSON.stringify(SEED_DEFINITION));
  });

  test("seed 001 §8: exec_command and apply_patch know nothing of each other", () => {
    const between = sourceFiles().flatMap(({ path, imports }) =>
      imports.flatMap(({ target }) => {
        const ends = [path, target ?? ""];
        const tools = ["tools/exec/exec_command/", "tools/edit/apply_patch/"];
        return tools.every((tool) => ends.some((end) => end.startsWith(tool))) ? [path] : [];
      }),
    );
    expect(between).toEqual([]);
  });

  test("which sandbox held is named in meta: the tool makes none of its own", async () => {
    await using world = await execWorld();
    const result = await world.call({ command: ["true"] });
    expect(result.status === "success" && result.meta).toEqual({ sandbox: "none" });
    await using confined = await execWorld({ env: { TAZUNA_SANDBOX: "bubblewrap 0.8.0" } });
    const inside = await confined.call({ command: ["true"] });
    expect(inside.status === "success" && inside.meta).toEqual({ sandbox: "bubblewrap 0.8.0" });
  });

  test("a folder that may not be entered does not crash the call", async () => {
    await using world = await execWorld();
    await mkdir(join(world.root, "locked"));
    await chmod(join(world.root, "locked"), 0o000);
    const code = await world.codeOf({ cwd: "locked", command: ["true"], ...DIRECT });
    // Root enters it all the same.
    expect(process.getuid?.() === 0 ? ["success"] : ["INTERNAL", "NOT_DIRECTORY"]).toContain(code);
  });
});

const SEED_DEFINITION = {
  name: "exec_command",
  description: "Runs a command once in the workspace and returns stdout, stderr, and exit code.",
  parameters: {
    type: "object",
    properties: {
      cwd: { type: "string", description: "Working directory path in workspace." },
      command: {
        type: "array",
        items: { type: "string" },
        description: "Only the target command tokens to run (e.g. bun run dev).",
      },
      shell_mode: {
        type: "string",
        enum: ["default", "direct"],
        default: "default",
        description: "Use default to apply OS shell wrapper automatically (default: default).",
      },
      stdin: { type: "string", description: "UTF-8 stdin text." },
      timeout_ms: {
        type: "number",
        default: 30000,
        description: "Execution timeout in milliseconds (default: 30000).",
      },
      max_output_chars: {
        type: "number",
        default: 200000,
        description: "Per-stream output char limit (default: 200000).",
      },
    },
    required: ["cwd", "command"],
  },
};
