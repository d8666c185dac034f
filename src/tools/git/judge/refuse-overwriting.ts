/** Refuses a call that would write over files which are ignored here and tracked in what the call brings. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { incomingOf } from "../../../domain/git-policy/judge/incoming.ts";
import { bareCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { deniedByPolicy, type ToolRefusal } from "../../core/result.ts";
import type { ExecCommandOutput } from "../../exec/exec_command/types.ts";
import { safeWords } from "../hardening/safety-flags.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import { filesOf } from "../repository/index-gitlinks.ts";
import { indexPaths } from "../repository/index-paths.ts";
import type { Inspected } from "../repository/inspect-repository.ts";
import { nameOf } from "../repository/parse-config.ts";
import { type Asking, askGit, runGit } from "../repository/run-git.ts";
import { type Brought, pathsBrought } from "./brought-paths.ts";

interface Place extends Asking {
  /** Null if there is no repository. */
  readonly repository: Inspected | null;
}

/**
 * Null if the call may run. A pull fetches first, because what it brings is unknown before; if that fails, this is
 * git's answer. Nothing else is changed.
 */
export async function refuseOverwriting(
  { subcommand, call, allowDestructive }: Pick<CallNature, "subcommand" | "call" | "allowDestructive">,
  { repository, ...asking }: Place,
): Promise<Result<ExecCommandOutput | null, ToolRefusal>> {
  const incoming = allowDestructive || repository === null ? null : incomingOf(call);
  if (incoming === null || repository === null) return ok(null);
  const { topLevel } = repository;
  if (incoming.kind === "pull") {
    const words = safeWords(bareCall("fetch"), incoming.fetch);
    const fetched = await runGit(words, { ...asking, network: true, maxChars: MAX_OUTPUT_CHARS });
    if (fetched.isErr()) return err(unforeseen(subcommand, topLevel));
    if (fetched.value.exit_code !== 0) return ok(fetched.value);
  }
  const brought = await pathsBrought(incoming, { ask: askGit(asking), gitDir: repository.gitDir });
  if (brought === null) return err(unforeseen(subcommand, topLevel));
  const [first, ...others] = brought.size === 0 ? [] : inTheWay(brought, workingTree(asking, repository));
  if (first === undefined) return ok(null);
  const shown = [first, ...others].slice(0, MAX_SHOWN).join(", ");
  const more = others.length < MAX_SHOWN ? "" : ` and ${others.length + 1 - MAX_SHOWN} more`;
  const message = `git ${subcommand} would write over what git does not keep: ${shown}${more}. Move it away first.`;
  return err(losing(message, join(topLevel, first)));
}

const MAX_SHOWN = 5;
/** UTF-16 units of each stream. */
const MAX_OUTPUT_CHARS = 200_000;

function unforeseen(subcommand: string, topLevel: string): ToolRefusal {
  return losing(`What git ${subcommand} would write over could not be found out.`, topLevel);
}

function losing(message: string, at: string): ToolRefusal {
  return deniedByPolicy("DESTRUCTIVE_BLOCKED", message, { details: { at } });
}

type Kind = "nothing" | "folder" | "other";

interface WorkingTree {
  /** Whether the index holds a file of that path. */
  isTracked(path: string): boolean;
  kindOf(path: string): Kind;
  /** The first file below a folder that is in no index. */
  untrackedIn(folder: string): string | null;
}

/** Each once. Git itself protects the files of the index. */
function inTheWay(brought: Brought, tree: WorkingTree): readonly string[] {
  const found = [...brought].flatMap(([path, kind]) => standing(path, kind, tree) ?? []);
  return [...new Set(found)];
}

function standing(path: string, brought: "file" | "repository", tree: WorkingTree): string | null {
  // A name that is not UTF-8 cannot be looked up.
  if (path.includes("\u{fffd}")) return path;
  if (tree.isTracked(path)) return null;
  const parts = path.split("/");
  for (const length of parts.keys()) {
    const at = parts.slice(0, length + 1).join("/");
    const kind = tree.kindOf(at);
    if (kind === "nothing") return null;
    if (kind === "other") return tree.isTracked(at) ? null : at;
  }
  return brought === "repository" ? null : tree.untrackedIn(path);
}

function workingTree({ cwd, context }: Asking, { topLevel, entries }: Inspected): WorkingTree {
  // If names differ only by case, the file system may take them for one.
  const folds = entries.some((entry) => nameOf(entry) === "core.ignorecase" && entry.value === "true");
  const fold = (path: string) => (folds ? path.toLowerCase() : path);
  const tracked = new Set([...(indexPaths(cwd, context, filesOf)?.paths ?? [])].map(fold));
  const isTracked = (path: string) => tracked.has(fold(path));
  const known = new Map<string, Kind>();
  const kindOf = (path: string): Kind => {
    const kind = known.get(path) ?? kindAt(join(topLevel, path));
    known.set(path, kind);
    return kind;
  };
  const untrackedIn = (folder: string): string | null => {
    for (const entry of readdirSync(join(topLevel, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      const found = entry.isDirectory() ? untrackedIn(path) : isTracked(path) ? null : path;
      if (found !== null) return found;
    }
    return null;
  };
  return { isTracked, kindOf, untrackedIn };
}

function kindAt(path: string): Kind {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "nothing";
    return stats.isDirectory() ? "folder" : "other";
  } catch (error) {
    // A path that is too long cannot exist. A path that may not be examined may exist.
    return (error as NodeJS.ErrnoException).code === "ENAMETOOLONG" ? "nothing" : "other";
  }
}
