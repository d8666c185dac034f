/** Tells that doctor finds what is really broken, with and without an engine, and changes nothing. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FindingDocument } from "../../src/contract/endpoints/repositories.ts";
import { ask, exists, PATIENCE_MS, usersSide } from "../helpers/journey.ts";
import { asMortal, skippedAsRoot } from "../helpers/mortal.ts";
import { LINUX } from "../helpers/need.ts";
import { ownPath } from "../helpers/own-path.ts";
import { IN_TEAM, onSqlite } from "../helpers/own-schema.ts";
import { isRunning, type Product, type RunOptions, startProduct } from "../helpers/product.ts";
import { skippedWithout } from "../helpers/sandbox.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(PATIENCE_MS);

let product: Product;
let number = 0;

beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product?.[Symbol.asyncDispose]());

interface Told {
  readonly code: number | null;
  readonly stdout: string;
  readonly findings: readonly FindingDocument[];
  /** The finding with this id, or whose id begins with it and a colon. */
  findingOf(id: string): FindingDocument | undefined;
}

async function doctor(options: RunOptions = {}, on = product): Promise<Told> {
  const end = await on.tazuna(["doctor", "--json"], options);
  const { findings } = end.json<{ findings: readonly FindingDocument[] }>();
  const findingOf = (id: string) => findings.find((one) => one.id === id || one.id.startsWith(`${id}:`));
  return { code: end.code, stdout: end.stdout, findings, findingOf };
}

const place = (name: string) => join(product.home, "..", `${name}-${number++}`);
const git = (cwd: string, ...args: string[]) => product.sandbox.git(cwd, args);

/** A repository with one commit that is not registered. */
async function repository(): Promise<string> {
  const path = place("repo");
  await mkdir(path);
  await git(path, "init", "--quiet", "--initial-branch=main");
  await writeFile(join(path, "a.txt"), "a\n");
  await git(path, "add", "-A");
  await git(path, "commit", "--quiet", "-m", "First");
  return path;
}

