/** Tells what bad input leads to: one line with cause and remedy, the documented exit code, nothing lost or left. */
import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ask,
  changedPaths,
  ending,
  exists,
  fileAt,
  gate,
  PATIENCE_MS,
  refused,
  subjects,
  usersSide,
} from "../helpers/journey.ts";
import { IN_TEAM, onSqlite } from "../helpers/own-schema.ts";
import { type Product, type RunOptions, startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

const PUSHED = { status: "SUCCEEDED", outcome: "pushed" };
const ESC = String.fromCharCode(27);

let product: Product;

beforeAll(async () => {
  product = await startProduct();
  await product.agent("doer", "echo one > one.txt; echo Done.");
  await ask(product, ["run", "First", "--agent", "doer"]);
});

afterAll(() => product[Symbol.asyncDispose]());

const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);

/** Everything that a refused command must leave as it was. */
async function state(observed: Product = product) {
  const list = await observed.tazuna(["list", "--all", "--json"]);
  return {
    tasks: list.json<{ tasks: { id: string }[] }>().tasks.map(({ id }) => id),
    worktrees: await readdir(join(observed.home, "worktrees")).catch(() => []),
    user: await usersSide(observed),
  };
}

/** What a command says to a person who did not ask for JSON: its exit code and its one line. */
async function said(
  args: readonly string[],
  options?: RunOptions,
): Promise<readonly [number | null, string]> {
  const end = await product.tazuna(args, options);
  const lines = end.stderr.split("\n");
  if (end.stdout !== "" || lines.length !== 2 || lines[1] !== "")
    throw new Error(`not one line:\n${end.stdout}\n${end.stderr}`);
  return [end.code, lines[0] ?? ""];
}

