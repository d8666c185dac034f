import { describe, expect, test } from "bun:test";
import { type AgentFacts, agentFindings } from "../../../src/domain/doctor/agents.ts";
import { type DataFolderFacts, dataFolderFindings } from "../../../src/domain/doctor/data-folder.ts";
import { type DatabaseFacts, databaseFindings } from "../../../src/domain/doctor/database.ts";
import { type EngineFacts, engineFindings } from "../../../src/domain/doctor/engine.ts";
import type { EngineLockFacts } from "../../../src/domain/doctor/engine-lock.ts";
import type { Finding } from "../../../src/domain/doctor/finding.ts";
import { gitFindings } from "../../../src/domain/doctor/git.ts";
import {
  type IsolationFacts,
  isolationFindings,
  type SystemFacts,
} from "../../../src/domain/doctor/isolation.ts";

/** `level id` of each finding. */
const told = (findings: readonly Finding[]) => findings.map(({ level, id }) => `${level} ${id}`);

describe("what holds agents", () => {
  const LINUX: SystemFacts = {
    distribution: [],
    appArmorRestricts: false,
    closedBy: null,
    inContainer: false,
  };
  const HOLDS = { available: true, name: "bubblewrap 0.8.0", listsHosts: true } as const;
  const lacking = (cause: "not_installed" | "does_not_hold" | "not_tried") =>
    ({ available: false, cause, reason: "REASON.", remedy: "REMEDY." }) as const;
  const one = (facts: Partial<IsolationFacts>): Finding => {
    const all = {
      platform: "linux",
      wanted: "auto",
      setIn: null,
      network: "on",
      sandbox: HOLDS,
      system: LINUX,
      ...facts,
    };
    const [finding] = isolationFindings(all as IsolationFacts);
    if (finding === undefined) throw new Error("no finding");
    return finding;
  };

  test("the level is that of what can go wrong", () => {
    const sandbox = lacking("not_installed");
    expect([
      one({}).level,
      one({ wanted: "sandbox" }).level,
      one({ wanted: "guard" }).level,
      one({ sandbox }).level,
      one({ sandbox, wanted: "guard" }).level,
      one({ sandbox, wanted: "sandbox" }).level,
      one({ sandbox, platform: "win32" }).level,
    ]).toEqual(["ok", "ok", "info", "warning", "warning", "error", "warning"]);
  });

  test("under the guard, it says why there is no more, and what the guard does not stop", () => {
    const { what, why } = one({ sandbox: lacking("does_not_hold") });
    expect(what).toBe("The guard holds agents, not the sandbox. REASON.");
    expect(why).toContain("git by its absolute path");
  });

  test("what was asked of the network and nothing holds keeps every run from beginning", () => {
    const all = {
      platform: "linux",
      wanted: "auto",
      setIn: null,
      network: "off",
      sandbox: HOLDS,
      system: LINUX,
    };
    const network = (facts: Partial<IsolationFacts>) =>
      told(isolationFindings({ ...all, ...facts } as IsolationFacts)).includes("error isolation_network");
    const sandbox = lacking("not_installed");
    expect([
      network({}),
      network({ network: "hosts" }),
      network({ sandbox, network: "on" }),
      network({ sandbox, wanted: "sandbox" }),
      network({ sandbox }),
      network({ wanted: "guard" }),
      network({ network: "hosts", sandbox: { ...HOLDS, listsHosts: false } }),
    ]).toEqual([false, false, false, false, true, true, true]);
  });

  test("each system has a way of its own to more", () => {
    const sandbox = lacking("not_installed");
    const closed = lacking("does_not_hold");
    const remedy = (facts: Partial<IsolationFacts>, system: Partial<SystemFacts> = {}) =>
      one({ ...facts, system: { ...LINUX, ...system } }).remedy;
    expect(remedy({ sandbox }, { distribution: ["ubuntu", "debian"] })).toBe("`sudo apt install bubblewrap`");
    expect(remedy({ sandbox }, { distribution: ["fedora"] })).toBe("`sudo dnf install bubblewrap`");
    expect(remedy({ sandbox }, { distribution: ["arch"] })).toBe("`sudo pacman -S bubblewrap`");
    expect(remedy({ sandbox }, { distribution: ["void"] })).toContain("bwrap");
    expect(remedy({ sandbox: closed }, { closedBy: "kernel.unprivileged_userns_clone" })).toStartWith(
      "`sudo sysctl -w kernel.unprivileged_userns_clone=1`",
    );
    expect(remedy({ sandbox: closed }, { closedBy: "user.max_user_namespaces" })).toStartWith(
      "`sudo sysctl -w user.max_user_namespaces=15000`",
    );
    expect(
      remedy({ sandbox: closed }, { closedBy: "user.max_user_namespaces", inContainer: true }),
    ).toStartWith("`sudo sysctl -w user.max_user_namespaces=15000` on the machine that runs the container");
    expect(remedy({ sandbox: closed }, { appArmorRestricts: true })).toContain("/etc/apparmor.d/bwrap");
    expect(remedy({ sandbox: closed }, { inContainer: true, appArmorRestricts: true })).toContain(
      "--security-opt",
    );
    expect(remedy({ sandbox: closed })).toBe("REMEDY.");
    expect(remedy({ sandbox: lacking("not_tried") }, { appArmorRestricts: true })).toBe("REMEDY.");
    expect(remedy({ sandbox, platform: "darwin" })).toBe("REMEDY.");
    expect(remedy({ sandbox, platform: "win32" })).toContain("WSL 2");
  });
});

