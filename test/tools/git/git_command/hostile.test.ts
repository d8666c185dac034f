import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContextOptions } from "../../../../src/tools/core/context.ts";
import { copiedFolder } from "../../../helpers/copied-folder.ts";
import { type GitSandbox, gitSandbox, writeFiles } from "../../../helpers/git-repo.ts";
import { waitFor } from "../../../helpers/wait-for.ts";
import { type GitWorld, setTrap, type Trap, worldOf } from "../git-world.ts";

/** Stands for the address of the remote, which the host grants. */
const ORIGIN = "ORIGIN";

/** What an agent does all day, in an order in which most of it succeeds. */
const EVERYDAY: readonly (readonly string[])[] = [
  ["status"],
  ["status", "-v"],
  ["diff"],
  ["diff", "HEAD~1", "HEAD"],
  ["log", "-p", "-3"],
  ["log", "--format=%G? %h"],
  ["show"],
  ["blame", "README.md"],
  ["describe", "--always", "--dirty"],
  ["ls-files", "-m"],
  ["stash", "push", "-m", "away"],
  ["stash", "show", "-p"],
  ["stash", "pop"],
  ["add", "-A"],
  ["commit", "-v", "-m", "work"],
  ["commit", "--allow-empty"],
  ["commit", "--allow-empty", "-m", "more", "--trailer", "Seen-by: me"],
  ["tag", "-a", "v1", "-m", "one"],
  ["notes", "add", "-m", "note"],
  ["branch", "-a"],
  ["fetch"],
  ["fetch", "--all"],
  ["remote", "update"],
  ["remote", "show", "origin"],
  ["pull", "--no-rebase", "--no-edit"],
  ["push", "origin", "HEAD"],
  ["merge", "--no-edit", "other"],
  ["merge", "--abort"],
  ["rebase", "other"],
  ["rebase", "--abort"],
  ["cherry-pick", "other"],
  ["cherry-pick", "--abort"],
  ["revert", "--no-edit", "HEAD"],
  ["checkout", "-b", "third"],
  ["checkout", "other"],
  ["switch", "main"],
  ["restore", "README.md"],
  ["reset", "--hard", "HEAD"],
  ["rm", "--cached", "src/app.txt"],
  ["mv", "README.md", "READ.md"],
  ["reset", "--hard"],
  ["apply", "the.patch"],
  ["submodule", "update", "--init"],
  ["submodule", "status"],
  ["worktree", "add", "wt"],
  ["clean", "-n"],
  ["reflog"],
  ["init", "fresh"],
  ["clone", ORIGIN, "copy"],
  ["bisect", "start"],
  ["bisect", "reset"],
];

/** Has a remote with all of main, a branch in conflict with it, and changes that are not committed. */
async function fill(sandbox: GitSandbox, folder: string): Promise<void> {
  const repo = join(folder, "work");
  const git = (...args: readonly string[]) => sandbox.git(repo, args);
  await sandbox.git(folder, ["init", "-q", "--template=", "work"]);
  await sandbox.commit(repo, { "README.md": "# Scratch\n", "src/app.txt": "one\ntwo\nthree\n" }, "first");
  await sandbox.git(folder, ["clone", "-q", "--bare", "--template=", "work", "origin.git"]);
  await mkdir(join(repo, ".git/info"));
  await git("remote", "add", "origin", "../origin.git");
  await git("push", "-q", "-u", "origin", "main");
  await git("checkout", "-q", "-b", "other");
  await sandbox.commit(repo, { "README.md": "theirs\n" }, "theirs");
  await git("checkout", "-q", "main");
  await sandbox.commit(repo, { "README.md": "ours\n", ".gitattributes": "* -text\n" }, "ours");
  await writeFiles(repo, {
    "README.md": "ours\nand more\n",
    "new.txt": "new\n",
    "the.patch": "--- a/src/app.txt\n+++ b/src/app.txt\n@@ -1,3 +1,3 @@\n-one\n+ONE\n two\n three\n",
  });
}