/** Types every command that a remedy names, word for word. */
async function typed(finding: FindingDocument | undefined): Promise<void> {
  const commands = [...(finding?.remedy ?? "").matchAll(/`([^`]+)`/g)].map(([, command]) => command ?? "");
  expect(commands).not.toEqual([]);
  for (const command of commands) expect([command, await shell(command)]).toEqual([command, 0]);
}

function shell(command: string): Promise<number> {
  return Bun.spawn(["sh", "-c", command], { stdout: "ignore", stderr: "ignore" }).exited;
}

/** Ends the engine as its own end would. */
async function endEngine(product: Product): Promise<void> {
  const pid = await product.enginePid();
  if (pid === null) return;
  process.kill(pid, "SIGTERM");
  await waitFor("the engine to end", () => !isRunning(pid), { withinMs: 120_000 });
}

/** Every file of the data folder with its size and the time of its last change. */
async function fingerprint(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const stats = await Promise.all(names.map((name) => Bun.file(join(folder, name)).stat()));
  return names.map((name, index) => `${name} ${stats[index]?.size} ${stats[index]?.mtimeMs}`).sort();
}

describe("doctor looks only", () => {
  test("on a fresh machine nothing is made: no data folder, no engine, no file of the checkout", async () => {
    const before = await usersSide(product);
    const { code, findingOf } = await doctor();
    expect([
      code,
      findingOf("data_folder")?.level,
      findingOf("engine")?.level,
      await exists(product.home),
    ]).toEqual([0, "info", "ok", false]);
    expect(await usersSide(product)).toEqual(before);
  });

  test(
    deep("an engine and a process without one find the same, and neither changes the data folder"),
    async () => {
      await using own = await startProduct();
      await own.agent("doer", "echo one > one.txt");
      const { run } = await ask(own, ["run", "Do it", "--agent", "doer"]);
      expect(run.status).toBe("SUCCEEDED");
      const with_ = await doctor({}, own);
      await endEngine(own);
      const before = await fingerprint(own.home);
      const without = await doctor({}, own);
      expect(await fingerprint(own.home)).toEqual(before);
      const lines = ({ findings }: Told) =>
        findings.filter(({ id }) => id !== "engine").map(({ id, level }) => `${level} ${id}`);
      expect(lines(without).sort()).toEqual(lines(with_).sort());
      expect([with_.findingOf("engine")?.what, without.findingOf("engine")?.what]).toEqual([
        expect.stringMatching(/^An engine works \(process \d+, http:\/\/127\.0\.0\.1:\d+\)\.$/),
        "No engine works now; a command starts one when it needs one.",
      ]);
      expect(without.findingOf("database")).toMatchObject({ level: "ok", path: join(own.home, "tazuna.db") });
      expect([with_.code, without.code]).toEqual([0, 0]);
    },
  );

  test("the text groups them by level, ends with a count, and fits 80 columns but for commands", async () => {
    const { stdout, code } = await product.tazuna(["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Warnings\n {2}! /m);
    expect(stdout).toMatch(/\n\d+ warnings?\. Nothing was changed\.\n$/);
    expect(stdout).not.toContain("\u001b");
  });
});

describe("what holds agents", () => {
  test("without bwrap on the PATH the guard holds, with why and how to get more", async () => {
    const env = { PATH: await ownPath(place("bin")), TAZUNA_ISOLATION: "auto" };
    const { code, findingOf } = await doctor({ env });
    expect([code, findingOf("isolation")?.level, findingOf("isolation")?.what]).toEqual([
      0,
      "warning",
      process.platform === "linux"
        ? "The guard holds agents, not the sandbox. bwrap is not installed."
        : `The guard holds agents, not the sandbox. There is no sandbox on ${process.platform}.`,
    ]);
    expect(findingOf("isolation")?.why).toContain("The guard does not stop git by its absolute path");
    expect(findingOf("isolation")?.remedy).toBeString();
  });

  test("if the sandbox is demanded, that is an error", async () => {
    const env = { PATH: await ownPath(place("bin")), TAZUNA_ISOLATION: "sandbox" };
    const { code, findingOf } = await doctor({ env });
    expect([code, findingOf("isolation")?.level]).toEqual([1, "error"]);
  });

  test.skipIf(LINUX.missing)(`a bwrap that fails is reported in its own words${LINUX.why}`, async () => {
    const path = await ownPath(place("bin"));
    await writeFile(
      join(path, "bwrap"),
      "#!/bin/sh\necho 'bwrap: setting up uid map: denied' >&2; exit 1\n",
      {
        mode: 0o755,
      },
    );
    const { findingOf } = await doctor({ env: { PATH: path, TAZUNA_ISOLATION: "auto" } });
    expect(findingOf("isolation")?.what).toContain("bwrap does not hold: bwrap: setting up uid map: denied.");
  });

  test.skipIf(skippedWithout !== "")(`if the sandbox holds, it is named${skippedWithout}`, async () => {
    const { findingOf } = await doctor({ env: { TAZUNA_ISOLATION: "auto" } });
    expect(findingOf("isolation")).toMatchObject({
      level: "ok",
      what: expect.stringMatching(/^The sandbox holds agents \(/),
    });
  });
});

describe("git and who commits", () => {
  test("without git that is the error, and nothing crashes", async () => {
    const { code, findingOf } = await doctor({ env: { PATH: await ownPath(place("bin"), ["git"]) } });
    expect([code, findingOf("git")?.what]).toEqual([1, "git was not found."]);
  });

  test("a HOME without an identity is reported, with the repository and the command", async () => {
    const cwd = await repository();
    const { code, findingOf } = await doctor({
      cwd,
      env: { GIT_CONFIG_GLOBAL: "/dev/null", HOME: place("home") },
    });
    expect([code, findingOf("git_identity")]).toMatchObject([
      0,
      {
        level: "warning",
        whose: expect.stringMatching(/^repository repo-\d+$/),
        remedy: expect.stringContaining("git config --global user.email"),
      },
    ]);
  });

  test(
    deep("in a repository that Tazuna knows, what cannot be signed or stored as asked is an error"),
    async () => {
      await using own = await startProduct();
      await git(own.repository, "config", "commit.gpgSign", "true");
      await git(own.repository, "config", "gpg.format", "ssh");
      await git(own.repository, "config", "user.signingkey", "/nonexistent/key");
      await writeFile(join(own.repository, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
      await git(own.repository, "add", "-A");
      await own.tazuna(["repo", "add"]);
      await endEngine(own);
      const { code, findingOf } = await doctor(
        { env: { PATH: await ownPath(place("bin"), ["git-lfs"]) } },
        own,
      );
      expect([code, findingOf("signing")?.level, findingOf("lfs")?.level, findingOf("lfs")?.what]).toEqual([
        1,
        "error",
        "error",
        "Files are stored with Git LFS, which is not installed.",
      ]);
      expect((await doctor({ env: { TAZUNA_SIGN: "off" } }, own)).findingOf("signing")).toBeUndefined();
    },
  );

  test("hooks without a decision are told", async () => {
    const cwd = await repository();
    await writeFile(join(cwd, ".git", "hooks", "pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
    expect((await doctor({ cwd })).findingOf("hooks")?.what).toBe("Git hooks (pre-commit) do not run.");
    expect((await doctor({ cwd, env: { TAZUNA_HOOKS: "off" } })).findingOf("hooks")).toBeUndefined();
  });
});

describe("remotes, without asking any", () => {
  const TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

  test("a token in the address is found and shown nowhere", async () => {
    const cwd = await repository();
    await git(cwd, "remote", "add", "origin", `https://me:${TOKEN}@host.example/x.git`);
    const json = await doctor({ cwd });
    const text = await product.tazuna(["doctor"], { cwd });
    expect([json.code, json.findingOf("remote_token")?.level]).toEqual([0, "warning"]);
    expect(json.findingOf("remote_token")?.remedy).toContain(
      `remote set-url origin https://host.example/x.git`,
    );
    expect(json.stdout + text.stdout + text.stderr).not.toContain(TOKEN);
    expect(json.findingOf("remotes_not_asked")?.level).toBe("info");
  });

  test("http without TLS off this machine, and a folder that is gone", async () => {
    const cwd = await repository();
    await git(cwd, "remote", "add", "origin", "http://host.example/x.git");
    await git(cwd, "remote", "add", "disk", place("gone.git"));
    const { code, findingOf } = await doctor({ cwd });
    expect([code, findingOf("remote_plain")?.level, findingOf("remote_gone")?.level]).toEqual([
      1,
      "warning",
      "error",
    ]);
  });

  test("one that the configuration names and that is not there", async () => {
    const { findingOf } = await doctor({ env: { TAZUNA_REMOTE: "upstream" } });
    expect(findingOf("remote_missing")?.what).toContain(
      "the repository has no remote upstream; it has origin",
    );
  });
});

