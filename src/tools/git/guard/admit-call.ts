/** Turns the policy's verdict on a git call into an answer: go on, or why not. */
import { isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { GitTier, GitVerdict } from "../../../domain/git-policy/verdict.ts";
import { confinePath } from "../../core/confine-paths.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedByPolicy, deniedBySandbox, failure, type ToolRefusal } from "../../core/result.ts";

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

/** Where the files that the call names really lie; the first one outside of the workspace refuses it. */
export function confineCall(
  { paths }: Pick<GitVerdict, "paths">,
  { context, cwd }: { readonly context: ToolContext; readonly cwd: string },
): Result<void, ToolRefusal> {
  for (const path of paths) {
    // Joined by hand: `out/../x` is followed through the link `out`, not shortened first.
    const rule = { argument: "args", must: "stay-inside", absolute: "inside" } as const;
    const placed = confinePath(context.workspaceRoot, rule, isAbsolute(path) ? path : `${cwd}/${path}`);
    if (placed.isErr()) return err(placed.error);
  }
  return ok(undefined);
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
