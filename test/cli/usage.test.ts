import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { VERB_GROUPS } from "../../src/cli/verb-groups.ts";
import { VERBS } from "../../src/cli/verbs.ts";
import { cliWorld } from "../helpers/cli-world.ts";
import { tempDir } from "../helpers/temp-dir.ts";

describe("help and version", () => {
  test("the help names every command and the exit codes", async () => {
    await using world = cliWorld();
    const { exit, out, err } = await world.run("--help");
    expect([exit, err]).toEqual([0, ""]);
    for (const [name, { brief }] of Object.entries(VERBS)) {
      expect(out).toContain(`\n  ${name}`);
      expect(out).toContain(brief);
    }
    expect(out).toContain("0 done, 1 failed, 2 bad usage, 3 a person is needed, 130 interrupted");
    expect([await world.run("help"), await world.run("-h")].map((each) => each.out)).toEqual([out, out]);
    expect(world.connections).toEqual([]);
  });

  test("every command has a help of its own and takes --json", async () => {
    await using world = cliWorld();
    for (const name of Object.keys(VERBS)) {
      const { exit, out, err } = await world.run(...name.split(" "), "--help");
      expect([name, exit, err]).toEqual([name, 0, ""]);
      expect(out).toContain(`tazuna ${name}`);
      expect(out).toContain("--json");
      const json = await world.run(...name.split(" "), "--help", "--json");
      expect(JSON.parse(json.out)).toEqual({ help: out });
    }
    expect((await world.run("help", "run")).out).toContain("--constraints");
    expect(world.connections).toEqual([]);
  });

  test("every help is grouped by what one wants to do and has lines of at most 80 columns", async () => {
    await using world = cliWorld();
    const root = (await world.run("--help")).out;
    for (const title of Object.values(VERB_GROUPS)) expect(root).toContain(`\n\n${title}\n  `);
    const words = [[], ["repo"], ["trash"], ...Object.keys(VERBS).map((name) => name.split(" "))];
    for (const each of words) {
      const { out } = await world.run(...each, "--help");
      expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    }
  });

  test("a group has a help, and alone it lists", async () => {
    await using world = cliWorld();
    expect((await world.run("repo", "--help")).out).toContain("repo move REPOSITORY DIR");
    expect((await world.run("repo")).out).toContain("/home/me/shop");
  });

  test("the version, also as JSON", async () => {
    await using world = cliWorld();
    expect((await world.run("--version")).out).toBe("1.2.3\n");
    expect(JSON.parse((await world.run("--version", "--json")).out)).toEqual({ version: "1.2.3" });
  });
});