describe("configuration and scripts", () => {
  test("a key that is not known is an error with its place, told once; everything else is examined", async () => {
    const cwd = await repository();
    await mkdir(join(cwd, ".tazuna"));
    await writeFile(join(cwd, ".tazuna", "config.json"), '{\n  "limits": { "paralel": 1 }\n}\n');
    const { code, findings, findingOf } = await doctor({ cwd });
    expect([code, findings.filter(({ id }) => id.startsWith("configuration")).length]).toEqual([1, 1]);
    expect(findingOf("configuration")?.what).toBe(
      `${join(cwd, ".tazuna", "config.json")}:2: unknown key "limits.paralel"; did you mean "parallel"?`,
    );
    expect(findingOf("git")?.level).toBe("ok");
  });

  test("untrusted scripts are told with the command that shows them", async () => {
    await using own = await startProduct();
    await mkdir(join(own.repository, ".tazuna"));
    await writeFile(join(own.repository, ".tazuna", "config.json"), '{ "setup": ["true", "echo hi"] }');
    await own.tazuna(["repo", "add"]);
    const { findingOf } = await doctor({}, own);
    expect(findingOf("scripts")).toMatchObject({
      level: "warning",
      what: "2 scripts of this repository would run, and you have not trusted them yet.",
      remedy: `\`cd ${own.repository} && tazuna trust\``,
    });
    await own.tazuna(["trust", "--yes"]);
    expect((await doctor({}, own)).findingOf("scripts")).toBeUndefined();
  });

  test("an agent whose program is missing is a warning if the configuration names it", async () => {
    await using own = await startProduct();
    await own.agent("mine", "", { command: ["/nonexistent/agent"] });
    expect((await doctor({}, own)).findingOf("agent:mine")).toMatchObject({
      level: "warning",
      what: "mine: /nonexistent/agent was not found or cannot be run.",
      remedy: "Mend `agents.mine.command` in the configuration.",
    });
  });

  test(
    deep("git settings that an agent planted are an error where they lie, also once the engine has ended"),
    async () => {
      await using own = await startProduct({ isolation: "guard" });
      const config = join(own.repository, ".git", "config");
      await own.agent("planter", `printf '[filter "x"]\\n\\tclean = cat\\n' >> '${config}'; echo a > a.txt`);
      await ask(own, ["run", "Plant", "--agent", "planter"]);
      const planted = { level: "error", why: expect.stringContaining("filter.x.clean: cat") };
      expect((await doctor({}, own)).findingOf("git_settings")).toMatchObject(planted);
      await endEngine(own);
      expect((await doctor({}, own)).findingOf("git_settings")).toMatchObject(planted);
    },
  );
});