describe("git", () => {
  const findingsOf = (version: string | null) =>
    gitFindings({ version, missing: [], withoutIdentity: null })[0];

  test("is there, and not too old; one that was not tried is reported", () => {
    expect(
      [
        null,
        "git version 2.17.1",
        "git version 2.38.9",
        "git version 2.39.5 (Apple Git-154)",
        "git version 2.100.0",
      ]
        .concat(["git version 3.0.0", "something"])
        .map((version) => findingsOf(version)?.level),
    ).toEqual(["error", "error", "error", "ok", "ok", "info", "error"]);
    expect(findingsOf("git version 2.39.5 (Apple Git-154)")?.what).toBe("git 2.39.5.");
  });

  test("commits without an identity are a warning that names the repositories", () => {
    const found = (withoutIdentity: readonly string[] | null) =>
      gitFindings({ version: "git version 2.40.0", missing: [], withoutIdentity }).slice(1);
    expect(found(null)).toEqual([]);
    expect(found([])).toEqual([]);
    expect(found(["a", "b", "c"])).toMatchObject([
      { id: "git_identity", level: "warning", whose: "repositories a, b and c" },
    ]);
  });

  test("a program that something needs is an error", () => {
    const missing = [{ program: "ssh", neededBy: "a remote" }];
    expect(gitFindings({ version: "git version 2.40.0", missing, withoutIdentity: null })[1]).toMatchObject({
      id: "program:ssh",
      level: "error",
      what: "ssh was not found, and a remote needs it.",
    });
  });
});

describe("agents", () => {
  const agent = (facts: Partial<AgentFacts>): AgentFacts => ({
    id: "codex",
    version: null,
    ready: false,
    reason: "It cannot be used.",
    configured: false,
    demo: false,
    ...facts,
  });
  const demo = agent({ id: "demo", ready: true, reason: null, demo: true });

  test("one that is installed or configured is meant to work", () => {
    expect(told(agentFindings([agent({})]))).toContain("info agent:codex");
    expect(told(agentFindings([agent({ configured: true })]))).toContain("warning agent:codex");
    expect(told(agentFindings([agent({ version: "1.0" })]))).toContain("warning agent:codex");
    expect(told(agentFindings([agent({ ready: true, reason: null })]))).toEqual(["ok agent:codex"]);
  });

  test("the demo alone is no agent", () => {
    expect(told(agentFindings([demo]))).toEqual(["ok agent:demo", "warning agents"]);
    expect(told(agentFindings([demo, agent({ ready: true })]))).toEqual(["ok agent:demo", "ok agent:codex"]);
  });

  test.each([
    [
      "codex was not found. Install it: `npm i codex`; or name its binary.",
      "Install it: `npm i codex`; or name its binary.",
    ],
    ["Not logged in. Run `codex login`, or set CODEX_API_KEY.", "Run `codex login`, or set CODEX_API_KEY."],
    ["`codex --version` failed: no such. file. Install it again: npm.", "Install it again: npm."],
    [
      "It has no program. Set `agents.x.command` in the configuration.",
      "Set `agents.x.command` in the configuration.",
    ],
    ["/bin/x was not found or cannot be run. Mend `agents.x.command`.", "Mend `agents.x.command`."],
  ])("what is wrong and its remedy are told apart: %s", (reason, remedy) => {
    const [finding] = agentFindings([agent({ reason })]);
    expect(finding?.remedy).toBe(remedy);
    expect(`${finding?.what} ${remedy}`).toBe(`codex: ${reason}`);
  });
});

