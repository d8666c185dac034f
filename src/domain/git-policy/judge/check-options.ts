/** Reads the options of a program that has a git call judged; a wrong option is answered as a finding. */
import { err, ok, type Result } from "neverthrow";
import { type Finding, never } from "../verdicts/verdict.ts";

export interface CheckGitOptions {
  /** Absolute. Paths are judged against it by their spelling. The program that runs the command resolves links. */
  readonly workspaceRoot: string;
  /** The folder of the call, absolute or relative to the root. Default: the root. */
  readonly cwd?: string;
  /**
   * Submodules, files in conflict and files that git assumes unchanged, relative to the root. `git ls-files -sv` shows
   * them with mode 160000, a stage above 0, a small letter, or S. `git rm` deletes them with content that exists only
   * there. So a call that may select one is destructive. Default: none.
   */
  readonly unguarded?: readonly string[];
  /**
   * Names of configured remotes and groups. Needed for names that look like a path, such as `team/x`. Default: none.
   */
  readonly remotes?: readonly string[];
  /** Absolute paths of repositories on this machine that a call may name by path. Default: none. */
  readonly localRepositories?: readonly string[];
  /** Default: false. It allows only what `DESTRUCTIVE_BLOCKED` refuses. */
  readonly allowDestructive?: boolean;
}

const LISTS = ["unguarded", "remotes", "localRepositories"] as const;

/** The options with all defaults. Inherited properties do not count. */
export function readOptions(given: unknown): Result<Required<CheckGitOptions>, Finding> {
  const own: Record<string, unknown> = Object.assign(Object.create(null), given);
  const { workspaceRoot, cwd = workspaceRoot, allowDestructive = false } = own;
  if (typeof workspaceRoot !== "string") return wrong("workspaceRoot", "must be an absolute path");
  if (typeof cwd !== "string") return wrong("cwd", "must be a path");
  if (typeof allowDestructive !== "boolean") return wrong("allowDestructive", "must be true or false");
  const lists = LISTS.map((name) => [name, own[name] ?? []] as const);
  for (const [name, list] of lists) if (!isTexts(list)) return wrong(name, "must be a list of strings");
  const facts = Object.fromEntries(lists) as Record<(typeof LISTS)[number], readonly string[]>;
  return ok({ ...facts, workspaceRoot, cwd, allowDestructive });
}

/** Every element is checked, missing ones included. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && Array.from(value).every((one) => typeof one === "string");
}

function wrong(option: string, because: string): Result<never, Finding> {
  return err(never(`options.${option}`, { rule: "options.invalid", because }, "INVALID_ARGUMENT"));
}
