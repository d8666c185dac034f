/**
 * Resolves arguments that name places to real paths, and refuses those outside the workspace (seed 000 §3.1, seed 001
 * §3.1).
 */
import { err, ok, type Result } from "neverthrow";
import { realPathInside, type SafePath } from "../../utils/paths/safe-path.ts";
import { invalidArgument } from "./check-arguments.ts";
import { deniedBySandbox, failure, type ToolRefusal } from "./result.ts";
import type { PathRule } from "./tool.ts";

/** Real absolute paths by argument. An absent argument stands for the root. The first refusal is returned. */
export function confinePaths(
  root: string,
  rules: readonly PathRule[],
  args: object,
): Result<Readonly<Record<string, string>>, ToolRefusal> {
  const paths: Record<string, string> = {};
  for (const rule of rules) {
    const given = (args as Readonly<Record<string, unknown>>)[rule.argument];
    const placed = isRoot(given, root, rule) ? ok(root) : confinePath(root, rule, String(given));
    if (placed.isErr()) return err(placed.error);
    paths[rule.argument] = placed.value;
  }
  return ok(paths);
}

/** Most calls are about the root, which the context has checked. A second check costs a tenth of a program's run. */
function isRoot(given: unknown, root: string, { absolute }: PathRule): boolean {
  return given === undefined || given === "." || (given === root && absolute === "inside");
}

/**
 * Judges one path by one rule, for tools that do not take each path as an argument of its own. `throughFiles`: the
 * path may lead through a file that the tool removes first.
 */
export function confinePath(
  root: string,
  rule: PathRule,
  given: string,
  { throughFiles = false }: { readonly throughFiles?: boolean } = {},
): Result<string, ToolRefusal> {
  const { argument, must, absolute } = rule;
  const placed = realPathInside(root, given, {
    missing: must === "stay-inside" ? "allow" : "refuse",
    absolute: absolute === "refused" ? "refused" : "accepted",
    throughFiles,
  });
  if (!placed.ok) return err(refusalOf(rule, placed));
  if (must === "be-directory" && placed.kind !== "directory")
    return err(notDirectory(argument, `${given} is not a folder`));
  return ok(placed.path);
}

function refusalOf({ argument, must }: PathRule, placed: Extract<SafePath, { ok: false }>): ToolRefusal {
  if (placed.reason === "invalid") return invalidArgument(`${argument}: ${placed.message}.`, { argument });
  if (placed.reason === "outside")
    return deniedBySandbox("OUTSIDE_WORKSPACE", `${argument}: ${placed.message}.`, { details: { argument } });
  if (must === "be-directory") return notDirectory(argument, placed.message);
  return failure("NOT_FOUND", `${argument}: ${placed.message}.`, { details: { argument } });
}

function notDirectory(argument: string, message: string): ToolRefusal {
  return failure("NOT_DIRECTORY", `${argument}: ${message}.`, { details: { argument } });
}