describe("the data folder", () => {
  const GIB = 1024 ** 3;
  const findingsOf = (facts: Partial<DataFolderFacts>) =>
    dataFolderFindings({
      path: "/home/u/.tazuna",
      state: "usable",
      mode: 0o700,
      openFiles: [],
      disk: { free: 50 * GIB, total: 100 * GIB },
      network: null,
      insideRepository: null,
      trashAcross: null,
      ...facts,
    });

  test("in order, there are only good news", () => {
    expect(told(findingsOf({}))).toEqual(["ok data_folder", "ok disk"]);
    expect(told(findingsOf({ mode: null }))).toEqual(["ok data_folder", "ok disk"]);
  });

  test.each([
    [{ state: "absent", mode: null }, "info data_folder"],
    [{ state: "closed" }, "error data_folder"],
    [{ state: "not_a_folder" }, "error data_folder"],
    [{ mode: 0o755 }, "warning data_folder"],
    [{ mode: 0o710 }, "warning data_folder"],
    [{ network: "NFS" }, "warning data_folder_network"],
    [{ insideRepository: "/home/u" }, "warning data_folder_inside"],
    [{ disk: { free: 1 * GIB, total: 100 * GIB } }, "error disk"],
    [{ disk: { free: 1 * GIB, total: 10 * GIB } }, "ok disk"],
  ] satisfies [Partial<DataFolderFacts>, string][])("%j is %s", (facts, expected) => {
    expect(told(findingsOf(facts))).toContain(expected);
  });

  test("the command that closes it names it, quoted if it must be", () => {
    expect(findingsOf({ mode: 0o755, path: "/home/a b/it's" })[0]?.remedy).toBe(
      "`chmod 700 '/home/a b/it'\\''s'`",
    );
  });
});

describe("the database", () => {
  const findingsOf = (facts: Partial<DatabaseFacts>) =>
    databaseFindings({ file: "/d/tazuna.db", database: { state: "sound" }, backups: [], ...facts });
  const damaged = {
    state: "unusable",
    code: "database_corrupt",
    message: "It is damaged.",
    remedy: "R.",
  } as const;

  test("a sound one is reported with whether there is a copy", () => {
    expect(told(findingsOf({}))).toEqual(["ok database", "info backup"]);
    expect(told(findingsOf({ backups: ["/d/backups/1.db"] }))).toEqual(["ok database", "ok backup"]);
    expect(told(findingsOf({ database: { state: "absent" } }))).toEqual([]);
    expect(told(findingsOf({ database: { state: "older" } }))).toEqual(["info database"]);
  });

  test("a damaged one is put aside by a command, with the newest copy in its place if there is one", () => {
    const aside = 'for f in /d/tazuna.db*; do mv "$f" "$f.damaged"; done';
    expect(findingsOf({ database: damaged })).toMatchObject([
      { level: "error", remedy: expect.stringContaining(aside) },
    ]);
    expect(
      findingsOf({ database: damaged, backups: ["/d/backups/2.db", "/d/backups/1.db"] })[0]?.remedy,
    ).toStartWith(`\`${aside}; cp /d/backups/2.db /d/tazuna.db\``);
  });

  test("any other trouble keeps its own remedy", () => {
    expect(findingsOf({ database: { ...damaged, code: "database_newer" } })[0]?.remedy).toBe("R.");
  });

  test("a Postgres that was not asked is reported as such", () => {
    const address = "postgres://db.example/tazuna";
    expect(findingsOf({ database: { state: "postgres_not_asked", address } })).toMatchObject([
      { level: "info", what: expect.stringContaining(address) },
    ]);
    const trouble = { message: "It is away.", remedy: "R." };
    expect(told(findingsOf({ database: { state: "postgres", trouble: null } }))).toEqual(["ok database"]);
    expect(findingsOf({ database: { state: "postgres", trouble } })).toMatchObject([
      { level: "error", what: "It is away.", remedy: "R.", path: null },
    ]);
  });
});

