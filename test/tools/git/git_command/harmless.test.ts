import { describe, expect, test } from "bun:test";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type GitWorld, gitWorld, setTrap, type Trap } from "../git-world.ts";

type Call = readonly [string, ...string[]];

interface Vector {
  readonly what: string;
  plant(world: GitWorld, trap: Trap): Promise<unknown>;
  readonly calls: readonly Call[];
}

async function files(folder: string, content: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(content)) await writeFile(join(folder, name), text);
}

/** Git itself, or what every call is given, keeps them from doing anything: each is let through. */
const VECTORS: readonly Vector[] = [
  {
    what: "a step of a cherry-pick that runs a command",
    plant: async (world, trap) => {
      const head = await world.git(["rev-parse", "HEAD"]);
      const state = { todo: `exec ${trap.program}\n`, head, opts: "" };
      await files(join(world.repo, ".git/sequencer"), state);
    },
    calls: [
      ["cherry-pick", "--continue"],
      ["revert", "--continue"],
      ["commit", "--allow-empty", "-m", "x"],
    ],
  },
  {
    what: "a strategy and a signature in the state of a cherry-pick",
    plant: async (world, trap) => {
      const head = (await world.git(["rev-parse", "HEAD"])).trim();
      const opts = "[options]\n\tstrategy = evil\n\tgpg-sign = x\n";
      await files(join(world.repo, ".git/sequencer"), { todo: `pick ${head} x\n`, head: `${head}\n`, opts });
      await world.git(["config", "gpg.program", trap.program]);
    },
    calls: [["cherry-pick", "--continue"]],
  },
  {
    what: "aliases of subcommands that are programs of their own",
    plant: async (world, trap) => {
      for (const name of ["submodule", "bisect", "stash", "notes", "switch"])
        await world.git(["config", `alias.${name}`, `!${trap.program}`]);
    },
    calls: [
      ["submodule", "status"],
      ["bisect", "start"],
      ["stash", "list"],
      ["switch", "main"],
    ],
  },
  {
    what: "a hook for objects that are recent",
    plant: async (world, trap) => {
      await world.git(["config", "gc.recentObjectsHook", trap.program]);
      await world.git(["config", "gc.auto", "1"]);
      await world.git(["config", "gc.autoDetach", "false"]);
      await world.git(["remote", "add", "origin", await world.sandbox.origin("origin.git")]);
    },
    calls: [
      ["commit", "--allow-empty", "-m", "x"],
      ["fetch", "origin"],
    ],
  },
  {
    what: "a remote that is a program and promises what is missing",
    plant: async (world, trap) => {
      await world.git(["config", "protocol.ext.allow", "always"]);
      await world.git(["config", "remote.o.url", `ext::${trap.program}`]);
      await world.git(["config", "remote.o.promisor", "true"]);
      await world.git(["config", "remote.o.partialclonefilter", "blob:none"]);
      await world.git(["config", "extensions.partialClone", "o"]);
      await world.git(["config", "core.repositoryformatversion", "1"]);
      const blob = (await world.git(["rev-parse", "HEAD:README.md"])).trim();
      await rm(join(world.repo, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    },
    calls: [
      ["log", "-p"],
      ["cat-file", "-p", "HEAD:README.md"],
      ["checkout", "-b", "x"],
    ],
  },
  {
    what: "pagers of single commands, and programs that check signatures",
    plant: async (world, trap) => {
      const keys = [
        "pager.diff",
        "pager.branch",
        "pager.tag",
        "core.pager",
        "gpg.ssh.program",
        "gpg.program",
      ];
      for (const key of keys) await world.git(["config", key, trap.program]);
      await world.git(["config", "log.showSignature", "true"]);
    },
    calls: [["log", "-1"], ["diff"], ["branch"], ["tag"], ["commit", "-S", "--allow-empty", "-m", "x"]],
  },
];

describe("vectors that were tried and do nothing, without being refused", () => {
  for (const { what, plant, calls } of VECTORS)
    test(`${what}: nothing planted runs`, async () => {
      await using world = await gitWorld();
      const trap = await setTrap(join(world.sandbox.root, "traps"));
      await plant(world, trap);
      for (const [subcommand, ...args] of calls)
        expect([subcommand, await world.toolkit.gitCommand(subcommand, args)]).toMatchObject([
          subcommand,
          { status: "success" },
        ]);
      expect(await trap.sprung()).toBe(false);
    });

  test("trace2 targets of a repository: nothing is written there", async () => {
    await using world = await gitWorld();
    const trace = join(world.sandbox.root, "trace");
    for (const key of ["normalTarget", "eventTarget", "perfTarget"])
      await world.git(["config", `trace2.${key}`, trace]);
    await world.toolkit.gitCommand("commit", ["--allow-empty", "-m", "x"]);
    expect(await Bun.file(trace).exists()).toBe(false);
  });

  test("a list of commits without parents makes no branch look merged", async () => {
    await using world = await gitWorld();
    await world.git(["checkout", "-q", "-b", "other"]);
    const commit = await world.sandbox.commit(world.repo, { x: "y" });
    await world.git(["checkout", "-q", "main"]);
    await writeFile(join(world.repo, ".git/shallow"), `${commit}\n`);
    expect(await world.toolkit.gitCommand("branch", ["-d", "other"])).toMatchObject({
      data: { exit_code: 1 },
    });
  });

  test("an index that names a file above the working tree: that file stays", async () => {
    await using world = await gitWorld();
    const outside = join(world.sandbox.root, "outside");
    await writeFile(outside, "mine\n");
    await files(join(world.repo, "xx"), { outside: "mine\n" });
    await world.git(["add", "xx/outside"]);
    const at = join(world.repo, ".git/index");
    const index = await readFile(at);
    index.write("../outside", index.indexOf("xx/outside"));
    const body = index.subarray(0, index.length - 20);
    await writeFile(at, Buffer.concat([body, new Bun.CryptoHasher("sha1").update(body).digest()]));
    await chmod(at, 0o644);
    for (const [subcommand, ...args] of [
      ["reset", "--hard"],
      ["checkout", "-f"],
      ["rm", "-rf", "--cached", "."],
      ["clean", "-fd"],
    ] as const)
      await world.toolkit.gitCommand(subcommand, args, { allow_destructive: true });
    expect(await readFile(outside, "utf8")).toBe("mine\n");
  });
});