describe("the data folder", () => {
  test("that others can look into is reported with the command that closes it", async () => {
    const home = place("home");
    await mkdir(home, { mode: 0o755 });
    await writeFile(join(home, "config.json"), "{}", { mode: 0o644 });
    await chmod(home, 0o755);
    const { findingOf } = await doctor({ env: { TAZUNA_HOME: home } });
    expect(findingOf("data_folder")).toMatchObject({
      level: "warning",
      why: expect.stringContaining("Readable for them: config.json."),
      remedy: `\`chmod 700 ${home}\``,
    });
  });

  test("inside a repository is reported", async () => {
    const cwd = await repository();
    const { findingOf } = await doctor({ cwd, env: { TAZUNA_HOME: join(cwd, ".tazuna-home") } });
    expect(findingOf("data_folder_inside")?.what).toBe(`The data folder lies inside the repository ${cwd}.`);
  });

  test("that is a file is an error", async () => {
    const home = place("file");
    await writeFile(home, "mine");
    const { code, findingOf } = await doctor({ env: { TAZUNA_HOME: home } });
    expect([code, findingOf("data_folder")?.what]).toEqual([
      1,
      `${home} is not a folder, so it cannot be the data folder.`,
    ]);
  });

  test.skipIf(asMortal === null)(`that may not be written to is an error${skippedAsRoot}`, async () => {
    await using own = await startProduct({ behind: asMortal ?? [] });
    const home = place("home");
    await mkdir(home, { mode: 0o500 });
    const { code, findingOf } = await doctor({ env: { TAZUNA_HOME: home } }, own);
    expect([code, findingOf("data_folder")?.level]).toEqual([1, "error"]);
  });

  test.each([
    ["is no database", "not a database at all, but long enough to be looked at as one".repeat(200)],
    ["is empty", ""],
  ])(
    "whose database %s is an error with the newest copy in the remedy, and stays as it is",
    async (_, content) => {
      const home = place("home");
      await mkdir(join(home, "backups"), { recursive: true, mode: 0o700 });
      const file = join(home, "tazuna.db");
      await writeFile(file, content);
      await writeFile(join(home, "backups", "0005-1.db"), "copy");
      const before = await fingerprint(home);
      const { code, findingOf, findings } = await doctor({ env: { TAZUNA_HOME: home } });
      expect([code, findingOf("database")]).toMatchObject([
        1,
        {
          level: "error",
          path: file,
          remedy: expect.stringContaining(`cp ${home}/backups/0005-1.db ${file}`),
        },
      ]);
      expect(findings.some(({ id }) => id.startsWith("not_examined"))).toBe(false);
      expect(await fingerprint(home)).toEqual(before);
    },
  );

  test.skipIf(IN_TEAM)(
    onSqlite("whose database is damaged in its middle is an error, and what the remedy says works"),
    async () => {
      await using own = await startProduct();
      await own.tazuna(["repo", "add"]);
      await endEngine(own);
      const file = join(own.home, "tazuna.db");
      await mkdir(join(own.home, "backups"), { recursive: true });
      await cp(file, join(own.home, "backups", "0005-1.db"));
      const bytes = await readFile(file);
      await writeFile(file, bytes.fill(0x41, 4096, 3 * 4096));
      const { code, findingOf } = await doctor({}, own);
      expect([code, findingOf("database")?.level]).toEqual([1, "error"]);
      const [, command = ""] = /^`(.*)` puts/.exec(findingOf("database")?.remedy ?? "") ?? [];
      expect(await Bun.spawn(["sh", "-c", command], { env: { ...own.env } }).exited).toBe(0);
      const mended = await doctor({}, own);
      expect([mended.code, mended.findingOf("database")?.level]).toEqual([0, "ok"]);
      expect((await readdir(own.home)).includes("tazuna.db.damaged")).toBe(true);
    },
  );
});

