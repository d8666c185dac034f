import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { batchArgv, isBatchFile } from "../../../../src/tools/exec/exec_command/batch_argv.ts";
import { findProgram } from "../../../../src/tools/exec/exec_command/find_program.ts";
import { resolveCommand } from "../../../../src/tools/exec/exec_command/resolve_command.ts";
import { shellArgv } from "../../../../src/tools/exec/exec_command/shell_argv.ts";
import { execWorld } from "./exec-world.ts";
import { readPowerShellWords, readUnixWords } from "./read-words.ts";

// Real processes on a busy machine.
setDefaultTimeout(240_000);

/** What a file system with exactly these programs would answer. */
const having = (...files: string[]) => ({ isProgram: (path: string) => files.includes(path) });

/** Text without NUL and without half pairs, as the tool accepts it; with much of what shells read. */
const token = fc.oneof(
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      "\\",
      "$",
      "`",
      "\n",
      " ",
      "‘",
      "’",
      "‚",
      "‛",
      "a",
      ";",
      "&",
      "%",
      "^",
      "é",
      "🐎",
    ),
  }),
);

describe("seed 001 §5: PATH search on Unix", () => {
  const unix = { cwd: "/ws", platform: "linux" } as const;

  test("seed 001 §5 and §8: on PATH the first folder that holds the program counts", () => {
    const env = { PATH: "/a:/b:/c" };
    expect(findProgram("x", { ...unix, env, ...having("/c/x", "/b/x") })).toBe("/b/x");
    expect(findProgram("y", { ...unix, env, ...having("/c/x") })).toBeNull();
  });

  test("an empty or relative entry is taken from the working folder; without PATH the system's folders", () => {
    expect(findProgram("x", { ...unix, env: { PATH: ":/a" }, ...having("/ws/x") })).toBe("/ws/x");
    expect(findProgram("x", { ...unix, env: { PATH: "bin" }, ...having("/ws/bin/x") })).toBe("/ws/bin/x");
    expect(findProgram("x", { ...unix, env: { PATH: "" }, ...having("/bin/x") })).toBeNull();
    expect(findProgram("x", { ...unix, env: {}, ...having("/bin/x") })).toBe("/bin/x");
  });

  test("seed 001 §5: a path is taken as it is, without a search, and the system follows its links", () => {
    const env = { PATH: "/a" };
    expect(findProgram("bin/x", { ...unix, env, ...having("/a/bin/x", "/ws/bin/x") })).toBe("/ws/bin/x");
    expect(findProgram("/opt/x", { ...unix, env, ...having("/opt/x") })).toBe("/opt/x");
    expect(findProgram("link/../x", { ...unix, env, ...having("/ws/link/../x") })).toBe("/ws/link/../x");
    expect(
      findProgram("x.exe", { ...unix, env: { PATH: "/a", PATHEXT: ".EXE" }, ...having("/a/x") }),
    ).toBeNull();
  });

  test("a folder, or a file that may not be executed, is passed over on real files", async () => {
    await using world = await execWorld();
    await world.write("one/tool/inside", "x");
    await world.write("two/tool", "#!/bin/sh\n", 0o644);
    const tool = await world.write("three/tool", "#!/bin/sh\necho third\n", 0o755);
    const PATH = ["one", "two", join(world.root, "nowhere"), "one/tool/inside", "three"].join(":");
    const found = findProgram("tool", { cwd: world.root, platform: process.platform, env: { PATH } });
    expect(found).toBe(tool);
    await using odd = await execWorld({ env: { PATH: "" } });
    expect(await odd.codeOf({ cwd: ".", command: ["true"], shell_mode: "direct" })).toBe("COMMAND_NOT_FOUND");
    // The shell itself is found whatever PATH holds.
    expect((await odd.run(["echo", "still here"])).stdout).toBe("still here\n");
  });
});

