/** Says on which folder the tools work, and what the owner of that folder lets them do. */
import { realpathSync, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { createShared, type Shared } from "./kept-things.ts";

/** `read-only` refuses every command and every write. */
export type WriteScope = "read-only" | "workspace-write";

export interface ToolPolicy {
  /** What holds for a tool that is not named; `deny` unless told. */
  readonly defaultPolicy?: "allow" | "deny";
  readonly tools?: Readonly<Record<string, "allow" | "deny">>;
}

/**
 * How git is held. `open`: `git_command` is judged, `exec_command` runs anything. `guarded`: a call of git through
 * `exec_command` is judged by the same check. `read-only`: guarded, and only git's reading commands pass (attempts).
 */
export type GitTier = "open" | "guarded" | "read-only";

/** A git command that would change something, about to be run. */
export interface GitQuestion {
  readonly subcommand: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
}

/** What the tools take from the machine. */
export interface Host {
  readonly platform: NodeJS.Platform;
  /** The environment of the calling process at this moment, as it is. */
  environment(): Readonly<Record<string, string | undefined>>;
}

export interface ToolContextOptions {
  /** Absolute; an existing folder. Nothing outside of it is read or written by a tool's own hand. */
  readonly workspaceRoot: string;
  /** Default `workspace-write`. */
  readonly writeScope?: WriteScope;
  /** Without one, every tool is denied. */
  readonly policy?: ToolPolicy;
  /** Default `open`. */
  readonly git?: GitTier;
  /** Asked before `git_command` changes anything; without it that is allowed under `workspace-write`. */
  readonly confirm?: (question: GitQuestion) => boolean | Promise<boolean>;
}

export interface ToolContext {
  /** Absolute, without symbolic links. */
  readonly workspaceRoot: string;
  readonly writeScope: WriteScope;
  readonly policy: Required<ToolPolicy>;
  readonly git: GitTier;
  readonly confirm: ((question: GitQuestion) => boolean | Promise<boolean>) | null;
  readonly host: Host;
  readonly shared: Shared;
}

/** Throws a TypeError that names the option, where one is wrong: a context is made by a program, not by an agent. */
export function contextOn(host: Host, options: ToolContextOptions): ToolContext {
  const {
    workspaceRoot,
    writeScope = "workspace-write",
    policy = {},
    git = "open",
    confirm = null,
  } = options;
  const oneOf = (name: string, value: string, allowed: readonly string[]) => {
    if (!allowed.includes(value)) throw new TypeError(`${name} must be one of ${allowed.join(", ")}`);
  };
  oneOf("writeScope", writeScope, ["read-only", "workspace-write"]);
  oneOf("git", git, ["open", "guarded", "read-only"]);
  const { defaultPolicy = "deny", tools = {} } = policy;
  oneOf("policy.defaultPolicy", defaultPolicy, ["allow", "deny"]);
  for (const [name, value] of Object.entries(tools)) oneOf(`policy.tools.${name}`, value, ["allow", "deny"]);
  return {
    workspaceRoot: realFolder(workspaceRoot),
    writeScope,
    policy: { defaultPolicy, tools: { ...tools } },
    git,
    confirm,
    host,
    shared: createShared(),
  };
}

/** Whether the owner of the context lets this tool be called. */
export function isAllowed({ policy }: Pick<ToolContext, "policy">, tool: string): boolean {
  const own = Object.hasOwn(policy.tools, tool) ? policy.tools[tool] : undefined;
  return (own ?? policy.defaultPolicy) === "allow";
}

function realFolder(path: string): string {
  if (typeof path !== "string" || !isAbsolute(path))
    throw new TypeError("workspaceRoot must be an absolute path");
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) throw new TypeError(`workspaceRoot is not an existing folder: ${path}`);
  return realpathSync(path);
}
