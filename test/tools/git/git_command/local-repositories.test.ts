/** Tries what an agent can plant with `write_file` alone, and every way in which git can be led to it. */
import { describe, expect, test } from "bun:test";
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createToolContext } from "../../../../src/lib.ts";
import { writeFiles } from "../../../helpers/git-repo.ts";
import { type GitWorld, gitWorld, setTrap, type Trap } from "../git-world.ts";

const SECRET = "hunter2-and-more";

interface Hostile extends GitWorld {
  readonly trap: Trap;
  /** A repository outside of the workspace that the tools may neither read nor write. */
  readonly outside: string;
  /** Everything in it, by name. */
  outsideState(): Promise<string>;
}

/** `r.git` in the workspace runs the trap in any way in which a repository can run something. `via` leads to it. */
async function hostile(): Promise<Hostile> {
  const world = await gitWorld();
  const trap = await setTrap(join(world.sandbox.root, "traps"));
  const outside = await world.sandbox.repository("outside");
  await world.sandbox.commit(outside, { [`${SECRET}.txt`]: SECRET }, SECRET);
  await world.git(["config", "receive.denyCurrentBranch", "ignore"], outside);
  const evil = join(world.repo, "r.git");
  await world.git(["init", "-q", "--bare", evil]);
  await world.git(["push", "-q", evil, "main"]);
  const hook = `#!/bin/sh\n'${trap.program}' </dev/null\n`;
  for (const name of ["pre-receive", "update", "post-receive", "post-update", "reference-transaction"]) {
    await writeFiles(evil, { [`hooks/${name}`]: hook });
    await chmod(join(evil, "hooks", name), 0o755);
  }
  for (const key of ["core.alternateRefsCommand", "core.fsmonitor", "uploadpack.packObjectsHook"])
    await world.git(["config", key, trap.program], evil);
  await writeFiles(world.repo, { via: "gitdir: r.git\n", "named/.git": "gitdir: ../r.git\n" });
  const outsideState = async () => {
    const names = (await readdir(outside, { recursive: true })).sort();
    return `${names.join("\n")}\n${await world.git(["for-each-ref"], outside)}`;
  };
  return Object.assign(world, { trap, outside, outsideState });
}

/** Each call, through `git_command` and through a guarded `exec_command`; all must be refused. */
async function refused(
  world: Hostile,
  calls: readonly (readonly string[])[],
  { what = "", cwd = "." } = {},
): Promise<void> {
  const before = await world.outsideState();
  const toolkit = world.toolkitWith({ git: "guarded" });
  for (const [subcommand = "", ...args] of calls)
    for (const answer of [
      await toolkit.gitCommand(subcommand, args, { allow_destructive: true, cwd }),
      await toolkit.execCommand(cwd, ["git", subcommand, ...args]),
      await toolkit.execCommand(cwd, ["env", "LANG=C", "git", subcommand, ...args], { shell_mode: "direct" }),
    ]) {
      expect([what, subcommand, args, answer]).toMatchObject([
        what,
        subcommand,
        args,
        { status: "denied", reason: "policy", error: { code: "UNSAFE_URL" } },
      ]);
      expect(JSON.stringify(answer)).not.toContain(SECRET);
    }
  expect(await world.trap.sprung()).toBe(false);
  expect(await world.outsideState()).toBe(before);
}

/** Every call that takes a repository. */
const callsWith = (at: string): readonly (readonly string[])[] => [
  ["fetch", at],
  ["fetch", at, "main"],
  ["fetch", "--multiple", at],
  ["pull", at, "main"],
  ["push", at, "HEAD:refs/heads/x"],
  ["push", `--repo=${at}`],
  ["clone", at, "copy"],
  ["clone", "--bare", "--no-local", at, "copy"],
  ["clone", "--reference", at, "https://example.invalid/x", "copy"],
  ["clone", `--reference-if-able=${at}`, "https://example.invalid/x", "copy"],
  ["remote", "add", "x", at],
  ["remote", "add", "-f", "x", at],
  ["remote", "show", at],
  ["remote", "update", at],
  ["remote", "prune", at],
  ["submodule", "add", at, "lib"],
  ["submodule", "add", "--reference", at, "https://example.invalid/x", "lib"],
];