describe("seed 001 §3.1: PATH search on Windows (its rules are injected, not run)", () => {
  const windows = { cwd: "C:\\ws", platform: "win32" } as const;
  const env = { Path: 'C:\\bin;"C:\\Program Files\\x";D:\\t', PATHEXT: ".COM;.EXE;.BAT;.CMD" };

  test("seed 001 §3.1, §4.3, §5 and §8: PATHEXT completes a name (.exe, .cmd, .bat), folder by folder, on Windows (not run)", () => {
    expect(findProgram("bun", { ...windows, env, ...having("C:\\bin\\bun.EXE") })).toBe("C:\\bin\\bun.EXE");
    expect(findProgram("npm", { ...windows, env, ...having("C:\\Program Files\\x\\npm.CMD") })).toBe(
      "C:\\Program Files\\x\\npm.CMD",
    );
    expect(findProgram("t", { ...windows, env, ...having("D:\\t\\t.BAT", "D:\\t\\t.EXE") })).toBe(
      "D:\\t\\t.EXE",
    );
    expect(findProgram("t", { ...windows, env: { PATH: "D:\\t" }, ...having("D:\\t\\t.CMD") })).toBe(
      "D:\\t\\t.CMD",
    );
  });

  test("an ending that is given is tried as it is first; a file without any of them is no program", () => {
    expect(findProgram("bun.exe", { ...windows, env, ...having("C:\\bin\\bun.exe") })).toBe(
      "C:\\bin\\bun.exe",
    );
    expect(
      findProgram("bun.exe", { ...windows, env, ...having("C:\\bin\\bun.exe.COM", "C:\\bin\\bun.exe") }),
    ).toBe("C:\\bin\\bun.exe");
    expect(findProgram("bun", { ...windows, env, ...having("C:\\bin\\bun") })).toBeNull();
  });

  test("a path in either spelling is taken from cwd, completed too; a bare name never is", () => {
    expect(findProgram(".\\run", { ...windows, env, ...having("C:\\ws\\run.CMD") })).toBe("C:\\ws\\run.CMD");
    expect(findProgram("bin/run", { ...windows, env, ...having("C:\\ws\\bin\\run.EXE") })).toBe(
      "C:\\ws\\bin\\run.EXE",
    );
    expect(findProgram("D:\\x\\y.exe", { ...windows, env, ...having("D:\\x\\y.exe") })).toBe("D:\\x\\y.exe");
    expect(
      findProgram("git", { ...windows, env: { PATH: ";C:\\bin" }, ...having("C:\\ws\\git.EXE") }),
    ).toBeNull();
    expect(findProgram("git", { ...windows, env: {}, ...having("C:\\ws\\git.EXE") })).toBeNull();
  });
});