describe("the engine", () => {
  const RUNNING = {
    state: "answers",
    pid: 7,
    url: "http://127.0.0.1:1",
    version: "1.0.0",
    database: null,
  } as const;
  const findingsOf = (engine: EngineFacts["engine"], wantedDatabase: string | null = null) =>
    engineFindings({ engine, lock: lock({ holders: [7] }), ownVersion: "1.0.0", wantedDatabase });
  const lock = (more: Partial<EngineLockFacts>): EngineLockFacts => ({
    file: "/data/engine.lock",
    strange: null,
    bytes: 0,
    holders: [],
    ...more,
  });

  test("runs, or does not, or was killed, or is deaf", () => {
    const without = (engine: EngineFacts["engine"]) =>
      engineFindings({ engine, lock: lock({}), ownVersion: "1.0.0", wantedDatabase: null });
    expect(told(without({ state: "none" }))).toEqual(["ok engine"]);
    expect(told(without({ state: "died" }))).toEqual(["info engine"]);
    expect(told(findingsOf({ state: "silent", pid: 7 }))).toEqual(["error engine"]);
    expect(told(findingsOf(RUNNING))).toEqual(["ok engine"]);
    expect(told(findingsOf({ ...RUNNING, version: "0.9.0" }))).toEqual(["warning engine"]);
  });

  test("whose lock is held, replaced or removed is reported; if the lock cannot be seen, nothing is said", () => {
    const facts = (engine: EngineFacts["engine"], more: Partial<EngineLockFacts>) =>
      told(engineFindings({ engine, lock: lock(more), ownVersion: "1.0.0", wantedDatabase: null }));
    expect(facts({ state: "none" }, { holders: [9] })).toEqual(["error engine_lock"]);
    expect(facts({ state: "died" }, { holders: [9] })).toEqual(["error engine_lock"]);
    expect(facts({ state: "silent", pid: 7 }, { holders: [7] })).toEqual(["error engine"]);
    expect(facts(RUNNING, { holders: [] })).toEqual(["ok engine", "warning engine_lock"]);
    expect(facts(RUNNING, { holders: [9] })).toEqual(["ok engine", "warning engine_lock"]);
    for (const state of ["none", "died"] as const)
      expect(facts({ state }, { holders: null })).toEqual([`${state === "none" ? "ok" : "info"} engine`]);
    expect(facts(RUNNING, { holders: null })).toEqual(["ok engine"]);
    for (const strange of ["link", "no_file", "no_lock", "closed"] as const)
      expect(facts({ state: "none" }, { strange, holders: null })).toEqual(["error engine_lock"]);
  });

  test("one with another database than the command names is an error", () => {
    const wanted = "postgres://db/tazuna";
    expect(told(findingsOf(RUNNING, wanted))).toEqual(["ok engine", "error engine_database"]);
    expect(told(findingsOf({ ...RUNNING, database: "postgres://db/other" }, wanted))).toEqual([
      "ok engine",
      "error engine_database",
    ]);
    expect(told(findingsOf({ ...RUNNING, database: wanted }, wanted))).toEqual(["ok engine"]);
    expect(told(findingsOf({ ...RUNNING, database: wanted }))).toEqual(["ok engine"]);
  });
});