async function lively(): Promise<{ world: GitWorld; trap: Trap }> {
  const sandbox = await gitSandbox();
  await copiedFolder("lively", sandbox.root, (folder) => fill(sandbox, folder));
  const world = worldOf(sandbox, join(sandbox.root, "work"));
  await world.git(["config", "remote.origin.url", join(sandbox.root, "origin.git")]);
  // The index knows files by their inode, too. It says which ones are changed, and fails.
  await world.git(["update-index", "-q", "--refresh"]).catch(() => "");
  // Only by its time: git has to read it to see that nothing changed, and filters it for that.
  await utimes(join(world.repo, "src/app.txt"), 2_000_000_000, 2_000_000_000);
  return { world, trap: await setTrap(join(sandbox.root, "traps")) };
}

interface Verdicts {
  readonly refused: readonly string[];
  readonly succeeded: readonly string[];
  /** Everything that was answered. */
  readonly answered: string;
}

async function everyday(
  world: GitWorld,
  {
    code = "UNSAFE_REPOSITORY",
    ...options
  }: Partial<ToolContextOptions> & { env?: Record<string, string>; code?: string | undefined } = {},
): Promise<Verdicts> {
  const origin = join(world.sandbox.root, "origin.git");
  const toolkit = world.toolkitWith({ localRepositories: [origin], ...options });
  const refused: string[] = [];
  const succeeded: string[] = [];
  let answered = "";
  for (const [subcommand = "", ...args] of EVERYDAY) {
    const words = args.map((arg) => (arg === ORIGIN ? origin : arg));
    const result = await toolkit.gitCommand(subcommand, words, { allow_destructive: true });
    answered += JSON.stringify(result);
    if (result.status === "success") succeeded.push(subcommand);
    else {
      expect([subcommand, code, result.error.code]).toEqual([subcommand, code, code]);
      refused.push(subcommand);
    }
  }
  return { refused: [...new Set(refused)], succeeded: [...new Set(succeeded)], answered };
}