describe("a repository that is named by its path", () => {
  test("is refused in every call that takes one: what is planted in the workspace runs nothing", async () => {
    await using world = await hostile();
    const spellings = [
      "./via",
      "./r.git",
      "./r",
      "./named",
      join(world.repo, "r.git"),
      `file://${world.repo}/r.git`,
      `FILE://${world.repo}/r.git`,
      `file://localhost${world.repo}/r.git`,
      `file:${world.repo}/r.git`,
    ];
    for (const at of spellings.slice(0, 3)) await refused(world, callsWith(at));
    for (const at of spellings.slice(3))
      await refused(world, [
        ["fetch", at],
        ["push", at, "HEAD:x"],
      ]);
  }, 60_000);

  test("a bare word is a remote's name, or refused if a folder, a file or a bundle has that name", async () => {
    await using world = await hostile();
    await world.git(["bundle", "create", "-q", "b.bundle", "main"]);
    for (const at of ["r.git", "r", "via", "named", "b.bundle", "b"])
      await refused(world, [
        ["fetch", at],
        ["push", at, "HEAD:x"],
        ["pull", at, "main"],
        ["fetch", "--multiple", at],
      ]);
    await mkdir(join(world.repo, "origin"));
    await cp(join(world.repo, "r.git"), join(world.repo, "origin"), { recursive: true });
    await refused(world, [["fetch"], ["push"], ["pull"], ["fetch", "origin"], ["push", "origin", "HEAD:x"]]);
  }, 60_000);

  test("outside of the workspace it is neither read nor written: gitdir, commondir, alternates, links, bundles", async () => {
    await using world = await hostile();
    const { outside, repo } = world;
    await writeFiles(repo, {
      away: `gitdir: ${outside}/.git\n`,
      "half/HEAD": "ref: refs/heads/main\n",
      "half/commondir": `${outside}/.git\n`,
      "borrows/HEAD": "ref: refs/heads/main\n",
      "borrows/refs/heads/main": await world.git(["rev-parse", "HEAD"], outside),
      "borrows/objects/info/alternates": `${outside}/.git/objects\n`,
    });
    await symlink(outside, join(repo, "link"));
    for (const at of ["./away", "./half", "./borrows", "./link", outside, "../outside", `${outside}/.git`])
      await refused(world, [
        ["fetch", at],
        ["pull", at, "main"],
        ["push", at, "HEAD:x"],
        ["clone", at, "copy"],
        ["remote", "update", at],
      ]);
    await refused(world, [["clone", "--reference", outside, "https://example.invalid/x", "copy"]]);
  }, 60_000);

  test("an https address is not followed into a folder of that name", async () => {
    await using world = await hostile();
    for (const name of ["https:/example.invalid/x", "example.invalid:x"])
      await cp(join(world.repo, "r.git"), join(world.repo, name), { recursive: true });
    for (const at of ["https://example.invalid/x", "example.invalid:x"]) {
      const answer = await world.toolkit.gitCommand("clone", [at, "copy"]);
      expect(answer).toMatchObject({ status: "success", data: { exit_code: 128 } });
      expect(await Bun.file(join(world.repo, "copy/HEAD")).exists()).toBe(false);
    }
    expect(await world.trap.sprung()).toBe(false);
  }, 60_000);
});

type Setting = readonly [key: string, value: string];

async function configured(world: GitWorld, settings: readonly Setting[]): Promise<void> {
  for (const [key, value] of settings) await world.git(["config", "--add", key, value]);
}

