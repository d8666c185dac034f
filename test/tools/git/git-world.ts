/** Makes a workspace with real git, a toolkit on it, and traps that show if a planted program ran. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contextOn, type ToolContextOptions } from "../../../src/tools/core/context.ts";
import { type AgentToolkit, createAgentToolkit } from "../../../src/tools/toolkit/create-agent-toolkit.ts";
import { type GitSandbox, gitSandbox } from "../../helpers/git-repo.ts";

export interface GitWorld extends AsyncDisposable {
  readonly sandbox: GitSandbox;
  /** A repository with one commit, which is the workspace too. */
  readonly repo: string;
  readonly toolkit: AgentToolkit;
  /** Another toolkit, on this workspace or another one. */
  toolkitWith(options?: Partial<ToolContextOptions> & { readonly env?: Env }): AgentToolkit;
  git(args: readonly string[], cwd?: string): Promise<string>;
}

type Env = Readonly<Record<string, string>>;

export async function gitWorld(): Promise<GitWorld> {
  const sandbox = await gitSandbox();
  return worldOf(sandbox, await sandbox.repository("work"));
}

/** The world of a repository that is there already. */
export function worldOf(sandbox: GitSandbox, repo: string): GitWorld {
  const toolkitWith: GitWorld["toolkitWith"] = ({ env = {}, ...options } = {}) => {
    const host = { platform: process.platform, environment: () => ({ ...sandbox.env, ...env }) };
    const allowed = { workspaceRoot: repo, policy: { defaultPolicy: "allow" as const } };
    return createAgentToolkit(contextOn(host, { ...allowed, ...options }));
  };
  return {
    sandbox,
    repo,
    toolkit: toolkitWith(),
    toolkitWith,
    git: (args, cwd = repo) => sandbox.git(cwd, args),
    [Symbol.asyncDispose]: sandbox[Symbol.asyncDispose],
  };
}

/** What git itself prints, byte for byte, as text. */
export async function rawGit(
  world: GitWorld,
  args: readonly string[],
  cwd: string = world.repo,
): Promise<string> {
  const child = Bun.spawn(["git", ...args], {
    cwd,
    env: { ...world.sandbox.env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  return new Response(child.stdout).text();
}

/** A `git` that notes each call before it is the real one: its folder goes first on PATH. */
export async function countingGit(world: GitWorld): Promise<{
  readonly env: Env;
  /** Where it lies, absolute. */
  readonly folder: string;
  /** The arguments of each call so far, in order. */
  calls(): Promise<readonly (readonly string[])[]>;
}> {
  const folder = join(world.sandbox.root, "counting");
  const log = join(folder, "log");
  await mkdir(folder);
  const real = Bun.which("git");
  // One write a call, because calls run beside each other.
  const script = `#!/bin/sh\nline=$(printf '%s\\037' "$@")\nprintf '%s\\n' "$line" >>'${log}'\nexec '${real}' "$@"\n`;
  await writeFile(join(folder, "git"), script);
  await chmod(join(folder, "git"), 0o755);
  return {
    folder,
    env: { PATH: `${folder}:${world.sandbox.env.PATH}` },
    calls: async () => {
      const text = await readFile(log, "utf8").catch(() => "");
      const lines = text.split("\n").slice(0, -1);
      return lines.map((line) => line.split("\u001f").slice(0, -1));
    },
  };
}

/** A program that leaves a mark when it is run, and passes its input on. */
export interface Trap {
  /** Absolute path of the program. */
  readonly program: string;
  sprung(): Promise<boolean>;
}

export async function setTrap(folder: string, name = "trap"): Promise<Trap> {
  await mkdir(folder, { recursive: true });
  const program = join(folder, `${name}.sh`);
  const mark = join(folder, `${name}.sprung`);
  await writeFile(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  await chmod(program, 0o755);
  return { program, sprung: () => Bun.file(mark).exists() };
}
