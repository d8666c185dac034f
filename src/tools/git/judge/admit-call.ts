/** Turns the policy's verdict on a git call into an answer: run it, or why not. */
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitTier, GitVerdict, NamedPaths } from "../../../domain/git-policy/verdicts/verdict.ts";
import { placeFrom } from "../../../utils/paths/pointer-files.ts";
import { namesIn } from "../../../utils/paths/read-what-is-there.ts";
import { confinePath } from "../../core/confine-paths.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, deniedBySandbox, failure, type ToolRefusal } from "../../core/result.ts";
import { refuseGitDirectory } from "../../files/git-directory.ts";
import { findRepository, isFlaw } from "../repository/find-repository.ts";
import { configSearch } from "../repository/inspect-repository.ts";

/** Allows what both the policy and the context allow. So far only the words of the call were checked. */
export function admitCall(
  verdict: GitVerdict,
  {
    context,
    what,
    wayOut,
  }: {
    readonly context: ToolContext;
    readonly what: string;
    /** How the caller can run a destructive call anyway; null if it cannot. */
    readonly wayOut: string | null;
  },
): Result<GitTier, ToolRefusal> {
  const { allowed, code, rule, message, alternative, tier } = verdict;
  const isDestructive = verdict.verdict === "destructive";
  const readOnly = isDestructive || (allowed && tier === "write") ? refusedWriting(what, context) : null;
  if (readOnly !== null) return err(readOnly);
  if (!allowed || tier === null) {
    const way = code === "DESTRUCTIVE_BLOCKED" ? wayOut : null;
    const words = [message ?? `${what} is not allowed.`, alternative, way]
      .filter((word) => word !== null)
      .join(" ");
    return err(refusalOf(code ?? "SUBCOMMAND_NOT_ALLOWED", words, { rule, alternative }));
  }
  return ok(tier);
}

/** Null if this context lets the repository be changed. */
function refusedWriting(what: string, { writeScope, git }: ToolContext): ToolRefusal | null {
  if (writeScope === "read-only")
    return readOnlyHere(`${what} could change the repository, and the workspace is read-only here.`);
  if (git === "read-only")
    return readOnlyHere(
      `${what} could change the repository, and only Tazuna writes git here: edit the files.`,
    );
  return null;
}

interface CallPlace {
  readonly context: ToolContext;
  /** The folder that the paths of the call are relative to. */
  readonly cwd: string;
  /** The folder in which git looks for its repository. */
  readonly folder: string;
  readonly subcommand: string;
}

/**
 * Checks the real paths of the files that the call names. It refuses the first one outside of the workspace. It also
 * refuses a new file in a folder of git: a hook could be moved there through a link.
 */
export function confineCall(
  { paths, newPaths, pathsFromTop }: NamedPaths,
  place: CallPlace,
): Result<void, ToolRefusal> {
  const { workspaceRoot } = place.context;
  const mails = place.subcommand === "am" ? paths.flatMap((path) => mailsIn(path, place.cwd)) : [];
  for (const path of [...paths, ...mails]) {
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

/**
 * The mails that `git am` reads in a folder, because they may be links out of the workspace. Each path begins as the
 * folder is given. Empty if `path` is a file. Git ignores names that begin with a dot.
 */
function mailsIn(path: string, from: string): readonly string[] {
  const at = placeFrom(from, path);
  const folders = namesIn(at).filter((name) => name === "cur" || name === "new");
  return folders.flatMap((name) => {
    const mails = namesIn(`${at}/${name}`).filter((mail) => !mail.startsWith("."));
    return [name, ...mails.map((mail) => `${name}/${mail}`)].map((one) => `${path}/${one}`);
  });
}

function placeOf(path: string, { context, cwd }: Pick<CallPlace, "context" | "cwd">) {
  const rule = { argument: "args", must: "stay-inside", absolute: "inside" } as const;
  return confinePath(context.workspaceRoot, rule, placeFrom(cwd, path));
}

/**
 * Checks the second meaning of a path, if the workspace is a folder of a larger repository. A bare word without a
 * file of that name is the name of a remote.
 */
function confineFromTop(paths: readonly string[], { context, folder }: CallPlace): Result<void, ToolRefusal> {
  if (paths.length === 0) return ok(undefined);
  const found = findRepository(folder, configSearch(context).files);
  // A repository with a flaw is refused before git runs.
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

function readOnlyHere(message: string): ToolRefusal {
  return deniedByPolicy("READ_ONLY", message);
}
