/** Runs a call that the policy allows as the tool would, on a copy of a world, and says what was lost. */
import { isAbsolute, join } from "node:path";
import { checkGitCommand } from "../../../../src/lib.ts";
import { guardedEnvironment } from "../../../../src/tools/git/run/git-environment.ts";
import { withSafetyFlags } from "../../../../src/tools/git/run/safety-flags.ts";
import { realPathInside } from "../../../../src/utils/safe-path.ts";
import { ROOT } from "./calls.ts";
import { type CallFacts, lossesOf, type Snapshot, snapshot } from "./losses.ts";
import { type Mood, SECRET, type World, type Worlds, worldEnvironment } from "./worlds.ts";

export interface Tried {
  /** Null where the policy refused it. */
  readonly exitCode: number | null;
  readonly losses: readonly string[];
}

const REFUSED: Tried = { exitCode: null, losses: [] };
const TIME_LIMIT_MS = 20_000;

/** Tries calls one after the other; a world that is as it was is used again. */
export class Tryer implements AsyncDisposable {
  private readonly ready = new Map<Mood, { readonly world: World; readonly before: Snapshot }>();
  private readonly worlds: Worlds;

  constructor(worlds: Worlds) {
    this.worlds = worlds;
  }

  async try(mood: Mood, words: readonly string[]): Promise<Tried> {
    const { world, before } = this.ready.get(mood) ?? (await this.prepare(mood));
    const [subcommand = "", ...args] = words.map((word) => word.replaceAll(ROOT, world.root));
    const verdict = checkGitCommand(subcommand, args, { workspaceRoot: world.workspace });
    if (!verdict.allowed || !(await staysInside(world.workspace, verdict.paths))) return REFUSED;
    const facts: CallFacts = {
      tier: verdict.tier,
      pushes: subcommand === "push",
      takesFromStash: subcommand === "stash" && /^(pop|branch)$/.test(args[0] ?? ""),
    };
    const { exitCode, output } = await runGit(
      world,
      [subcommand, ...withSafetyFlags(subcommand, args)],
      verdict.network,
    );
    const losses = [...(await lossesOf(world, before, facts))];
    if (output.includes(SECRET)) losses.push("the secret outside was shown");
    if (verdict.tier !== "read" || losses.length > 0) {
      this.ready.delete(mood);
      await world[Symbol.asyncDispose]();
    }
    return { exitCode, losses };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { world } of this.ready.values()) await world[Symbol.asyncDispose]();
    await this.worlds[Symbol.asyncDispose]();
  }

  private async prepare(mood: Mood) {
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

async function runGit(world: World, argv: readonly string[], network: boolean) {
  const env = guardedEnvironment({
    workspaceRoot: world.workspace,
    inherited: worldEnvironment(world.root),
    network,
    ceiling: world.root,
    config: {},
  });
  const defined = Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const child = Bun.spawn(["git", ...argv], {
    cwd: world.workspace,
    env: defined,
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