describe("what cannot be looked at", () => {
  test("is an error of its own, and everything else is examined", async () => {
    await using own = await startProduct();
    await own.tazuna(["repo", "add"]);
    await endEngine(own);
    const folder = join(own.home, "git-settings");
    const [name = ""] = await readdir(folder);
    await writeFile(join(folder, name), "{ half");
    const { code, findingOf } = await doctor({}, own);
    expect([
      code,
      findingOf("not_examined")?.what,
      findingOf("git")?.level,
      findingOf("database")?.level,
    ]).toEqual([1, expect.stringContaining(join(folder, name)), "ok", "ok"]);
  });
});

describe("engine and repositories", () => {
  test("a repository that vanished is reported with the command that says where it lies now", async () => {
    await using own = await startProduct();
    const added = (await own.tazuna(["repo", "add", "--json"])).json<{ repositories: { id: string }[] }>();
    const id = added.repositories[0]?.id.slice(0, 8);
    await rename(own.repository, `${own.repository}-moved`);
    const cwd = join(own.home, "..");
    const gone = (await doctor({ cwd }, own)).findingOf("repository");
    expect(gone).toMatchObject({
      level: "warning",
      path: own.repository,
      remedy: `If it was moved, type \`tazuna repo move ${id} .\` in its new place; if it was deleted: \`tazuna repo remove ${id}\`.`,
    });
    await own.tazuna(["repo", "move", id ?? "", `${own.repository}-moved`], { cwd });
    expect((await doctor({ cwd }, own)).findingOf("repository")).toBeUndefined();
  });

  test(
    deep("TAZUNA_DATABASE that the running engine does not work with is an error, without its password"),
    async () => {
      await using own = await startProduct();
      await own.tazuna(["list"]);
      const env = { TAZUNA_DATABASE: "postgres://me:hush-hush@db.example:5432/tazuna" };
      const { code, findingOf, stdout } = await doctor({ env }, own);
      expect([code, findingOf("engine_database")?.level]).toEqual([1, "error"]);
      expect(findingOf("engine_database")?.why).toContain("postgres://db.example:5432/tazuna");
      expect(stdout).not.toContain("hush-hush");
      await endEngine(own);
      const without = await doctor({ env }, own);
      expect([without.code, without.findingOf("database")?.level]).toEqual([0, "info"]);
      expect(without.stdout).not.toContain("hush-hush");
    },
  );

  test(deep("an engine that was killed is reported, and one that is held is an error"), async () => {
    await using own = await startProduct();
    await own.tazuna(["list"]);
    const pid = (await own.enginePid()) ?? 0;
    process.kill(pid, "SIGSTOP");
    const held = await doctor({}, own);
    expect([held.code, held.findingOf("engine")?.what]).toEqual([
      1,
      `The engine (process ${pid}) does not answer.`,
    ]);
    await own.killEngine();
    const killed = await doctor({}, own);
    expect([killed.code, killed.findingOf("engine")?.level, killed.findingOf("database")?.level]).toEqual([
      0,
      "info",
      "ok",
    ]);
  });

  // Only Linux says who holds a lock.
  test.skipIf(LINUX.missing)(
    deep(
      `a foreign lock, or one that a stranger holds, is reported with what to type, and never removed${LINUX.why}`,
    ),
    async () => {
      await using own = await startProduct();
      await own.tazuna(["list"]);
      await endEngine(own);
      const lock = join(own.home, "engine.lock");
      await writeFile(lock, "a person's own words\n");
      expect((await own.tazuna(["list"])).code).toBe(1);
      const strange = await doctor({}, own);
      expect([strange.code, strange.findingOf("engine"), strange.findingOf("engine_lock")]).toMatchObject([
        1,
        undefined,
        { level: "error", what: `${lock} is not a lock of Tazuna's.`, bytes: 21, path: lock },
      ]);
      await typed(strange.findingOf("engine_lock"));
      expect((await own.tazuna(["list"])).code).toBe(0);
      expect(await readFile(`${lock}.aside`, "utf8")).toBe("a person's own words\n");
      expect((await doctor({}, own)).findingOf("engine_lock")).toBeUndefined();
      // The engine has the file open that was here.
      const pid = await own.enginePid();
      await rm(lock);
      expect((await doctor({}, own)).findingOf("engine_lock")).toMatchObject({
        level: "warning",
        what: `The engine (process ${pid}) does not hold ${lock}: the file was removed.`,
      });
      await endEngine(own);
      await own.tazuna(["list"]);
      expect((await doctor({}, own)).findingOf("engine_lock")).toBeUndefined();
      await endEngine(own);
      const source = `import { takeEngineLock } from "${join(import.meta.dir, "../../src/storage/engine-lock.ts")}";
      takeEngineLock(${JSON.stringify(own.home)}); console.log("held"); setInterval(() => {}, 1000);`;
      const stranger = Bun.spawn([process.execPath, "-e", source], { stdout: "pipe" });
      await stranger.stdout.getReader().read();
      const held = await doctor({}, own);
      expect([held.code, held.findingOf("engine"), held.findingOf("engine_lock")]).toMatchObject([
        1,
        undefined,
        { level: "error", whose: `process ${stranger.pid}`, path: lock },
      ]);
      await typed(held.findingOf("engine_lock"));
      await stranger.exited;
      expect((await doctor({}, own)).findingOf("engine_lock")).toBeUndefined();
      expect((await own.tazuna(["list"])).code).toBe(0);
    },
  );

  test("`GET /doctor` answers the same over HTTP", async () => {
    await using own = await startProduct();
    await own.tazuna(["list"]);
    const { url, token } = JSON.parse(await readFile(join(own.home, "server.json"), "utf8"));
    const answer = await fetch(
      `${url}/api/v1/doctor?${new URLSearchParams({ repository: own.repository, settings: '{"isolation":"guard"}' })}`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    );
    const { findings } = (await answer.json()) as { findings: readonly FindingDocument[] };
    const told = await doctor({}, own);
    expect(told.findings.filter(({ id }) => id !== "engine")).toEqual(
      findings.map((finding) => ({
        ...finding,
        bytes: finding.id === "disk" ? expect.any(Number) : finding.bytes,
      })),
    );
  });

  test("unknown things among the worktrees are found without an engine too", async () => {
    await using own = await startProduct();
    await own.tazuna(["list"]);
    await endEngine(own);
    const stranger = join(own.home, "worktrees", "stranger");
    await mkdir(stranger, { recursive: true });
    await writeFile(join(stranger, "file"), "twelve bytes");
    const { findings } = await doctor({}, own);
    expect(findings.find(({ path }) => path === stranger)).toMatchObject({ level: "warning", bytes: 12 });
    await rm(stranger, { recursive: true });
  });
});

