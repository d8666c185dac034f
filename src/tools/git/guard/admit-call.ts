/** Turns the policy's verdict on a git call into an answer: go on, or why not. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitTier, GitVerdict, NamedPaths } from "../../../domain/git-policy/verdict.ts";
import { confinePath } from "../../core/confine-paths.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, deniedBySandbox, failure, type ToolRefusal } from "../../core/result.ts";
import { refuseGitDirectory } from "../../files/git-directory.ts";
import { findRepository, isFlaw } from "../run/find-repository.ts";
import { configSearch } from "../run/inspect-repository.ts";

/** What the policy allows, as far as the context allows it. Nothing was looked at yet but words. */
export function admitCall(
  verdict: GitVerdict,
  {
    context,
    what,
    wayOut,
  }: {
    readonly context: ToolContext;
    readonly what: string;
    /** How the caller lets a destructive call run after all; null where it cannot. */
    readonly wayOut: string | null;
  },
): Result<GitTier, ToolRefusal> {
  const { allowed, code, rule, message, alternative, tier } = verdict;
  if (!allowed || tier === null) {
    const way = code === "DESTRUCTIVE_BLOCKED" ? wayOut : null;
    const words = [message ?? `${what} is not allowed.`, alternative, way]
      .filter((word) => word !== null)
      .join(" ");
    return err(refusalOf(code ?? "SUBCOMMAND_NOT_ALLOWED", words, { rule, alternative }));
  }
  if (tier === "write" && context.writeScope === "read-only")
    return err(readOnly(`${what} could change the repository, and the workspace is read-only here.`));
  if (tier === "write" && context.git === "read-only")
    return err(
      readOnly(`${what} could change the repository, and only Tazuna writes git here: edit the files.`),
    );
  return ok(tier);
}

interface CallPlace {
  readonly context: ToolContext;
  /** What the paths of the call are relative to. */
  readonly cwd: string;
  /** In which git looks for its repository. */
  readonly folder: string;
}

/**
 * Where the files that the call names really lie; the first one outside of the workspace refuses it, or one that is to
 * be made in a folder of git's own: a hook can be moved to its place through a link.
 */
export function confineCall(
  { paths, newPaths, pathsFromTop }: NamedPaths,
  place: CallPlace,
): Result<void, ToolRefusal> {
  const { workspaceRoot } = place.context;
  for (const path of paths) {
    const placed = placeOf(path, place);
    if (placed.isErr()) return err(placed.error);
    const refused = newPaths.includes(path) ? refuseGitDirectory(workspaceRoot, placed.value) : null;
    if (refused !== null) return err(refused);
  }
  return confineFromTop(
    pathsFromTop.filter((path) => !isAbsolute(path)),
    place,
  );
}

function placeOf(path: string, { context, cwd }: Pick<CallPlace, "context" | "cwd">) {
  // Joined by hand: `out/../x` is followed through the link `out`, not shortened first.
  const rule = { argument: "args", must: "stay-inside", absolute: "inside" } as const;
  return confinePath(context.workspaceRoot, rule, isAbsolute(path) ? path : `${cwd}/${path}`);
}

/** The second reading of a path, where the workspace is a folder of a larger repository. A bare word that is nothing there is the name of a remote. */
function confineFromTop(paths: readonly string[], { context, folder }: CallPlace): Result<void, ToolRefusal> {
  if (paths.length === 0) return ok(undefined);
  const found = findRepository(folder, configSearch(context).files);
  // One with a flaw is refused before git runs.
  if (found === null || isFlaw(found)) return ok(undefined);
  const top = found.topLevel;
  for (const path of paths) {
    const isBareWord = !path.includes("/") && path !== "..";
    if (isBareWord && !existsSync(`${top}/${path}`)) continue;
    if (placeOf(path, { context, cwd: top }).isErr()) return err(readFromTop(path, top));
  }
  return ok(undefined);
}

function readFromTop(path: string, top: string): ToolRefusal {
  const message = `args: git takes ${path} relative to ${top}, where it is outside of the workspace. Give an absolute path.`;
  return deniedBySandbox("OUTSIDE_WORKSPACE", message, { details: { argument: "args" } });
}

function refusalOf(
  code: NonNullable<GitVerdict["code"]>,
  message: string,
  details: Readonly<Record<string, unknown>>,
): ToolRefusal {
  if (code === "INVALID_ARGUMENT") return failure(code, message, { details });
  return code === "OUTSIDE_WORKSPACE"
    ? deniedBySandbox(code, message, { details })
    : deniedByPolicy(code, message, { details });
}

function readOnly(message: string): ToolRefusal {
  return deniedByPolicy("READ_ONLY", message);
}
