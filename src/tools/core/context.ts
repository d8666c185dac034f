/** Says on which folder the tools work, and what the owner of that folder lets them do. */
import { realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { z } from "zod";
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

/** What git calls of an agent may bring along beyond git itself; both are off unless told. */
export interface GitExtras {
  /** `run`: the hooks of the repository run, whoever wrote them. */
  readonly hooks?: "off" | "run";
  /** `user`: the credential helper of the user's own configuration is asked when a remote wants to know who it is. */
  readonly credentials?: "off" | "user";
}

/** A git command that would change something, about to be run. */
export interface GitQuestion {
  readonly subcommand: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
}

type Confirm = (question: GitQuestion) => boolean | Promise<boolean>;

/** What the tools take from the machine. */
export interface Host {
  readonly platform: NodeJS.Platform;
  /** The environment of the calling process at this moment, as it is. */
  environment(): Readonly<Record<string, string | undefined>>;
}

/** The sandbox that the calling process works in, where Tazuna made it and said so; the tools make none of their own. */
export function sandboxOf(host: Host): string {
  return host.environment().TAZUNA_SANDBOX || "none";
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
  readonly gitExtras?: GitExtras;
  /** Asked before `git_command` changes anything; without it that is allowed under `workspace-write`. */
  readonly confirm?: Confirm;
}

export interface ToolContext {
  /** Absolute, without symbolic links. */
  readonly workspaceRoot: string;
  readonly writeScope: WriteScope;
  readonly policy: Required<ToolPolicy>;
  readonly git: GitTier;
  readonly gitExtras: Required<GitExtras>;
  readonly confirm: Confirm | null;
  readonly host: Host;
  readonly shared: Shared;
}

const verdict = z.enum(["allow", "deny"]);

/** A misspelt option would be a protection that is not there, so unknown ones are refused. */
const contextOptions = z.strictObject({
  workspaceRoot: z.string().refine(isAbsolute, "must be an absolute path"),
  writeScope: z.enum(["read-only", "workspace-write"]).default("workspace-write"),
  policy: z
    .strictObject({
      defaultPolicy: verdict.default("deny"),
      tools: z.record(z.string(), verdict).default({}),
    })
    .prefault({}),
  git: z.enum(["open", "guarded", "read-only"]).default("open"),
  gitExtras: z
    .strictObject({
      hooks: z.enum(["off", "run"]).default("off"),
      credentials: z.enum(["off", "user"]).default("off"),
    })
    .prefault({}),
  confirm: z.custom<Confirm>((value) => typeof value === "function", "must be a function").optional(),
});

/** Throws a TypeError that names the option, where one is wrong: a context is made by a program, not by an agent. */
export function contextOn(host: Host, options: ToolContextOptions): ToolContext {
  const parsed = contextOptions.safeParse(options);
  if (!parsed.success) throw new TypeError(parsed.error.issues.map(flawOf).join("; "));
  const { workspaceRoot, confirm = null, ...rest } = parsed.data;
  return { ...rest, workspaceRoot: realFolder(workspaceRoot), confirm, host, shared: createShared() };
}

/** The same context with nothing kept yet, where the one before was closed. */
export function reopened(context: ToolContext): ToolContext {
  return { ...context, shared: createShared() };
}

function flawOf({ path, message }: z.core.$ZodIssue): string {
  return `${["options", ...path].join(".")}: ${message}`;
}

/** Whether the owner of the context lets this tool be called. */
export function isAllowed({ policy }: Pick<ToolContext, "policy">, tool: string): boolean {
  const own = Object.hasOwn(policy.tools, tool) ? policy.tools[tool] : undefined;
  return (own ?? policy.defaultPolicy) === "allow";
}

function realFolder(path: string): string {
  const stats = statOrError(path);
  if (stats instanceof Error || !stats.isDirectory()) {
    const cause = stats instanceof Error ? { cause: stats } : {};
    throw new TypeError(`options.workspaceRoot: is not an existing folder: ${path}`, cause);
  }
  return realpathSync(path);
}

/** Missing, unreachable, a circle of links, or no path at all: none of them is a folder. */
function statOrError(path: string): Stats | Error {
  try {
    return statSync(path);
  } catch (cause) {
    return cause as Error;
  }
}