describe("bad usage is one line, names what was probably meant, and does nothing", () => {
  test.each([
    [["lsit"], 'There is no command "lsit". Did you mean `tazuna list`? `tazuna --help` lists all.'],
    [["frobnicate"], 'There is no command "frobnicate". `tazuna --help` lists all.'],
    [
      ["repo", "mvoe"],
      'There is no command "mvoe". Did you mean `tazuna repo move`? `tazuna repo --help` lists all.',
    ],
    [
      ["run", "x", "--agnet", "demo"],
      'There is no flag "--agnet". Did you mean `--agent`? `tazuna run --help` shows what it takes.',
    ],
    [
      ["run", "x", "--from-worktre"],
      'There is no flag "--from-worktre". Did you mean `--from-worktree`? `tazuna run --help` shows what it takes.',
    ],
    [["run", "x", "--no-json"], 'There is no flag "--no-json". `tazuna run --help` shows what it takes.'],
    [
      ["list", "-x"],
      'There is no flag "-x". To begin an argument with "-", put "--" before it. `tazuna list --help` shows what it takes.',
    ],
    [
      ["run"],
      "The instruction is missing. Write what is to be done, in quotes, or name a file with `--file`.",
    ],
    [
      ["run", " \n"],
      "The instruction is missing. Write what is to be done, in quotes, or name a file with `--file`.",
    ],
    [["run", "x", "--agent", ""], "--agent is empty. Name an agent; `tazuna agents` shows them."],
    [
      ["run", "fix", "the", "bug"],
      '"the" is one argument too many. Put quotes around text with spaces. `tazuna run --help` shows what it takes.',
    ],
    [
      ["run", "x", "--title", "--base", "main"],
      '--title needs a value. Write a value that begins with "-" behind `--title=`.',
    ],
    [
      ["continue", "a", "--message", "-dash"],
      '--message needs a value. Write a value that begins with "-" behind `--message=`.',
    ],
    [
      ["list", "--all", "-x"],
      'There is no flag "-x". To begin an argument with "-", put "--" before it. `tazuna list --help` shows what it takes.',
    ],
    [["run", "x", "--base", "a", "--base", "b"], "--base is given twice. Give it once."],
    [
      ["run", "x", "--budget", "lots"],
      '"lots" does not fit --budget: an amount in US dollars is needed, such as 2.50. `tazuna run --help` shows what it takes.',
    ],
    [
      ["run", "x", "--budget", "-1"],
      '"-1" does not fit --budget: an amount in US dollars is needed, such as 2.50. `tazuna run --help` shows what it takes.',
    ],
    [
      ["run", "x", "--detach", "--foreground"],
      "--detach and --foreground exclude each other. Leave out one of them.",
    ],
    [
      ["completions", "zhs"],
      '"zhs" does not fit SHELL: it is bash, zsh or fish; did you mean "zsh"? `tazuna completions --help` shows what it takes.',
    ],
    [
      ["engine", "stpo"],
      '"stpo" does not fit ACTION: it is status, stop or restart; did you mean "stop"? `tazuna engine --help` shows what it takes.',
    ],
    [
      ["config", "limits.parallel"],
      '"limits.parallel" does not fit set|unset: `config` shows all, `config set KEY VALUE` writes one, `config unset KEY` removes one. `tazuna config --help` shows what it takes.',
    ],
    [
      ["retry", "r", "--from", "psuh"],
      '"psuh" does not fit --from. Did you mean "push"? It takes push, checks, base, limit.',
    ],
    [["show"], "ID is missing. `tazuna show --help` shows what it takes."],
    [["show", ""], "The id is empty. `tazuna list` shows the ids."],
    [
      ["continue", "a", " "],
      "The instruction is empty. Leave it out to commit your own edits in the worktree.",
    ],
    [
      ["list", "--limit", "0"],
      '"0" does not fit --limit: a number from 1 to 200 is needed. `tazuna list --help` shows what it takes.',
    ],
    [
      ["serve", "--port", "70000"],
      '"70000" does not fit --port: a number from 0 to 65535 is needed. `tazuna serve --help` shows what it takes.',
    ],
    [
      ["--prot", "1"],
      'There is no flag "--prot". Did you mean `--port`? `tazuna serve --help` shows what it takes.',
    ],
    [
      ["cancel", "a", "b"],
      '"b" is one argument too many. Put quotes around text with spaces. `tazuna cancel --help` shows what it takes.',
    ],
  ])("%j", async (argv, line) => {
    await using world = cliWorld();
    expect(await world.run(...argv)).toEqual({ exit: 2, out: "", err: `tazuna: ${line}\n` });
    expect(world.services.calls).toEqual([]);
    const json = await world.run(...argv, "--json");
    expect([json.exit, json.err]).toEqual([2, ""]);
    const { error } = JSON.parse(json.out);
    expect(Object.keys(error)).toEqual(["code", "message", "remedy", "details"]);
    expect(line).toBe(`${error.message} ${error.remedy}`);
  });

  test("a file that cannot be read, is empty, or stands beside an instruction", async () => {
    await using dir = await tempDir();
    await using world = cliWorld();
    const empty = join(dir.path, "empty");
    await Bun.write(empty, " \n");
    const errors = [
      await world.run("run", "--file", join(dir.path, "none")),
      await world.run("run", "--file", empty),
      await world.run("run", "x", "--file", empty),
      await world.run("run", "--file", dir.path),
      await world.run("run", "--file", "-"),
    ].map(({ exit, err }) => [exit, err.replaceAll(dir.path, "DIR")]);
    expect(errors).toEqual([
      [
        2,
        "tazuna: The file DIR/none cannot be read: there is no such file. Check what is given with --file.\n",
      ],
      [2, "tazuna: The file DIR/empty is empty. It has to say what is to be done.\n"],
      [2, "tazuna: INSTRUCTION and --file exclude each other. Leave out one of them.\n"],
      [2, "tazuna: The file DIR cannot be read: it is a folder. Check what is given with --file.\n"],
      [2, "tazuna: Standard input is empty. It has to say what is to be done.\n"],
    ]);
  });

  test("a file that is no text", async () => {
    await using dir = await tempDir();
    await using world = cliWorld();
    for (const bytes of [
      [0xff, 0xfe, 0x41, 0],
      [0x41, 0, 0x42],
      [0xe6, 0x97],
    ]) {
      const file = join(dir.path, "binary");
      await Bun.write(file, new Uint8Array(bytes));
      const { exit, err } = await world.run("run", "--file", file);
      expect([exit, err.replaceAll(dir.path, "DIR")]).toEqual([
        2,
        "tazuna: The file DIR/binary is not text in UTF-8. Give the instruction as plain text, encoded in UTF-8.\n",
      ]);
    }
    expect(world.services.calls).toEqual([]);
  });

  test("more than a request may hold, by the name under which it was given", async () => {
    await using dir = await tempDir();
    await using world = cliWorld();
    const file = join(dir.path, "long");
    const said = async (instruction: string, ...more: string[]) => {
      await Bun.write(file, instruction);
      const { exit, err } = await world.run("run", "--file", file, ...more);
      expect([exit, world.services.calls]).toEqual([2, []]);
      return err;
    };
    const remedy = "Put long material into a file of the repository and name it in the instruction.";
    const max = 1_048_576;
    const [over, half] = ["x".repeat(max + 1), "x".repeat(max / 2)];
    expect([
      await said(over),
      await said("x\n".repeat(max / 2)),
      await said("Short", "--context", over),
      await said(half, "--constraints", half, "--context", half),
    ]).toEqual([
      `tazuna: The instruction is larger than 1 MiB. ${remedy}\n`,
      `tazuna: The instruction is larger than 1 MiB as it is sent, where quotes and line ends count twice. ${remedy}\n`,
      `tazuna: --context is larger than 1 MiB. ${remedy}\n`,
      `tazuna: The instruction and --context and --constraints are together larger than 1 MiB. ${remedy}\n`,
    ]);
  });

  test("a flag without its value at the end", async () => {
    await using world = cliWorld();
    const { exit, err } = await world.run("run", "x", "--agent");
    expect([exit, err]).toEqual([2, "tazuna: --agent needs a value. Write its value behind `--agent`.\n"]);
  });

  test("--json after -- does not ask for JSON", async () => {
    await using world = cliWorld();
    expect((await world.run("lsit", "--", "--json")).out).toBe("");
  });
});

describe("what the server refuses", () => {
  test.each([
    ["bad_request", 2],
    ["not_found", 1],
    ["conflict", 1],
    ["needs_person", 3],
    ["failed", 1],
  ] as const)("%s is exit code %i, as text and as JSON", async (kind, exit) => {
    await using world = cliWorld();
    const refusal = {
      kind,
      code: "some_code",
      message: "No\u001b[31m way",
      remedy: "Do this.",
      details: { a: 1 },
    };
    world.services.refuse("createTask", refusal, true);
    expect(await world.run("run", "x", "--agent", "demo")).toEqual({
      exit,
      out: "",
      err: "tazuna: No way. Do this.\n",
    });
    const json = await world.run("run", "x", "--agent", "demo", "--json");
    const { kind: _, ...error } = refusal;
    expect([json.exit, JSON.parse(json.out)]).toEqual([exit, { error }]);
  });

  test("a surprise is one line too", async () => {
    await using world = cliWorld({ connect: () => Promise.reject(new Error("kaputt")) });
    const { exit, out, err } = await world.run("list");
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(/^tazuna: Something went wrong inside Tazuna: kaputt\. .*\n$/);
    const json = await world.run("list", "--json");
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: "internal" } });
  });
});