describe("what a stranger's repository names", () => {
  test("is not run for having been looked at: agents, signing, LFS", async () => {
    const cwd = await repository();
    const mark = place("mark");
    const evil = join(cwd, "evil");
    await writeFile(evil, `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`, { mode: 0o755 });
    await mkdir(join(cwd, ".tazuna"));
    const agents = { mine: { executor: "claude-code", command: [evil] } };
    await writeFile(join(cwd, ".tazuna", "config.json"), JSON.stringify({ agents }));
    await writeFile(join(cwd, ".gitattributes"), "*.bin filter=lfs\n");
    await git(cwd, "add", ".gitattributes");
    for (const [key, value] of [
      ["commit.gpgSign", "true"],
      ["gpg.program", evil],
      ["alias.lfs", `!${evil}`],
      ["core.fsmonitor", evil],
      ["core.hooksPath", cwd],
      ["core.sshCommand", evil],
    ] as const)
      await git(cwd, "config", key, value);
    const env = { PATH: await ownPath(place("bin"), ["git-lfs"]) };
    const told = await doctor({ cwd, env });
    expect(await exists(mark)).toBe(false);
    expect(told.findingOf("agent:mine")).toMatchObject({
      level: "warning",
      remedy: "Run `tazuna trust` in this repository.",
    });
    const listed = await product.tazuna(["agents", "--json"], { cwd, env });
    expect(await exists(mark)).toBe(false);
    expect(listed.json<{ agents: readonly { id: string; ready: boolean }[] }>().agents).toContainEqual(
      expect.objectContaining({ id: "mine", ready: false }),
    );
    await endEngine(product);
  });
});