describe("a configured remote on this machine", () => {
  const rows: readonly (readonly [
    string,
    (world: Hostile) => readonly Setting[],
    readonly (readonly string[])[],
  ])[] = [
    [
      "in the workspace",
      () => [["remote.e.url", "./r.git"]],
      [
        ["fetch", "e"],
        ["push", "e", "HEAD:x"],
        ["pull", "e", "main"],
        ["remote", "show", "e"],
        ["remote", "update"],
        ["fetch", "--all"],
        ["fetch"],
      ],
    ],
    [
      "by a .git file",
      () => [["remote.e.url", "named"]],
      [
        ["fetch", "e"],
        ["push", "e", "HEAD:x"],
      ],
    ],
    [
      "by a file that names it",
      ({ repo }) => [["remote.e.url", `${repo}/via`]],
      [
        ["fetch", "e"],
        ["push", "e", "HEAD:x"],
      ],
    ],
    [
      "as the second of several addresses",
      () => [
        ["remote.e.url", "https://example.invalid/x"],
        ["remote.e.url", "./r.git"],
      ],
      [["push", "e", "HEAD:x"]],
    ],
    [
      "for pushes",
      () => [
        ["remote.e.url", "https://example.invalid/x"],
        ["remote.e.pushurl", "./r.git"],
      ],
      [["push", "e", "HEAD:x"]],
    ],
    [
      "in a group",
      () => [
        ["remote.e.url", "./r.git"],
        ["remotes.all", "e e"],
      ],
      [
        ["fetch", "all"],
        ["remote", "update", "all"],
        ["fetch", "--multiple", "all"],
      ],
    ],
    [
      "of the branch",
      () => [
        ["branch.main.remote", "./r.git"],
        ["branch.main.merge", "refs/heads/main"],
      ],
      [["fetch"], ["pull"], ["push"]],
    ],
    ["of the branch, for pushes", () => [["branch.main.pushRemote", "./r.git"]], [["push"]]],
    ["for all pushes", () => [["remote.pushDefault", "./r.git"]], [["push"]]],
    [
      "that is this repository",
      () => [
        ["branch.main.remote", "."],
        ["branch.main.merge", "refs/heads/main"],
      ],
      [["fetch"], ["pull"], ["push"]],
    ],
    [
      "by url.insteadOf",
      () => [
        ["remote.e.url", "https://example.invalid/r.git"],
        ["url../.insteadOf", "https://example.invalid/"],
      ],
      [
        ["fetch", "e"],
        ["push", "e", "HEAD:x"],
        ["fetch", "https://example.invalid/r.git"],
        ["clone", "https://example.invalid/r.git", "copy"],
      ],
    ],
    [
      "by url.pushInsteadOf",
      () => [["url.named.pushInsteadOf", "https://example.invalid/x"]],
      [["push", "https://example.invalid/x", "HEAD:x"]],
    ],
    [
      "encoded",
      ({ repo }) => [["remote.e.url", `file://${repo}/r%2egit`]],
      [
        ["fetch", "e"],
        ["push", "e", "HEAD:x"],
      ],
    ],
    [
      "in a group that is called as a remote is",
      () => [
        ["remote.o.url", "../origin.git"],
        ["remote.e.url", "./r.git"],
        ["remotes.o", "e"],
      ],
      [
        ["fetch", "o"],
        ["remote", "update", "o"],
      ],
    ],
    [
      "in a group that is called as a new remote is",
      () => [
        ["remote.e.url", "./r.git"],
        ["remotes.x", "e e"],
      ],
      [["remote", "add", "-f", "x", "https://example.invalid/x"]],
    ],
    [
      "in the place of a group, in front of refspecs",
      () => [
        ["remote.o.url", "../origin.git"],
        ["remotes.r", "o"],
      ],
      [
        ["fetch", "r", "main"],
        ["pull", "r", "main"],
        ["push", "r", "HEAD:x"],
      ],
    ],
    [
      "that promises what is missing",
      () => [
        ["remote.e.url", "./r.git"],
        ["remote.e.promisor", "true"],
        ["remote.o.url", "../origin.git"],
      ],
      [["fetch", "o"]],
    ],
  ];
  test(`in the workspace is refused however it is configured (${rows.length} ways), and runs nothing`, async () => {
    await using world = await hostile();
    await world.sandbox.origin("origin.git");
    const config = join(world.repo, ".git/config");
    const plain = await readFile(config, "utf8");
    for (const [what, settings, calls] of rows) {
      await configured(world, settings(world));
      await refused(world, calls, { what });
      await writeFile(config, plain);
    }
    await configured(world, [["remote.e.url", "./r.git"]]);
    await refused(world, [["fetch", "e"]], { cwd: "src" });
  }, 120_000);

  const OF_BRANCH = '[branch "main"]\nremote = ./r.git\nmerge = refs/heads/main\n';
  const OF_OTHER_BRANCH = '[branch "main"]\nremote = origin\n[branch "other"]\nremote = ./r.git\n';
  /** Each is a configuration that git reads in another way than it looks, beside `origin`, which may be used. */
  const misleading: readonly (readonly [
    string,
    (world: Hostile, origin: string) => string,
    readonly (readonly string[])[],
  ])[] = [
    [
      "by a name that begins like a path, over which git passes",
      ({ repo }, origin) => `[remote "${repo}/r.git"]\nurl = ${origin}\n`,
      [
        ["fetch", "R"],
        ["push", "R", "HEAD:x"],
      ],
    ],
    ["in the default group", () => "[remotes]\ndefault = origin ./r.git\n", [["remote", "update"]]],
    ["in a group that is pulled from", () => "[remotes]\na = origin ./r.git\n", [["pull", "a"]]],
    [
      "in a group of a group that is called as a remote is",
      (_, origin) => `[remotes]\na = origin o\no = origin ./r.git\n[remote "o"]\nurl = ${origin}\n`,
      [
        ["fetch", "a"],
        ["remote", "update", "a"],
      ],
    ],
    [
      "in a group that is called as one of all remotes is",
      (_, origin) => `[remotes]\no = origin ./r.git\n[remote "o"]\nurl = ${origin}\n`,
      [
        ["fetch", "--all"],
        ["remote", "update"],
      ],
    ],
    [
      "by the name of a group of one, which git takes for a path",
      () => "[remotes]\nnamed = origin\n",
      [
        ["fetch", "named"],
        ["pull", "named"],
      ],
    ],
    ["of the branch, as all is taken back", () => OF_BRANCH, [["fetch", "--all", "--no-all"]]],
    [
      "with all others, if a setting says so",
      () => '[fetch]\nall\n[remote "e"]\nurl = ./r.git\n[branch "main"]\nremote = origin\n',
      [["fetch"], ["pull"]],
    ],
    [
      "that promises what is missing, by the extension",
      () => "[core]\nrepositoryFormatVersion = 1\n[extensions]\npartialClone = ./r.git\n",
      [["fetch", "origin"]],
    ],
    [
      "by the first of two bases for the same beginning",
      (_, origin) =>
        `[url "./"]\ninsteadOf = z:\n[url "${dirname(origin)}/"]\ninsteadOf = y:\n[url "./"]\ninsteadOf = y:\n[remote "e"]\nurl = y:r.git\n`,
      [
        ["fetch", "e"],
        ["push", "e", "HEAD:x"],
      ],
    ],
    [
      "of the branch, which a file changes that is not included",
      () => `${OF_BRANCH}[includeIf "gitdir:/nowhere/"]\npath = ../included\n`,
      [["fetch"], ["push"]],
    ],
    [
      "by a bare word, which a file makes a remote that is not included",
      () => '[includeIf "gitdir:/nowhere/"]\npath = ../included\n',
      [
        ["fetch", "named"],
        ["push", "named", "HEAD:x"],
      ],
    ],
    [
      "by an address that a file rewrites which is not included",
      () => '[includeIf "gitdir:/nowhere/"]\npath = ../included\n[remote "e"]\nurl = ./r.git\n',
      [["fetch", "e"]],
    ],
    ["of the branch that is a link to another one", () => OF_OTHER_BRANCH, [["fetch"], ["push"]]],
    ...["file:///nowhere/@[a]", "/nowhere/@[a]", "[a]", "file://[::1]", "file:///proc/self/root"].map(
      (before) =>
        [
          `behind ${before}`,
          ({ repo }: Hostile) => `[remote "e"]\nurl = ${before}${repo}/r.git\n`,
          [
            ["fetch", "e"],
            ["push", "e", "HEAD:x"],
          ],
        ] as const,
    ),
    ...["/proc/self/cwd", "file:///proc/thread-self/cwd", "/dev/fd/../cwd"].map(
      (before) =>
        [
          `in ${before}`,
          () => `[remote "e"]\nurl = ${before}/r.git\n`,
          [
            ["fetch", "e"],
            ["push", "e", "HEAD:x"],
          ],
        ] as const,
    ),
  ];

  test(`in the workspace is refused as git reads the settings, not as they look (${misleading.length} ways)`, async () => {
    await using world = await hostile();
    const { repo, sandbox } = world;
    const origin = await sandbox.origin("origin.git");
    await configured(world, [["remote.origin.url", origin]]);
    const included = `[branch "main"]\nremote = origin\n[remote "named"]\nurl = ${origin}\n[url "${origin}"]\ninsteadOf = ./r.git\n`;
    await writeFiles(repo, { included });
    const [config, main] = [join(repo, ".git/config"), join(repo, ".git/refs/heads/main")];
    const [plain, commit] = await Promise.all([readFile(config, "utf8"), readFile(main, "utf8")]);
    await writeFile(join(repo, ".git/refs/heads/other"), commit);
    for (const [what, settings, calls] of misleading) {
      const text = settings(world, origin);
      await writeFile(config, plain + text);
      if (text === OF_OTHER_BRANCH) await writeFile(main, "ref: refs/heads/other\n");
      const given = calls.map((words) => words.map((word) => (word === "R" ? `${repo}/r.git` : word)));
      await refused(world, given, { what });
      await writeFile(main, commit);
    }
  }, 120_000);

  test("is not reached by bundles that a setting names: a downloaded list may name files of this machine", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await configured(world, [["remote.origin.url", origin]]);
    for (const address of ["../x.bundle", "https://example.invalid/list"]) {
      await world.git(["config", "fetch.bundleURI", address]);
      expect([address, await world.toolkit.gitCommand("fetch")]).toMatchObject([
        address,
        { error: { code: "UNSAFE_REPOSITORY", details: { at: "fetch.bundleuri" } } },
      ]);
      expect(await world.toolkit.gitCommand("status")).toMatchObject({ data: { exit_code: 0 } });
    }
  });

  test("outside is used, as plain git uses it", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await configured(world, [
      ["remote.origin.url", origin],
      ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
      ["remote.up.url", "../origin"],
      ["remote.file.url", `file://${origin}`],
      ["remotes.both", "origin up"],
      ["branch.other.remote", "."],
    ]);
    const toolkit = world.toolkitWith({ git: "guarded" });
    for (const [subcommand = "", ...args] of [
      ["fetch"],
      ["fetch", "origin"],
      ["fetch", "--all"],
      ["fetch", "up"],
      ["fetch", "file", "main"],
      ["remote", "show", "origin"],
      ["remote", "update"],
      ["remote", "update", "both"],
      ["fetch", "both"],
      ["fetch", "--all", "--multiple"],
      ["push", "origin", "HEAD:refs/heads/mine"],
    ])
      for (const answer of [
        await toolkit.gitCommand(subcommand, args),
        await toolkit.execCommand("src", ["git", subcommand, ...args]),
      ])
        expect([subcommand, args, answer]).toMatchObject([subcommand, args, { data: { exit_code: 0 } }]);
    expect(await world.git(["branch", "--list", "mine"], origin)).toContain("mine");
  }, 60_000);

  type Lead = (world: Hostile, origin: string) => Promise<unknown>;
  const leads: readonly (readonly [string, Lead])[] = [
    [
      "its hooks",
      (world, origin) =>
        rm(join(origin, "hooks"), { recursive: true, force: true }).then(() =>
          symlink(join(world.repo, "r.git/hooks"), join(origin, "hooks")),
        ),
    ],
    [
      "one hook",
      (world, origin) =>
        mkdir(join(origin, "hooks"), { recursive: true }).then(() =>
          symlink(join(world.repo, "r.git/hooks/update"), join(origin, "hooks/update")),
        ),
    ],
    [
      "its configuration",
      (world, origin) =>
        rm(join(origin, "config")).then(() =>
          symlink(join(world.repo, "r.git/config"), join(origin, "config")),
        ),
    ],
    [
      "an include",
      (world, origin) => world.git(["config", "include.path", join(world.repo, "r.git/config")], origin),
    ],
    [
      "core.hooksPath",
      (world, origin) => world.git(["config", "core.hooksPath", join(world.repo, "r.git/hooks")], origin),
    ],
    [
      "a program",
      (world, origin) =>
        world.git(["config", "core.alternateRefsCommand", `sh ${join(world.repo, "x.sh")}`], origin),
    ],
    [
      "borrowed objects",
      (world, origin) => writeFiles(origin, { "objects/info/alternates": `${world.repo}/r.git/objects\n` }),
    ],
    [
      "objects borrowed around a corner",
      async (world, origin) => {
        const other = await world.sandbox.origin("other.git");
        await writeFiles(origin, { "objects/info/alternates": `${other}/objects\n` });
        await writeFiles(other, { "objects/info/alternates": `${world.repo}/r.git/objects\n` });
      },
    ],
    ["commondir", (world, origin) => writeFiles(origin, { commondir: `${world.repo}/r.git\n` })],
    [
      "a reference",
      (world, origin) => symlink(join(world.repo, "r.git/refs/heads/main"), join(origin, "refs/heads/led")),
    ],
  ];
  test(`outside that leads into the workspace is refused (${leads.length} ways)`, async () => {
    await using world = await hostile();
    for (const [at, [what, lead]] of leads.entries()) {
      const origin = await world.sandbox.origin(`origin-${at}.git`);
      await lead(world, origin);
      await world.git(["config", "remote.origin.url", origin]);
      const calls = [
        ["push", "origin", "HEAD:refs/heads/x"],
        ["fetch", "origin"],
      ];
      await refused(world, calls, { what });
    }
  }, 120_000);

  test("outside by a way through the workspace is refused: a link there can be turned round", async () => {
    await using world = await hostile();
    const origin = await world.sandbox.origin("origin.git");
    await symlink(dirname(origin), join(world.repo, "link"));
    await symlink(join(world.repo, "r.git"), join(world.sandbox.root, "back"));
    await configured(world, [
      ["remote.a.url", "link/origin.git"],
      ["remote.b.url", join(world.sandbox.root, "back")],
      ["remote.c.url", "src/../../origin.git"],
    ]);
    await refused(world, [
      ["fetch", "a"],
      ["fetch", "b"],
      ["push", "b", "HEAD:x"],
      ["fetch", "c"],
    ]);
  }, 60_000);

  test("outside by an address that a setting of the user rewrites is used, and not beyond what that names", async () => {
    await using world = await hostile();
    const origin = await world.sandbox.origin("mirror/origin.git");
    await world.git(["config", "--global", `url.${dirname(origin)}/.insteadOf`, "https://example.invalid/"]);
    await configured(world, [
      ["remote.o.url", "https://example.invalid/origin.git"],
      ["remote.e.url", "https://example.invalid/../outside"],
    ]);
    expect(await world.toolkit.gitCommand("fetch", ["o"])).toMatchObject({ data: { exit_code: 0 } });
    await refused(world, [
      ["fetch", "e"],
      ["fetch", "https://example.invalid/origin.git"],
    ]);
  }, 60_000);

  test("in a sandbox every place that may be written there counts as the workspace does", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    await configured(world, [["remote.origin.url", origin]]);
    const toolkit = world.toolkitWith({ env: { TAZUNA_SANDBOX: "bubblewrap 0.8.0" } });
    for (const words of [
      ["fetch", "origin"],
      ["remote", "show", "origin"],
    ])
      expect(await toolkit.gitCommand(words[0] ?? "", words.slice(1))).toMatchObject({
        error: { code: "UNSAFE_URL" },
      });
  });

  test("what is planted while git runs is not opened: without a local remote git speaks https and ssh only", async () => {
    await using world = await hostile();
    await world.git(["remote", "add", "web", "https://example.invalid/x"]);
    await configured(world, [["remotes.all", "web late"]]);
    const planting = world.sandbox.git(world.repo, ["clone", "-q", "--bare", "r.git", "late"]);
    const [answer] = await Promise.all([world.toolkit.gitCommand("fetch", ["late"]), planting]);
    if (answer.status === "success") expect(answer.data.exit_code).not.toBe(0);
    else expect(answer.error.code).toBe("UNSAFE_URL");
    expect(await world.trap.sprung()).toBe(false);
  }, 60_000);
});