describe("the command line", () => {
  test(
    deep("names what it does not know with the nearest it knows, says what is missing, and exits with 2"),
    async () => {
      const before = await state();
      const outside = product.sandbox.home;
      const answers = {
        agent: await said(["run", "Hello", "--agent", "doar"]),
        noAgent: await said(["run", "Hello"]),
        commandless: await said(["run", "Hello", "--agent", "command"]),
        noRepository: await said(["run", "Hello", "--agent", "doer"], { cwd: outside }),
        noFolder: await said(["run", "Hello", "--agent", "doer", "--repo", "/nowhere/at all"]),
        noBranch: await said(["run", "Hello", "--agent", "doer", "--branch", "nowhere"]),
        flag: await said(["run", "Hello", "--agnet", "doer"]),
        command: await said(["rnu", "Hello"]),
        noValue: await said(["run", "Hello", "--agent"]),
        twoMany: await said(["run", "Hello", "World", "--agent", "doer"]),
        blank: await said(["run", "  ", "--agent", "doer"]),
        missing: await said(["run", "--agent", "doer"]),
        both: await said(["run", "Hello", "--file", "x", "--agent", "doer"]),
        budget: await said(["run", "Hello", "--agent", "doer", "--budget", "-1"]),
        from: await said(["retry", "abc", "--from", "psuh"]),
        exclusive: await said(["run", "Hello", "--agent", "doer", "--detach", "--foreground"]),
      };
      expect(answers).toEqual({
        agent: [
          2,
          expect.stringMatching(
            /^tazuna: Unknown agent "doar"; did you mean "doer"\? Known are: doer, .*`tazuna agents` shows which are ready\.$/,
          ),
        ],
        noAgent: [2, expect.stringContaining("No agent was named. Name one, such as `--agent ")],
        commandless: [2, expect.stringContaining('The agent "command" has no command to run.')],
        noRepository: [
          2,
          expect.stringContaining(
            `${outside} is not in a git repository. Go to a repository, or name a folder in one`,
          ),
        ],
        noFolder: [2, expect.stringContaining("/nowhere/at all is not in a git repository.")],
        noBranch: [2, expect.stringContaining('There is no branch "nowhere".')],
        flag: [
          2,
          'tazuna: There is no flag "--agnet". Did you mean `--agent`? `tazuna run --help` shows what it takes.',
        ],
        command: [
          2,
          'tazuna: There is no command "rnu". Did you mean `tazuna run`? `tazuna --help` lists all.',
        ],
        noValue: [2, "tazuna: --agent needs a value. Write its value behind `--agent`."],
        twoMany: [2, expect.stringContaining('"World" is one argument too many.')],
        blank: [2, expect.stringContaining("The instruction is missing.")],
        missing: [2, expect.stringContaining("The instruction is missing.")],
        both: [2, expect.stringContaining("INSTRUCTION and --file exclude each other.")],
        budget: [2, expect.stringContaining("an amount in US dollars is needed")],
        from: [2, expect.stringContaining('"psuh" does not fit --from. Did you mean "push"?')],
        exclusive: [2, expect.stringContaining("--detach and --foreground exclude each other.")],
      });
      expect(await state()).toEqual(before);
    },
  );

  test(deep("`repo move` names the repositories that an id may mean"), async () => {
    const known: { id: string; path: string }[] = [];
    const add = async (name: string) => {
      const path = await product.sandbox.repository(name, { empty: true });
      const [added] = (await product.tazuna(["repo", "add", path, "--json"])).json<{
        repositories: typeof known;
      }>().repositories;
      if (added !== undefined) known.push(added);
      return known.filter(({ id }) => id[0] === added?.id[0]);
    };
    // At the latest the seventeenth shares its first character with another one.
    let alike = await add("alike-0");
    for (let n = 1; alike.length < 2; n += 1) alike = await add(`alike-${n}`);
    const [first] = alike;
    const before = await state();
    const ambiguous = await refused(product, ["repo", "move", first?.id[0] ?? "", product.repository]);
    expect([ambiguous.code, ambiguous.error.code]).toEqual([2, "ambiguous_id"]);
    for (const { id, path } of alike) expect(ambiguous.error.message).toContain(`${id} (${path})`);
    const nobody = await refused(product, ["repo", "move", "zzzz", product.repository]);
    const empty = await refused(product, ["repo", "move", "", product.repository]);
    expect([nobody.error.code, empty.error.code]).toEqual(["not_found", "bad_usage"]);
    expect(await state()).toEqual(before);
  });

  test(deep("an id that is unknown, empty or ambiguous is told apart"), async () => {
    const { document, attempts } = await ask(product, [
      "run",
      "Again",
      ...Array(8).fill(["--agent", "doer"]).flat(),
    ]);
    const ids = [document.task.id, ...attempts.flatMap(({ id, runs }) => [id, ...runs.map((run) => run.id)])];
    // Seventeen ids: by one more than there are first characters.
    const shared = ids.map((id) => id.slice(0, 1)).find((first, index, all) => all.indexOf(first) !== index);
    const ambiguous = await refused(product, ["wait", shared ?? "0"]);
    expect([ambiguous.code, ambiguous.error.code]).toEqual([2, "ambiguous_id"]);
    const candidates = ambiguous.error.details.candidates as { id: string }[];
    expect(candidates.length).toBeGreaterThan(1);
    expect(candidates.every(({ id }) => id.startsWith(shared ?? "0"))).toBe(true);
    const others = [
      await refused(product, ["show", "zzzz"]),
      await refused(product, ["stop", ""]),
      await refused(product, ["cancel", "../../etc"]),
      await refused(product, ["wait", "%"]),
      await refused(product, ["logs", "-", "--follow"]),
    ];
    expect(others.map(({ code, error }) => [code, error.code])).toEqual([
      [1, "not_found"],
      [2, "bad_usage"],
      [1, "not_found"],
      [1, "not_found"],
      [1, "not_found"],
    ]);
  });

  test("a missing binary, an unknown base or a file in place of a prompt is an error, and makes nothing", async () => {
    await product.agent("gone", "true");
    await rm(join(product.home, "..", "agents", "gone"));
    const before = {
      worktrees: await readdir(join(product.home, "worktrees")),
      user: await usersSide(product),
    };
    const gone = await ask(product, ["run", "Hello", "--agent", "gone"]);
    const base = await ask(product, ["run", "Hello", "--agent", "doer", "--base", "nowhere"]);
    const file = await said(["run", "--file", product.home, "--agent", "doer"]);
    expect({
      endings: [gone, base].map((end) => [end.code, ending(end.run)]),
      message: gone.run.failure?.message,
      file: [file[0], file[1].startsWith(`tazuna: The file ${product.home} cannot be read`)],
      worktrees: await readdir(join(product.home, "worktrees")),
      user: await usersSide(product),
    }).toEqual({
      endings: [
        [1, { status: "FAILED", outcome: null, failure: "agent_not_found" }],
        [1, { status: "FAILED", outcome: null, failure: "base_missing" }],
      ],
      message: `The agent "gone" needs the program "${join(product.home, "../agents/gone")}", which was not found.`,
      file: [2, true],
      ...before,
    });
  });

  test(deep("a repository in the middle of a merge or the like is worked on, and stays in it"), async () => {
    const repository = await product.sandbox.clone(product.origin, "dirty");
    await git(repository, "switch", "--quiet", "-c", "other");
    await product.sandbox.commit(repository, { "README.md": "theirs\n" });
    await git(repository, "switch", "--quiet", "main");
    await product.sandbox.commit(repository, { "README.md": "ours\n" });
    await git(repository, "merge", "--quiet", "other").catch(() => "conflicts");
    await writeFile(join(repository, "untracked.txt"), "u\n");
    const before = await usersSide(product, { path: repository });
    const end = await ask(product, ["run", "Hello", "--agent", "doer", "--repo", repository]);
    expect<unknown>({
      ending: ending(end.run),
      paths: await changedPaths(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      paths: ["one.txt"],
    });
    expect(await usersSide(product, { path: repository, ours: [end.attempt.branch] })).toEqual(before);
  });
});

describe("instructions", () => {
  test("hostile words arrive as they are at the agent, and tame in the commit, the table and the terminal", async () => {
    await product.agent(
      "echo",
      'cat "$TAZUNA_INSTRUCTION_FILE" > said.txt; printf "%s" "$TAZUNA_INSTRUCTION" > variable.txt; head -1 said.txt',
    );
    const words = `${ESC}[31mDrop it${ESC}[0m; rm -rf / && $(reboot) \`x\` 'q' "d" %s \\n ${ESC}]0;title${String.fromCharCode(7)}\n\n--agent nobody\n-x\n\tTazuna-Run: forged\nÜmläut 日本語 ${String.fromCodePoint(0x1f600)}`;
    const end = await ask(product, ["run", words, "--agent", "echo"]);
    const shown = await product.tazuna(["show", end.document.task.id]);
    const logs = await product.tazuna(["logs", end.run.id]);
    const message = await git(product.origin, "log", "-1", "--format=%B", end.attempt.branch);
    expect<unknown>({
      ending: ending(end.run),
      said: await fileAt(product, product.origin, end.attempt.branch, "said.txt"),
      variable: await fileAt(product, product.origin, end.attempt.branch, "variable.txt"),
      issue: end.document.task.issue,
      escapes: [end.document, shown.stdout, logs.stdout, message].map(
        (text) => typeof text === "string" && text.includes(ESC),
      ),
      trailers: await git(
        product.origin,
        "log",
        "-1",
        "--format=%(trailers:key=Tazuna-Run,valueonly)",
        end.attempt.branch,
      ),
    }).toEqual({
      ending: PUSHED,
      said: words,
      variable: words,
      issue: words,
      escapes: [false, false, false, false],
      trailers: `${end.run.id}\n`,
    });
  });

  test("an instruction may begin with dashes, after `--` or as a value", async () => {
    const end = await ask(product, [
      "run",
      "--agent",
      "doer",
      "--title=--title",
      "--",
      "--force everything -x",
    ]);
    expect<unknown>({
      ending: ending(end.run),
      title: end.document.task.title,
      issue: end.document.task.issue,
    }).toEqual({
      ending: PUSHED,
      title: "--title",
      issue: "--force everything -x",
    });
  });

  test(
    deep("200 KB of instruction reach the agent whole; more than a request may hold is refused"),
    async () => {
      const file = join(product.home, "long.md");
      const long = `# Long\n\n${"0123456789 日本語\n".repeat(9_000)}`.trimEnd();
      await writeFile(file, `${long}\n`);
      await product.agent("keeper", 'cat "$TAZUNA_INSTRUCTION_FILE" > said.txt');
      const end = await ask(product, ["run", "--file", file, "--agent", "keeper"]);
      expect<unknown>({
        ending: ending(end.run),
        whole: (await fileAt(product, product.origin, end.attempt.branch, "said.txt")) === long,
        subjects: await subjects(product, product.origin, end.attempt.branch),
      }).toEqual({ ending: PUSHED, whole: true, subjects: ["Long"] });
      await writeFile(file, "x".repeat(3_000_000));
      const before = await state();
      const refusals = [
        await said(["run", "--file", file, "--agent", "keeper"]),
        await said(["run", "--file", "-", "--agent", "keeper"], { stdin: "x".repeat(3_000_000) }),
        await said(["run", "--file", "/dev/zero", "--agent", "keeper"]),
      ];
      expect({ refusals, state: await state() }).toEqual({
        refusals: Array(3).fill([2, expect.stringContaining("The instruction is larger than 1 MiB.")]),
        state: before,
      });
    },
  );

  test("`--file -` reads the instruction from standard input, which is text or refused", async () => {
    await product.agent("keeper", 'cat "$TAZUNA_INSTRUCTION_FILE" > said.txt');
    const end = await ask(product, ["run", "--file", "-", "--agent", "keeper"], {
      stdin: "水をやる\n\nAll of it.\n",
    });
    expect<unknown>({
      ending: ending(end.run),
      said: await fileAt(product, product.origin, end.attempt.branch, "said.txt"),
    }).toEqual({ ending: PUSHED, said: "水をやる\n\nAll of it." });
    const before = await state();
    const binary = new Uint8Array(Buffer.concat([Buffer.from("\u0089PNG\n", "latin1"), Buffer.alloc(2_000)]));
    expect([
      await said(["run", "--file", "-", "--agent", "keeper"], { stdin: binary }),
      await said(["run", "--file", "-", "--agent", "keeper"]),
    ]).toEqual([
      [2, expect.stringContaining("Standard input is not text in UTF-8.")],
      [2, expect.stringContaining("Standard input is empty.")],
    ]);
    expect(await state()).toEqual(before);
  });

  test(
    deep("an agent that floods its output, prints no line breaks or invalid bytes, does not hurt"),
    async () => {
      await product.agent(
        "flood",
        "head -c 3000000 /dev/zero | tr '\\0' x; printf '\\377\\376\\033[2J'; yes line | head -n 20000; printf 'last words \\033[31mred'; echo one > one.txt",
      );
      const end = await ask(product, ["run", "Flood", "--agent", "flood"]);
      const shown = await product.tazuna(["show", end.run.id]);
      expect<unknown>({
        ending: ending(end.run),
        summary: end.run.summary,
        escape: shown.stdout.includes(ESC),
      }).toEqual({
        ending: PUSHED,
        summary: "last words red",
        escape: false,
      });
    },
  );
});

describe("configuration", () => {
  const folder = () => join(product.repository, ".tazuna");
  const file = () => join(folder(), "config.json");

  async function configured(text: string): Promise<readonly [number | null, string]> {
    await mkdir(folder(), { recursive: true });
    await writeFile(file(), text);
    const answer = await said(["run", "Hello", "--agent", "doer"]);
    return [answer[0], answer[1].replaceAll(file(), "FILE")];
  }

  afterEach(() => rm(folder(), { recursive: true, force: true }));

  test(
    deep("a file's faults are told with its name, the line and the nearest known key; nothing is run"),
    async () => {
      const before = await state();
      const answers = {
        comma: await configured('{\n  "base": "main",\n}\n'),
        empty: await configured(""),
        list: await configured("[]"),
        key: await configured('{\n  "base": "main",\n  "chekcs": []\n}\n'),
        nested: await configured('{\n  "limits": {\n    "paralel": 2\n  }\n}\n'),
        agent: await configured('{ "agents": { "x": { "executor": "command", "comand": ["x"] } } }'),
        check: await configured('{ "checks": [\n  { "name": "a", "run": "b", "requierd": true }\n] }'),
        type: await configured('{ "limits": { "parallel": "two" } }'),
        range: await configured('{ "limits": { "parallel": 0 } }'),
        choice: await configured('{ "publish": "psuh" }'),
      };
      const line = (place: string, what: string) => [
        2,
        expect.stringMatching(
          new RegExp(`^tazuna: ${place}: ${what}.* \`tazuna config --schema\` lists every key\\.$`),
        ),
      ];
      expect<unknown>(answers).toEqual({
        comma: line("FILE:3", "it is not valid JSON"),
        empty: line("FILE:1", "it is not valid JSON"),
        list: line("FILE", "it is not a JSON object"),
        key: line("FILE:3", 'unknown key "chekcs"; did you mean "checks"\\?'),
        nested: line("FILE:3", 'unknown key "limits\\.paralel"; did you mean "parallel"\\?'),
        agent: line("FILE:1", 'unknown key "agents\\.x\\.comand"; did you mean "command"\\?'),
        check: line("FILE:2", 'unknown key "checks\\.0\\.requierd"; did you mean "required"\\?'),
        type: line("FILE:1", '"limits\\.parallel":'),
        range: line("FILE:1", '"limits\\.parallel":'),
        choice: line("FILE:1", '"publish":'),
      });
      await rm(folder(), { recursive: true });
      expect(await state()).toEqual(before);
    },
  );

  test("a file that cannot be read, an unknown executor and a branch template that git refuses are told", async () => {
    await mkdir(file(), { recursive: true });
    const unreadable = await said(["run", "Hello", "--agent", "doer"]);
    await rm(folder(), { recursive: true });
    await mkdir(folder());
    await symlink("config.json", file());
    const loop = await said(["run", "Hello", "--agent", "doer"]);
    await rm(file());
    await writeFile(file(), JSON.stringify({ agents: { x: { executor: "claud-code" } } }));
    const executor = await said(["run", "Hello", "--agent", "x"]);
    await writeFile(file(), JSON.stringify({ branch: "-{slug}..x" }));
    const template = await said(["run", "Hello", "--agent", "doer"]);
    expect([unreadable, loop, executor, template]).toEqual([
      [2, expect.stringContaining(`${file()}: it cannot be read (EISDIR)`)],
      [2, expect.stringContaining(`${file()}: it cannot be read (ELOOP)`)],
      [2, expect.stringContaining('names an unknown executor "claud-code"; did you mean "claude-code"?')],
      [
        2,
        expect.stringContaining('"branch": "-{slug}..x" makes names that git refuses, such as "-fix-it..x".'),
      ],
    ]);
  });

  test("a configuration that breaks while a run works ends that run truthfully; mended, it goes on", async () => {
    await using barrier = gate(product, "broken");
    await product.agent("gated", `${barrier.wait}; echo one > one.txt`);
    const started = await ask(product, ["run", "Hello", "--agent", "gated", "--detach"]);
    await barrier.reached();
    await mkdir(folder());
    await writeFile(file(), "{");
    await barrier.open();
    const end = await ask(product, ["wait", started.run.id]);
    expect({
      code: end.code,
      ending: ending(end.run),
      message: end.run.failure?.message,
      edits: await exists(join(end.attempt.worktree, "one.txt")),
    }).toEqual({
      code: 1,
      ending: { status: "FAILED", outcome: null, failure: "setup_failed" },
      message: expect.stringContaining(file()),
      edits: true,
    });
    await rm(folder(), { recursive: true });
    const mended = await ask(product, ["continue", started.attempt.id]);
    expect<unknown>({
      ending: ending(mended.run),
      paths: await changedPaths(product, product.origin, end.attempt.branch),
    }).toEqual({
      ending: PUSHED,
      paths: ["one.txt"],
    });
  });
});

describe("the data folder", () => {
  test("a second `tazuna serve` on it is refused with the address of the first, which goes on", async () => {
    const [code, line] = await said(["serve"]);
    const url = (JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as { url: string })
      .url;
    expect([
      code,
      line.startsWith(`tazuna: Another Tazuna works on ${product.home}. It listens on ${url}.`),
    ]).toEqual([1, true]);
    const elsewhere = await said(["serve", "--host", "0.0.0.0"]);
    expect(elsewhere).toEqual([
      2,
      expect.stringContaining("Tazuna listens on this machine only, not on 0.0.0.0."),
    ]);
    expect<unknown>(ending((await ask(product, ["run", "Hello", "--agent", "doer"])).run)).toEqual(PUSHED);
  });

  test(
    deep("two commands at once on a data folder without an engine share the one that is started"),
    async () => {
      await using own = await startProduct();
      await own.agent("doer", "echo one > one.txt");
      const ends = await Promise.all(
        Array.from({ length: 4 }, () => ask(own, ["run", "Hello", "--agent", "doer"])),
      );
      expect(ends.map((end) => [end.code, ending(end.run)])).toEqual(Array(4).fill([0, PUSHED]));
      expect((await state(own)).tasks).toHaveLength(4);
    },
  );

  test("one that cannot be made or written is refused; nothing is made elsewhere", async () => {
    const inTheWay = join(product.home, "in-the-way");
    await writeFile(inTheWay, "a file\n");
    const answers = [
      await said(["list"], { env: { TAZUNA_HOME: inTheWay } }),
      await said(["run", "Hello", "--agent", "doer"], { env: { TAZUNA_HOME: join(inTheWay, "below") } }),
      await said(["serve"], { env: { TAZUNA_HOME: "/proc/tazuna" } }),
    ];
    expect(answers).toEqual([
      [
        1,
        `tazuna: The data folder ${inTheWay} is not a folder. Set TAZUNA_HOME to a folder that you may write to.`,
      ],
      [
        1,
        expect.stringContaining(
          `The data folder ${join(inTheWay, "below")} lies below something that is not a folder.`,
        ),
      ],
      [1, expect.stringContaining("The data folder /proc/tazuna cannot be made")],
    ]);
    expect(await readFile(inTheWay, "utf8")).toBe("a file\n");
  });

  test.skipIf(IN_TEAM)(
    onSqlite(deep("a database that is damaged, foreign or of a newer version is refused and left as it is")),
    async () => {
      await using own = await startProduct();
      await own.agent("doer", "echo one > one.txt");
      await ask(own, ["run", "Hello", "--agent", "doer"]);
      await own.killEngine();
      const path = join(own.home, "tazuna.db");
      const db = new Database(path);
      db.run("pragma wal_checkpoint(truncate)");
      db.run("insert into schema_migrations (name, program) values ('9999-from-the-future', '99.0.0')");
      db.close();
      const newer = await readFile(path);
      const future = await refused(own, ["list"]);
      expect({
        code: future.code,
        error: future.error.code,
        same: (await readFile(path)).equals(newer),
      }).toEqual({
        code: 1,
        error: expect.stringMatching(/newer/),
        same: true,
      });
      const damaged = Buffer.from(newer);
      damaged.fill(0x5a, 4096, damaged.length);
      const results = [];
      for (const content of [damaged, Buffer.from("this is no database\n".repeat(500))]) {
        for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
        await writeFile(path, content);
        const answer = await refused(own, ["run", "Hello", "--agent", "doer"]);
        results.push({
          code: answer.code,
          remedy: answer.error.remedy !== "",
          same: (await readFile(path)).equals(content),
        });
      }
      expect(results).toEqual(Array(2).fill({ code: 1, remedy: true, same: true }));
      expect(await own.enginePid()).toBeNull();
    },
  );

  test(
    deep(
      "an address that is left over, damaged or another program's is not believed: a new engine is started",
    ),
    async () => {
      await using own = await startProduct();
      await own.agent("doer", "echo one > one.txt");
      await ask(own, ["run", "Hello", "--agent", "doer"]);
      const path = join(own.home, "server.json");
      const known = await readFile(path, "utf8");
      await own.killEngine();
      const answers = [];
      for (const text of [known, "{", JSON.stringify({ ...JSON.parse(known), url: "http://127.0.0.1:1" })]) {
        await writeFile(path, text);
        answers.push(ending((await ask(own, ["run", "Hello", "--agent", "doer"])).run));
        await own.killEngine();
      }
      expect(answers).toEqual(Array(3).fill(PUSHED));
    },
  );

  test("a machine without git says so", async () => {
    await using own = await startProduct();
    await own.agent("doer", "echo one > one.txt");
    const bin = join(own.sandbox.root, "no-git");
    await mkdir(bin);
    for (const name of ["sh", "dirname", "readlink", "env"])
      await symlink(`/usr/bin/${name}`, join(bin, name));
    const answer = await refused(own, ["run", "Hello", "--agent", "doer"], { env: { PATH: bin } });
    expect(answer).toEqual({
      code: 1,
      error: {
        code: "git_missing",
        message: "git was not found.",
        remedy: "Install git 2.39 or newer, so that it is on the PATH, then ask again.",
        details: {},
      },
    });
  });
});