describe("a batch file on Windows needs cmd.exe (CVE-2024-27980; not run)", () => {
  const npm = "C:\\Program Files\\nodejs\\npm.cmd";

  test("is known by its ending, in any case", () => {
    expect(["a.cmd", "a.BAT", "a.exe", "cmd", "a.cmd.exe"].map(isBatchFile)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test("is called through it, extensions and late expansion fixed, by the path that the environment names", () => {
    expect(batchArgv([npm, "run", "a b", ""], { COMSPEC: "C:\\Windows\\System32\\cmd.exe" })).toEqual([
      "C:\\Windows\\System32\\cmd.exe",
      "/d",
      "/e:on",
      "/v:off",
      "/c",
      "call",
      npm,
      "run",
      "a b",
      "",
    ]);
    expect(batchArgv([npm], {})?.[0]).toBe("cmd.exe");
  });

  test("is refused if cmd would read a token as its own", () => {
    for (const odd of ["a&calc", '"', "%PATH%", "^", "a|b", ">x", "<x", "(", "!x!", "a\nb", "a\rb"])
      expect([odd, batchArgv([npm, odd], {})]).toEqual([odd, null]);
  });

  test("in direct mode the refusal names the way out; elsewhere such a file is a file like others", async () => {
    await using world = await execWorld();
    const script = await world.write("tool.cmd", "#!/bin/sh\necho ran\n", 0o755);
    expect((await world.run([script, "a&b"], { shell_mode: "direct" })).stdout).toBe("ran\n");
  });
});

describe("seed 001 §5: the shell of each system", () => {
  test("seed 001 §1, §3.1, §5, §8 and §11: on Windows echo hello goes through pwsh.exe, which hands on the exit code (not run)", () => {
    expect(shellArgv(["echo", "hello"], "win32")).toEqual([
      "pwsh.exe",
      "-NoLogo",
      "-NoProfile",
      "-Command",
      "& 'echo' 'hello'; if (-not $? -and $null -eq $LASTEXITCODE) { exit 127 }; exit $LASTEXITCODE",
    ]);
    expect(shellArgv(["cmd", "a'b", "", "“x”", "‘", "a\nb"], "win32")[4]).toStartWith(
      "& 'cmd' 'a''b' '' '“x”' '‘‘' 'a\nb'; ",
    );
  });

  test("seed 001 §1, §3.1, §5, §8 and §11: on macOS echo hello goes through zsh -lc (not run)", () => {
    expect(shellArgv(["echo", "hello"], "darwin")).toEqual(["zsh", "-lc", "'echo' 'hello'"]);
  });

  test("seed 001 §3.3 and §5: elsewhere default runs through sh -c, never a login shell (departs: Linux has a default too)", () => {
    expect(shellArgv(["git", "commit", "-m", "it's"], "linux")).toEqual([
      "/bin/sh",
      "-c",
      "'git' 'commit' '-m' 'it'\\''s'",
    ]);
  });

  test("seed 001 §5: direct mode runs the list as it is, on every system", () => {
    for (const platform of ["linux", "darwin"] as const) {
      const argv = resolveCommand(["sh", "-c", "echo 'x'"], {
        shellMode: "direct",
        cwd: "/",
        env: { PATH: "/a" },
        platform,
        ...having("/a/sh"),
      });
      expect(argv._unsafeUnwrap()).toEqual(["/a/sh", "-c", "echo 'x'"]);
    }
    const batch = { shellMode: "direct", cwd: "C:\\ws", env: { PATH: "C:\\n" }, platform: "win32" } as const;
    const npm = { ...batch, ...having("C:\\n\\npm.CMD") };
    expect(resolveCommand(["npm", "test"], npm)._unsafeUnwrap()).toEqual([
      "cmd.exe",
      "/d",
      "/e:on",
      "/v:off",
      "/c",
      "call",
      "C:\\n\\npm.CMD",
      "test",
    ]);
    expect(resolveCommand(["npm", "%x%"], npm)._unsafeUnwrapErr().error.code).toBe("INVALID_ARGUMENT");
  });

  test("whatever the tokens are, one reading of the quoted line gives them back: Unix and PowerShell", () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 6 }), (command) => {
        expect(readUnixWords(shellArgv(command, "linux")[2] ?? "")).toEqual(command);
        expect(readUnixWords(shellArgv(command, "darwin")[2] ?? "")).toEqual(command);
        const line = shellArgv(command, "win32")[4] ?? "";
        expect(readPowerShellWords(line)).toEqual(command);
      }),
      { numRuns: 1000 },
    );
  });
});

test("any argv comes back byte for byte through a real process, in both modes", async () => {
  await using world = await execWorld();
  const print = await world.write("print", '#!/bin/sh\nfor arg do printf "%s\\0" "$arg"; done\n', 0o755);
  await fc.assert(
    fc.asyncProperty(
      fc.array(token, { maxLength: 8 }),
      fc.constantFrom("default", "direct"),
      async (args, shell_mode) => {
        const { stdout, exit_code } = await world.run([print, ...args], { shell_mode });
        expect([stdout, exit_code]).toEqual([args.map((arg) => `${arg}\0`).join(""), 0]);
      },
    ),
    { numRuns: 150 },
  );
});

test("as does any program's name that is a file: nothing in it is read as shell text", async () => {
  await using world = await execWorld();
  for (const name of ["a b", "it's", "$x", "-c", "a;b", "手綱", "new\nline", "if", "A=1"]) {
    const path = await world.write(`bin/${name}`, "#!/bin/sh\necho ran\n", 0o755);
    for (const shell_mode of ["default", "direct"])
      expect((await world.run([path], { shell_mode })).stdout).toBe("ran\n");
  }
});
