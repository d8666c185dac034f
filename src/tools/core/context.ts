/** Says on which folder the tools work, and what the owner of that folder lets them do. */
import { realpathSync, type Stats, statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { isInside } from "../../utils/paths/path-spelling.ts";
import { ownProperties } from "../../utils/values/own-properties.ts";
import { frozen } from "./freeze.ts";
import { createShared, type Shared } from "./kept-things.ts";
import { flawOf, unknownTool } from "./misspelt.ts";

/** `read-only` refuses every command and every write. */
export type WriteScope = "read-only" | "workspace-write";

export interface ToolPolicy {
  /** Applies to a tool that is not named. Default: `deny`. */
  readonly defaultPolicy?: "allow" | "deny";
  readonly tools?: Readonly<Record<string, "allow" | "deny">>;
}

/**
 * How git is restricted. `open`: `git_command` is judged, `exec_command` runs anything. `guarded`: a call of git
 * through `exec_command` is judged by the same check. `read-only`: as `guarded`, and only git's reading commands
 * pass (attempts).
 */
export type GitTier = "open" | "guarded" | "read-only";

/** What an agent's git calls may use beyond git itself. Both are off by default. */
export interface GitExtras {
  /** `run`: the hooks of the repository run, no matter who wrote them. */
  readonly hooks?: "off" | "run";
  /** `user`: if a remote wants a login, the credential helper of the user's own configuration is asked. */
  readonly credentials?: "off" | "user";
}

/** A git command that would change something and is about to run. */
export interface GitQuestion {
  readonly subcommand: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
}

type Confirm = (question: GitQuestion) => boolean | Promise<boolean>;

/** What an agent wants to know from the person behind it. */
export interface PersonQuestion {
  readonly question: string;
  /** Answers to choose from; no two labels are the same. */
  readonly options: readonly { readonly label: string; readonly description: string | null }[];
  /** Whether an answer in own words is wanted too. */
  readonly allowText: boolean;
}

export type PersonAnswer =
  | { readonly kind: "option"; readonly label: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "declined"; readonly words: string | null }
  /** The question is not open any more; the reason is a sentence. */
  | { readonly kind: "withdrawn"; readonly reason: string };

/** Waits for the answer as long as it takes. An aborted signal takes the question back. */
export type AskPerson = (
  question: PersonQuestion,
  options: { readonly signal: AbortSignal | undefined },
) => Promise<PersonAnswer>;

/** What the tools use of the machine. */
export interface Host {
  readonly platform: NodeJS.Platform;
  /** The environment of the calling process as it is now. */
  environment(): Readonly<Record<string, string | undefined>>;
}

/** The sandbox of the calling process, if Tazuna made it and said so. The tools make no sandbox themselves. */
export function sandboxOf(host: Host): string {
  return host.environment().TAZUNA_SANDBOX || "none";
}

export interface ToolContextOptions {
  /** Absolute; an existing folder. A tool itself reads and writes nothing outside of it. */
  readonly workspaceRoot: string;
  /** Default `workspace-write`. */
  readonly writeScope?: WriteScope;
  /** Without a policy, every tool is denied. It may name tools that exist, and `ownTools`. */
  readonly policy?: ToolPolicy;
  /** Names of the caller's own tools that the policy may also name. */
  readonly ownTools?: readonly string[];
  /** Default `open`. */
  readonly git?: GitTier;
  readonly gitExtras?: GitExtras;
  /**
   * Repositories on this machine that git calls may name by path. Each path is absolute and exists. No such folder
   * may hold the workspace. A file of such a repository may point to another repository. If tools can write that
   * file, grant the other repository too.
   */
  readonly localRepositories?: readonly string[];
  /** Asked before `git_command` changes anything. Without it, changes are allowed under `workspace-write`. */
  readonly confirm?: Confirm;
  /** Asks the person behind the agent. Without it, `ask_person` is not offered. */
  readonly askPerson?: AskPerson;
}

export interface ToolContext {
  /** Absolute, without symbolic links. */
  readonly workspaceRoot: string;
  readonly writeScope: WriteScope;
  readonly policy: Required<ToolPolicy>;
  readonly git: GitTier;
  readonly gitExtras: Required<GitExtras>;
  /** Both as given and as real paths; absolute. */
  readonly localRepositories: readonly string[];
  readonly confirm: Confirm | null;
  readonly askPerson: AskPerson | null;
  readonly host: Host;
  readonly shared: Shared;
}

/** Without a prototype, because the check for unknown keys sees inherited keys too. */
const NOTHING = () => Object.create(null);

const verdict = z.enum(["allow", "deny"]);

/** What the owner of a workspace allows. */
export const toolPolicy = z.strictObject({
  defaultPolicy: verdict.default("deny"),
  tools: z.record(z.string(), verdict).default({}),
});

/** A misspelt option would be a missing protection, so unknown options are refused. */
const contextOptions = z.strictObject({
  workspaceRoot: z.string().refine(isAbsolute, "must be an absolute path"),
  writeScope: z.enum(["read-only", "workspace-write"]).default("workspace-write"),
  policy: toolPolicy.prefault(NOTHING),
  ownTools: z.array(z.string()).default([]),
  git: z.enum(["open", "guarded", "read-only"]).default("open"),
  gitExtras: z
    .strictObject({
      hooks: z.enum(["off", "run"]).default("off"),
      credentials: z.enum(["off", "user"]).default("off"),
    })
    .prefault(NOTHING),
  localRepositories: z.array(z.string().refine(isAbsolute, "must be an absolute path")).default([]),
  confirm: z.custom<Confirm>((value) => typeof value === "function", "must be a function").optional(),
  askPerson: z.custom<AskPerson>((value) => typeof value === "function", "must be a function").optional(),
});

/**
 * Throws a TypeError that names a wrong option: a context is made by a program, not by an agent. `catalog`: the
 * tools that a policy may name beside `ownTools`; null if the caller has checked the names.
 */
export function contextOn(
  host: Host,
  options: ToolContextOptions,
  catalog: readonly string[] | null = null,
): ToolContext {
  const parsed = contextOptions.safeParse(ownProperties(options));
  if (!parsed.success) throw new TypeError(parsed.error.issues.map(wrongOption).join("; "));
  const given = ownProperties(parsed.data);
  const { workspaceRoot, confirm = null, askPerson = null, policy, gitExtras, ownTools, ...rest } = given;
  const root = realFolder(workspaceRoot);
  const localRepositories = rest.localRepositories.flatMap((path, at) => grantOf(path, at, root));
  const unknown = catalog && unknownTool(policy.tools, [...catalog, ...ownTools]);
  if (unknown !== null) throw new TypeError(`options.policy: ${unknown}`);
  return Object.freeze({
    ...rest,
    workspaceRoot: root,
    localRepositories: Object.freeze(localRepositories),
    policy: frozen(policy),
    gitExtras: frozen(gitExtras),
    confirm,
    askPerson,
    host,
    shared: createShared(),
  });
}

/** The same context with no shared things yet, for use after the first one was closed. */
export function reopened(context: ToolContext): ToolContext {
  return Object.freeze({ ...context, shared: createShared() });
}

function wrongOption(issue: z.core.$ZodIssue): string {
  return flawOf(contextOptions, issue, "options");
}

/** Whether the owner of the context lets this tool be called. */
export function isAllowed({ policy }: Pick<ToolContext, "policy">, tool: string): boolean {
  const rule = Object.hasOwn(policy.tools, tool) ? policy.tools[tool] : undefined;
  return (rule ?? policy.defaultPolicy) === "allow";
}

function realFolder(path: string): string {
  const stats = statOrError(path);
  if (stats instanceof Error || !stats.isDirectory()) {
    const cause = stats instanceof Error ? { cause: stats } : {};
    throw new TypeError(`options.workspaceRoot: is not an existing folder: ${path}`, cause);
  }
  return realpathSync(path);
}

/** To grant the workspace, or a folder that holds it, would grant what the tools write. */
function grantOf(path: string, at: number, workspaceRoot: string): readonly string[] {
  const name = `options.localRepositories.${at}`;
  if (statOrError(path) instanceof Error) throw new TypeError(`${name}: does not exist: ${path}`);
  const real = realpathSync(path);
  if (isInside(real, workspaceRoot, process.platform))
    throw new TypeError(`${name}: holds the workspace: ${path}`);
  return [...new Set([path, real])];
}

/** An error if the path is missing, unreachable, a circle of links, or not a path. */
function statOrError(path: string): Stats | Error {
  try {
    return statSync(path);
  } catch (cause) {
    return cause as Error;
  }
}