describe("what the host grants", () => {
  test("is used by its path, in every call, and nothing beside it", async () => {
    await using world = await gitWorld();
    const origin = await world.sandbox.origin("origin.git");
    const other = await world.sandbox.origin("other.git");
    const toolkit = world.toolkitWith({ git: "guarded", localRepositories: [origin] });
    for (const [subcommand = "", ...args] of [
      ["fetch", origin, "main"],
      ["fetch", `file://${origin}`],
      ["push", origin, "HEAD:refs/heads/mine"],
      // A folder of the name of a new remote is not opened.
      ["clone", origin, "o"],
      ["remote", "add", "-f", "o", origin],
      ["pull", "o", "main", "--no-rebase", "--allow-unrelated-histories", "-s", "ours"],
      ["clone", origin, "copy"],
      ["clone", "--shared", origin, "shared"],
    ]) {
      const answer = await toolkit.gitCommand(subcommand, args);
      expect([subcommand, args, answer]).toMatchObject([subcommand, args, { data: { exit_code: 0 } }]);
    }
    expect(await toolkit.gitCommand("log", ["-1"], { cwd: "shared" })).toMatchObject({
      data: { exit_code: 0 },
    });
    expect(await toolkit.execCommand(".", ["git", "fetch", origin])).toMatchObject({
      data: { exit_code: 0 },
    });
    for (const at of [
      other,
      `${origin}/../other.git`,
      "../origin.git",
      join(world.sandbox.root, "origin"),
      `file://${origin}%2f..%2fother.git`,
    ])
      expect([at, await toolkit.gitCommand("fetch", [at])]).toMatchObject([
        at,
        { error: { code: "UNSAFE_URL" } },
      ]);
  }, 60_000);

  test("in the workspace does not lead out of it, nor to what lies beside it", async () => {
    await using world = await hostile();
    const { repo, outside } = world;
    const inner = await world.sandbox.origin("work/inner.git");
    const toolkit = world.toolkitWith({ localRepositories: [inner] });
    const fetched = () => toolkit.gitCommand("fetch", [inner, "main"]);
    expect(await fetched()).toMatchObject({ data: { exit_code: 0 } });
    const plants: readonly Record<string, string>[] = [
      { "objects/info/alternates": `${outside}/.git/objects\n` },
      { "objects/info/alternates": "../../r.git/objects\n" },
      { commondir: `${outside}/.git\n` },
      { ".git": `gitdir: ${outside}/.git\n` },
      { ".git": "gitdir: ../r.git\n" },
    ];
    for (const files of plants) {
      await writeFiles(inner, files);
      expect([files, await fetched()]).toMatchObject([files, { error: { code: "UNSAFE_URL" } }]);
      for (const name of Object.keys(files)) await rm(join(inner, name));
    }
    await rm(inner, { recursive: true });
    await symlink(outside, inner);
    expect(await fetched()).toMatchObject({ error: { code: "UNSAFE_URL" } });
    await rm(inner);
    await symlink(join(repo, "r.git"), inner);
    expect(await fetched()).toMatchObject({ error: { code: "UNSAFE_URL" } });
    expect(await world.trap.sprung()).toBe(false);
  }, 60_000);

  test("has to be an absolute path that exists, and must not hold the workspace", async () => {
    await using world = await gitWorld();
    const make = (localRepositories: unknown) => () =>
      createToolContext({ workspaceRoot: world.repo, localRepositories } as Parameters<
        typeof createToolContext
      >[0]);
    const origin = await world.sandbox.origin("origin.git");
    await symlink(origin, join(world.sandbox.root, "link.git"));
    expect(make(["origin.git"])).toThrow("options.localRepositories.0: must be an absolute path");
    expect(make([origin, join(world.sandbox.root, "none")])).toThrow(
      "options.localRepositories.1: does not exist",
    );
    expect(make([`${origin}\0`])).toThrow(TypeError);
    expect(make([world.repo])).toThrow("holds the workspace");
    expect(make(["/"])).toThrow("holds the workspace");
    expect(make("x")).toThrow(TypeError);
    const link = join(world.sandbox.root, "link.git");
    expect(make([link])().localRepositories).toEqual([link, origin]);
  });
});

test("plain git runs what is planted, so there is something to refuse", async () => {
  await using world = await hostile();
  await world.git(["push", "-q", "./via", "HEAD:x"]).catch(() => {});
  expect(await world.trap.sprung()).toBe(true);
  expect(await readFile(join(world.repo, "via"), "utf8")).toContain("gitdir");
});
