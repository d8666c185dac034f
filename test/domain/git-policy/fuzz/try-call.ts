/** Runs an allowed call as the tool would, on a copy of a world, and says what was lost. */
import { isAbsolute, join } from "node:path";
import { judgeGitCommand } from "../../../../src/domain/git-policy/judge/check-git-command.ts";
import type { GitCall } from "../../../../src/domain/git-policy/parse/parse-call.ts";
import type { GitVerdict } from "../../../../src/lib.ts";
import { contextOn } from "../../../../src/tools/core/context.ts";
import { safeWords } from "../../../../src/tools/git/hardening/safety-flags.ts";
import { refuseOverwriting } from "../../../../src/tools/git/judge/refuse-overwriting.ts";
import { inspectRepository } from "../../../../src/tools/git/repository/inspect-repository.ts";
import { realPathInside } from "../../../../src/utils/paths/safe-path.ts";
import { ROOT } from "./calls.ts";
import { type CallFacts, lossesOf, type Snapshot, snapshot } from "./losses.ts";
import { type Mood, SECRET, type World, type Worlds, worldEnvironment } from "./worlds.ts";

export interface Tried {
  /** Null if the policy refused it. */
  readonly exitCode: number | null;
  readonly losses: readonly string[];
}

interface Ready {
  readonly world: World;
  readonly before: Snapshot;
}

interface Run extends Ready, Pick<GitVerdict, "tier" | "network"> {
  readonly mood: Mood;
}

/** What the tool finds out about the index. */
const UNGUARDED: Readonly<Record<Mood, readonly string[]>> = {
  dirty: ["lib"],
  clean: ["lib"],
  merging: ["lib", "src/app.txt"],
  rebasing: ["lib", "src/app.txt"],
  bisecting: ["lib"],
};

const VARIABLES = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_PAGER: "cat",
};

/** What a caller of git must fix for the policy to hold: no hooks, no helpers, no `ext::`. */
function configuration(network: boolean): Record<string, string> {
  const pairs = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "diff.external": "",
    "protocol.allow": "never",
    "protocol.file.allow": network ? "always" : "never",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "clean.requireForce": "true",
    "gpg.program": "false",
  };
  const numbered = Object.entries(pairs).flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(Object.keys(pairs).length), ...Object.fromEntries(numbered) };
}

const REFUSED: Tried = { exitCode: null, losses: [] };
const TIME_LIMIT_MS = 20_000;

/** Tries calls one after the other; a world that is as it was is used again. */
export class Tryer implements AsyncDisposable {
  private readonly ready = new Map<Mood, Ready>();
  private readonly worlds: Worlds;

  constructor(worlds: Worlds) {
    this.worlds = worlds;
  }

  /** Runs the call if the policy and the tool's look at its paths allow it. */
  async try(mood: Mood, words: readonly string[]): Promise<Tried> {
    const { world, before } = await this.worldOf(mood);
    const [subcommand = "", ...args] = words.map((word) => word.replaceAll(ROOT, world.root));
    const { verdict, call } = judgeGitCommand(subcommand, args, {
      workspaceRoot: world.workspace,
      unguarded: UNGUARDED[mood],
    });
    if (!verdict.allowed || !(await staysInside(world.workspace, verdict.paths))) return REFUSED;
    const run = { mood, world, before, tier: verdict.tier, network: verdict.network };
    // A pull was fetched for, and that is a call too.
    if (await writesOver(world, subcommand, call)) return this.run(run, null);
    return this.run(run, safeWords(call, args));
  }

  /** Runs the call as it is, without the fixed settings. */
  async tryAnyway(mood: Mood, argv: readonly string[]): Promise<Tried> {
    const tier = /^(log|show|diff)$/.test(argv[0] ?? "") ? "read" : "write";
    return this.run({ mood, ...(await this.worldOf(mood)), tier, network: true }, argv);
  }

  /** Without words only what was lost before is looked for. */
  private async run(
    { mood, world, before, tier, network }: Run,
    argv: readonly string[] | null,
  ): Promise<Tried> {
    const [subcommand, ...args] = argv ?? [];
    const facts: CallFacts = {
      tier,
      pushes: subcommand === "push",
      takesFromStash: subcommand === "stash" && /^(pop|branch)$/.test(args[0] ?? ""),
      writesOverIgnored: ["bisect", "am", "submodule"].includes(subcommand ?? ""),
    };
    const { exitCode, output } =
      argv === null ? { exitCode: null, output: "" } : await runGit(world, argv, network);
    const losses = [...(await lossesOf(world, before, facts))];
    if (output.includes(SECRET)) losses.push("the secret outside was shown");
    if (tier !== "read" || losses.length > 0) {
      this.ready.delete(mood);
      await world[Symbol.asyncDispose]();
    }
    return { exitCode, losses };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { world } of this.ready.values()) await world[Symbol.asyncDispose]();
    await this.worlds[Symbol.asyncDispose]();
  }

  private async worldOf(mood: Mood): Promise<Ready> {
    const known = this.ready.get(mood);
    if (known !== undefined) return known;
    const world = await this.worlds.copy(mood);
    const made = { world, before: await snapshot(world) };
    this.ready.set(mood, made);
    return made;
  }
}

/** What the tool does beside the policy: it resolves the paths that the verdict names. */
async function staysInside(workspace: string, paths: readonly string[]): Promise<boolean> {
  const placed = await Promise.all(
    paths.map((path) =>
      realPathInside(workspace, isAbsolute(path) ? path : join(workspace, path), { missing: "allow" }),
    ),
  );
  return placed.every(({ ok }) => ok);
}

/** The look at what is in the way, as the tool takes it. */
async function writesOver(world: World, subcommand: string, call: GitCall): Promise<boolean> {
  const { workspace } = world;
  const variables = environmentOf(world, true);
  const host = { platform: process.platform, environment: () => variables };
  const context = contextOn(host, { workspaceRoot: workspace });
  const inspected = inspectRepository(workspace, { context, alternates: "ignored" });
  const repository = inspected.isOk() ? inspected.value : null;
  if (repository === null) throw new Error(`${workspace} is no repository that can be looked at.`);
  const place = { context, cwd: workspace, env: variables, repository };
  const stopped = await refuseOverwriting({ subcommand, call, allowDestructive: false }, place);
  return stopped.isErr() || stopped.value !== null;
}

function environmentOf(world: World, network: boolean): Record<string, string> {
  return { ...worldEnvironment(world.root), ...VARIABLES, ...configuration(network) };
}

async function runGit(world: World, argv: readonly string[], network: boolean) {
  const child = Bun.spawn(["git", ...argv], {
    cwd: world.workspace,
    env: environmentOf(world, network),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: TIME_LIMIT_MS,
  });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, output: stdout + stderr };
}