/** Plain git, which may wait without end for the trap. It and all that it started end once the trap has sprung. */
async function springTrap(world: GitWorld, args: readonly string[], trap: Trap): Promise<void> {
  const child = Bun.spawn(["git", ...args], {
    cwd: world.repo,
    env: { ...world.sandbox.env, GIT_TERMINAL_PROMPT: "0" },
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  await waitFor("plain git to spring the trap", async () => child.exitCode !== null || (await trap.sprung()));
  killGroup(child.pid);
  await child.exited;
}

/** Its programs outlive a git that is killed alone. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // All of them ended by themselves.
  }
}

const HOOKS = [
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "pre-receive",
  "update",
  "post-receive",
  "post-update",
  "reference-transaction",
  "push-to-checkout",
  "pre-auto-gc",
  "post-rewrite",
  "post-index-change",
  "fsmonitor-watchman",
];

async function plantHooks(folder: string, trap: Trap): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const hook of HOOKS) {
    await writeFile(join(folder, hook), `#!/bin/sh\n'${trap.program}' </dev/null >/dev/null\nexit 0\n`);
    await chmod(join(folder, hook), 0o755);
  }
}

interface Vector {
  readonly what: string;
  plant(world: GitWorld, trap: Trap): Promise<unknown>;
  /** What plain git does with it, to show that the trap is one. */
  readonly springs?: readonly string[];
  /** What must be refused by name; nothing else may be. */
  readonly refused?: readonly string[] | "some";
  /** With which code; `UNSAFE_REPOSITORY` unless told. */
  readonly code?: string;
  /** Planted in one repository with others of that name. None of them hides another one. */
  readonly with?: string;
}

const set = (key: string, value?: string) => (world: GitWorld, trap: Trap) =>
  world.git(["config", key, value ?? trap.program]);
const attribute =
  (text: string, ...keys: readonly string[]) =>
  async (world: GitWorld, trap: Trap) => {
    for (const key of keys) await world.git(["config", key, trap.program]);
    await writeFile(join(world.repo, ".git/info/attributes"), text);
  };

const VECTORS: readonly Vector[] = [
  { what: "core.fsmonitor", with: "settings", plant: set("core.fsmonitor"), springs: ["status"] },
  {
    what: "hooks",
    with: "hooks",
    plant: (world, trap) => plantHooks(join(world.repo, ".git/hooks"), trap),
    springs: ["commit", "-qam", "x"],
    refused: ["bisect"],
  },
  {
    what: "core.hooksPath",
    with: "settings",
    plant: async (world, trap) => {
      await plantHooks(join(world.repo, "planted"), trap);
      await world.git(["config", "core.hooksPath", "planted"]);
    },
    springs: ["commit", "-qam", "x"],
  },
  {
    what: "a clean filter",
    plant: attribute("* filter=evil\n", "filter.evil.clean"),
    springs: ["status"],
    refused: "some",
  },
  {
    what: "a smudge filter",
    plant: attribute("* filter=evil\n", "filter.evil.smudge"),
    springs: ["checkout", "-q", "HEAD~1", "--", "README.md"],
    refused: "some",
  },
  {
    what: "a filter process",
    plant: attribute("* filter=evil\n", "filter.evil.process"),
    springs: ["add", "-A"],
    refused: "some",
  },
  {
    what: "a filter of LFS with another program",
    plant: attribute("* filter=lfs\n", "filter.lfs.clean"),
    springs: ["add", "-A"],
    refused: "some",
  },
  { what: "a transfer program of LFS", plant: set("lfs.customtransfer.evil.path"), refused: "some" },
  {
    what: "a merge driver",
    plant: attribute("* merge=evil\n", "merge.evil.driver"),
    springs: ["merge", "--autostash", "other"],
    refused: "some",
  },
  { what: "diff.external", with: "settings", plant: set("diff.external"), springs: ["diff"] },
  {
    what: "a diff driver",
    with: "drivers",
    plant: attribute("* diff=evil\n", "diff.evil.command"),
    springs: ["diff"],
  },
  {
    what: "a text conversion",
    with: "drivers",
    plant: attribute("* diff=evil\n", "diff.evil.textconv"),
    springs: ["diff"],
  },
  {
    what: "pagers",
    with: "settings",
    plant: async (world, trap) => {
      await set("core.pager")(world, trap);
      await set("pager.log")(world, trap);
      await set("pager.status")(world, trap);
    },
  },
  {
    what: "editors",
    with: "settings",
    plant: async (world, trap) => {
      await set("core.editor")(world, trap);
      await set("sequence.editor")(world, trap);
    },
    springs: ["commit", "--allow-empty"],
  },
  {
    what: "core.sshCommand",
    with: "drivers",
    plant: async (world, trap) => {
      await set("core.sshCommand")(world, trap);
      await set("remote.origin.url", "ssh://nobody@localhost:1/x")(world, trap);
    },
    springs: ["fetch"],
  },
  {
    what: "core.gitProxy",
    with: "elsewhere",
    plant: async (world, trap) => {
      await set("core.gitProxy")(world, trap);
      await set("remote.origin.url", "git://localhost:1/x")(world, trap);
    },
    springs: ["fetch"],
  },
  {
    what: "credentials",
    with: "settings",
    plant: async (world, trap) => {
      await set("credential.helper")(world, trap);
      await set("core.askPass")(world, trap);
    },
  },
  {
    what: "credentials for one address",
    plant: set("credential.https://example.com.helper"),
    refused: "some",
  },
  {
    what: "signing",
    with: "settings",
    plant: async (world, trap) => {
      for (const key of ["gpg.program", "gpg.openpgp.program", "gpg.x509.program"])
        await set(key)(world, trap);
      for (const key of ["commit.gpgSign", "tag.gpgSign", "log.showSignature"])
        await set(key, "true")(world, trap);
    },
    springs: ["commit", "--allow-empty", "-m", "x"],
  },
  {
    what: "signing with ssh",
    with: "drivers",
    plant: async (world, trap) => {
      await set("gpg.ssh.program")(world, trap);
      await set("gpg.ssh.defaultKeyCommand")(world, trap);
      await set("gpg.format", "ssh")(world, trap);
      await set("commit.gpgSign", "true")(world, trap);
      await set("tag.gpgSign", "true")(world, trap);
    },
    springs: ["commit", "--allow-empty", "-m", "x"],
  },
  {
    what: "remote.origin.uploadpack",
    plant: set("remote.origin.uploadpack"),
    springs: ["fetch"],
    refused: "some",
  },
  {
    what: "remote.origin.receivepack",
    plant: set("remote.origin.receivepack"),
    springs: ["push"],
    refused: "some",
  },
  { what: "remote.origin.vcs", plant: set("remote.origin.vcs", "evil"), refused: "some" },
  {
    what: "a remote that is a program",
    with: "programs",
    plant: async (world, trap) => {
      await set("protocol.ext.allow", "always")(world, trap);
      await world.git(["config", "remote.origin.url", `ext::${trap.program}`]);
    },
    springs: ["fetch"],
  },
  {
    what: "an address that is rewritten to a program",
    with: "rewritten",
    plant: async (world, trap) => {
      await set("protocol.ext.allow", "always")(world, trap);
      await world.git(["config", `url.ext::${trap.program} .insteadOf`, "/"]);
    },
    springs: ["fetch"],
  },
  {
    what: "aliases",
    with: "settings",
    plant: async (world, trap) => {
      for (const name of ["status", "st", "log"])
        await world.git(["config", `alias.${name}`, `!${trap.program}`]);
    },
  },
  {
    what: "submodule.NAME.update",
    with: "named",
    plant: async (world, trap) => {
      await world.git(["config", "submodule.sub.update", `!${trap.program}`]);
    },
    refused: ["submodule"],
  },
  {
    what: "a trailer's command",
    with: "named",
    plant: async (world, trap) => {
      await set("trailer.seen.command")(world, trap);
      await set("trailer.seen.key", "Seen-by: ")(world, trap);
    },
    springs: ["commit", "--allow-empty", "-m", "x", "--trailer", "seen=me"],
    refused: ["commit"],
  },
  {
    what: "a trailer's cmd",
    with: "rewritten",
    plant: set("trailer.seen.cmd"),
    springs: ["commit", "--allow-empty", "-m", "x", "--trailer", "seen=me"],
    refused: ["commit"],
  },
  {
    what: "core.alternateRefsCommand",
    with: "settings",
    plant: async (world, trap) => {
      await set("core.alternateRefsCommand")(world, trap);
      const inner = await world.sandbox.repository("work/inner");
      await writeFile(join(world.repo, ".git/objects/info/alternates"), `${inner}/.git/objects\n`);
    },
    springs: ["fetch"],
  },
  { what: "interactive.diffFilter", with: "settings", plant: set("interactive.diffFilter") },
  {
    what: "an included file",
    plant: async (world, trap) => {
      await writeFile(join(world.repo, "evil.cfg"), `[filter "evil"]\n\tclean = ${trap.program}\n`);
      await writeFile(join(world.repo, ".git/info/attributes"), "* filter=evil\n");
      await world.git(["config", "includeIf.gitdir:**.path", "../evil.cfg"]);
    },
    springs: ["status"],
    refused: "some",
  },
  {
    what: "a worktree's own configuration",
    with: "programs",
    plant: async (world, trap) => {
      await world.git(["config", "extensions.worktreeConfig", "true"]);
      await world.git(["config", "--worktree", "core.fsmonitor", trap.program]);
      await world.git(["config", "--worktree", "diff.evil.textconv", trap.program]);
      await writeFile(join(world.repo, ".git/info/attributes"), "* diff=evil\n");
    },
    springs: ["status"],
  },
  {
    what: "objects that a remote would have to send",
    plant: async (world, trap) => {
      await set("remote.origin.uploadpack")(world, trap);
      await set("remote.origin.promisor", "true")(world, trap);
      await set("core.repositoryFormatVersion", "1")(world, trap);
      await set("extensions.partialClone", "origin")(world, trap);
      const blob = await world.git(["rev-parse", "HEAD~1:README.md"]);
      await rm(join(world.repo, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    },
    springs: ["log", "-p"],
    refused: "some",
  },
  {
    what: "a hook that is configured",
    with: "settings",
    plant: async (world, trap) => {
      await set("hook.evil.command")(world, trap);
      await set("hook.evil.event", "pre-commit")(world, trap);
    },
  },
  {
    what: "strategies by configuration",
    with: "drivers",
    plant: async (world, trap) => {
      await set("pull.twohead", "evil")(world, trap);
      await set("branch.main.mergeOptions", "--strategy=evil")(world, trap);
      const folder = join(world.repo, "bin");
      await mkdir(folder);
      await writeFile(join(folder, "git-merge-evil"), `#!/bin/sh\n'${trap.program}' </dev/null\n`);
      await chmod(join(folder, "git-merge-evil"), 0o755);
    },
  },
  {
    what: "automatic housekeeping",
    with: "hooks",
    plant: async (world, trap) => {
      await plantHooks(join(world.repo, ".git/hooks"), trap);
      await set("gc.auto", "1")(world, trap);
      await set("gc.autoDetach", "false")(world, trap);
    },
    refused: ["bisect"],
  },
  {
    what: "hooks of a remote inside the workspace",
    plant: async (world, trap) => {
      const bare = await world.sandbox.origin("work/inside.git");
      await plantHooks(join(bare, "hooks"), trap);
      await world.git(["config", "remote.origin.url", "./inside.git"]);
      await world.git(["update-ref", "-d", "refs/remotes/origin/main"]);
    },
    springs: ["push", "-f", "origin", "HEAD:x"],
    refused: ["fetch", "remote", "pull", "push"],
    code: "UNSAFE_URL",
  },
  {
    what: "a nested repository's filters",
    plant: async (world, trap) => {
      const inner = await world.sandbox.repository("work/inner");
      await world.git(["add", "inner"]);
      await world.git(["config", "filter.deep.clean", trap.program], inner);
      await writeFile(join(inner, ".git/info/attributes"), "* filter=deep\n");
      await changeInPlace(join(inner, "README.md"));
    },
    springs: ["status"],
    refused: "some",
  },
  {
    what: "a nested repository's monitor and text conversion",
    with: "elsewhere",
    plant: async (world, trap) => {
      const inner = await world.sandbox.repository("work/inner");
      await world.git(["add", "inner"]);
      await world.git(["config", "core.fsmonitor", trap.program], inner);
      await world.git(["config", "diff.deep.textconv", trap.program], inner);
      await writeFile(join(inner, ".git/info/attributes"), "* diff=deep\n");
      await writeFile(join(inner, "README.md"), "changed\n");
    },
    springs: ["status"],
  },
];

/** The vectors that are tried in one repository. */
const PLANTINGS = [...Map.groupBy(VECTORS, (vector) => vector.with ?? vector.what).values()];

describe("seed 002: a hostile repository, through every everyday command", () => {
  for (const planted of PLANTINGS) {
    const code = planted[0]?.code;
    const refused = [...new Set(planted.flatMap((vector) => vector.refused ?? []))];
    const what = planted.map((vector) => vector.what).join("; ");
    test(`${what}: nothing planted runs${refused.length === 0 ? "" : ", and what would run it is refused by name"}`, async () => {
      const { world } = await lively();
      await using _ = world;
      const traps: { readonly what: string; readonly trap: Trap }[] = [];
      for (const [at, { what, plant }] of planted.entries()) {
        const trap = await setTrap(join(world.sandbox.root, "traps"), `trap-${at}`);
        await plant(world, trap);
        traps.push({ what, trap });
      }
      const verdicts = await everyday(world, { code });
      for (const { what, trap } of traps) expect([what, await trap.sprung()]).toEqual([what, false]);
      if (refused.includes("some")) expect(verdicts.refused).not.toEqual([]);
      else expect([...verdicts.refused].sort()).toEqual(refused.sort());
      expect(verdicts.succeeded).toContain("log");
    }, 60_000);
  }

  for (const { what, plant, springs } of VECTORS.filter((vector) => vector.springs !== undefined))
    test(`${what}: the trap is a real one, plain git springs it`, async () => {
      const { world, trap } = await lively();
      await using _ = world;
      await plant(world, trap);
      await springTrap(world, springs ?? [], trap);
      expect(await trap.sprung()).toBe(true);
    });
});

/** Other content of the same size, at another time: git has to read it, and filters it for that. */
async function changeInPlace(path: string): Promise<void> {
  const before = await readFile(path, "utf8");
  await writeFile(
    path,
    before.replace(/\S/, (first) => (first === "x" ? "y" : "x")),
  );
  await utimes(path, 2_000_000_000, 2_000_000_000);
}

describe("variables and programs of the caller's surroundings", () => {
  test("GIT_* and the variables that name programs are not handed on", async () => {
    const { world, trap } = await lively();
    await using _ = world;
    const other = await world.sandbox.repository("elsewhere");
    const env = {
      ...Object.fromEntries(
        [
          "GIT_EXTERNAL_DIFF",
          "GIT_EDITOR",
          "GIT_SEQUENCE_EDITOR",
          "GIT_PAGER",
          "PAGER",
          "EDITOR",
          "VISUAL",
          "GIT_SSH",
          "GIT_SSH_COMMAND",
          "GIT_ASKPASS",
          "SSH_ASKPASS",
          "GIT_PROXY_COMMAND",
          "BROWSER",
        ].map((name) => [name, trap.program]),
      ),
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, ".git/index"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: trap.program,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${trap.program}'`,
      GIT_EXEC_PATH: "/nowhere",
      GIT_TEMPLATE_DIR: "/nowhere",
    };
    const before = await world.git(["for-each-ref"], other);
    const verdicts = await everyday(world, { env });
    expect(verdicts.refused).toEqual([]);
    expect(await trap.sprung()).toBe(false);
    expect(await world.git(["for-each-ref"], other)).toBe(before);
    expect(await world.git(["status", "--porcelain"], other)).toBe("");
  }, 60_000);

  test("programs that lie in the workspace are not found on PATH", async () => {
    const { world, trap } = await lively();
    await using _ = world;
    const folder = join(world.repo, "bin");
    await mkdir(folder);
    for (const name of ["git", "ssh", "cat", "true", "git-upload-pack", "git-remote-https", "sh"]) {
      await writeFile(join(folder, name), `#!/bin/sh\ntouch '${trap.program}.sprung'\n`);
      await chmod(join(folder, name), 0o755);
      await writeFile(join(world.repo, name), `#!/bin/sh\ntouch '${trap.program}.sprung'\n`);
      await chmod(join(world.repo, name), 0o755);
    }
    await everyday(world, { env: { PATH: `.:${folder}:bin:${world.sandbox.env.PATH}` } });
    expect(await Bun.file(`${trap.program}.sprung`).exists()).toBe(false);
  }, 60_000);
});

describe("places: nothing outside of the workspace is shown or changed", () => {
  const SECRET = "hunter2-and-more";

  async function withSecret(): Promise<{ world: GitWorld; secret: string; other: string }> {
    const { world } = await lively();
    const secret = join(world.sandbox.root, "secret.txt");
    await writeFile(secret, `${SECRET}\n`);
    const other = await world.sandbox.repository("someone-else");
    await world.sandbox.commit(other, { [`${SECRET}.txt`]: SECRET }, SECRET);
    return { world, secret, other };
  }

  const rows: readonly (readonly [
    string,
    (world: GitWorld, of: { secret: string; other: string }) => Promise<unknown>,
  ])[] = [
    ["core.worktree", (world, { other }) => world.git(["config", "core.worktree", other])],
    [
      "a .git file",
      async (world, { other }) => {
        await rm(join(world.repo, ".git"), { recursive: true });
        await writeFile(join(world.repo, ".git"), `gitdir: ${other}/.git\n`);
      },
    ],
    [
      "borrowed objects",
      async (world, { other }) => {
        await writeFile(join(world.repo, ".git/objects/info/alternates"), `${other}/.git/objects\n`);
        await writeFile(
          join(world.repo, ".git/refs/heads/stolen"),
          `${await world.git(["rev-parse", "HEAD"], other)}\n`,
        );
      },
    ],
    [
      "objects borrowed around a corner",
      async (world, { other }) => {
        const inner = await world.sandbox.repository("work/inner");
        await writeFile(join(inner, ".git/objects/info/alternates"), `${other}/.git/objects\n`);
        await writeFile(join(world.repo, ".git/objects/info/alternates"), "../../inner/.git/objects\n");
      },
    ],
    ["commondir", (world, { other }) => writeFile(join(world.repo, ".git/commondir"), `${other}/.git\n`)],
  ];
  for (const [what, plant] of rows)
    test(`${what}: refused by name in every command`, async () => {
      const { world, secret, other } = await withSecret();
      await using _ = world;
      await plant(world, { secret, other });
      const verdicts = await everyday(world);
      expect(verdicts.succeeded).toEqual([]);
      expect(verdicts.answered).not.toContain(SECRET);
    }, 60_000);

  test("files that settings name are not shown by messages: blame.ignoreRevsFile, commit.template, fsck lists", async () => {
    const { world, secret } = await withSecret();
    await using _ = world;
    await world.git(["config", "blame.ignoreRevsFile", secret]);
    await world.git(["config", "commit.template", secret]);
    await world.git(["config", "fetch.fsck.skipList", secret]);
    await world.git(["config", "fetch.fsckObjects", "true"]);
    const verdicts = await everyday(world);
    expect(verdicts.refused).toContain("blame");
    expect(verdicts.refused).toContain("fetch");
    expect(verdicts.answered).not.toContain(SECRET);
    expect(await world.git(["log", "--all", "--format=%B"])).not.toContain(SECRET);
  }, 60_000);

  test("init.templateDir brings no hooks into a new repository", async () => {
    const { world } = await lively();
    await using _ = world;
    await mkdir(join(world.repo, "template/hooks"), { recursive: true });
    await writeFile(join(world.repo, "template/hooks/pre-commit"), "#!/bin/sh\n");
    await world.git(["config", "init.templateDir", join(world.repo, "template")]);
    expect((await world.toolkit.gitCommand("init", ["fresh"])).status).toBe("success");
    const made = await readdir(join(world.repo, "fresh/.git"));
    expect(made.includes("hooks") ? await readdir(join(world.repo, "fresh/.git/hooks")) : []).toEqual([]);
  });

  test("a linked worktree, a folder of a larger repository and a submodule are rightful places", async () => {
    const { world } = await lively();
    await using _ = world;
    const linked = join(world.sandbox.root, "linked");
    await world.git(["worktree", "add", "-q", linked, "other"]);
    const other = await world.sandbox.repository("module");
    await world.git(["-c", "protocol.file.allow=always", "submodule", "-q", "add", other, "sub"], linked);
    for (const workspaceRoot of [linked, join(linked, "src"), join(world.repo, "src")]) {
      const toolkit = world.toolkitWith({ workspaceRoot });
      for (const call of [["status"], ["log", "-1"], ["commit", "--allow-empty", "-m", "x"]] as const) {
        const [subcommand, ...args] = call;
        expect(await toolkit.gitCommand(subcommand, args)).toMatchObject({
          status: "success",
          data: { exit_code: 0 },
        });
      }
    }
    const inSub = await world
      .toolkitWith({ workspaceRoot: linked })
      .gitCommand("log", ["-1"], { cwd: "sub" });
    expect(inSub).toMatchObject({ status: "success", data: { exit_code: 0 } });
  });
});
