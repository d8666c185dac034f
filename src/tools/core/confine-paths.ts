/** Resolves the arguments that name places to where they really lie, and refuses those that leave the workspace. */
import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { realPathInside } from "../../utils/safe-path.ts";
import { invalidArgument } from "./check-arguments.ts";
import { deniedBySandbox, failure, type ToolRefusal } from "./result.ts";
import type { PathRule } from "./tool.ts";

/** Real absolute paths by argument; an argument that is absent stands for the root. The first refusal counts. */
export async function confinePaths(
  root: string,
  rules: readonly PathRule[],
  args: object,
): Promise<Result<Readonly<Record<string, string>>, ToolRefusal>> {
  const paths: Record<string, string> = {};
  for (const rule of rules) {
    const given = (args as Readonly<Record<string, unknown>>)[rule.argument];
    const placed = given === undefined ? ok(root) : await confine(root, rule, String(given));
    if (placed.isErr()) return err(placed.error);
    paths[rule.argument] = placed.value;
  }
  return ok(paths);
}

async function confine(root: string, rule: PathRule, given: string): Promise<Result<string, ToolRefusal>> {
  const { argument, must } = rule;
  if (rule.absolute === "refused" && isAbsolute(given.replaceAll("\\", "/")))
    return err(invalidArgument(`${argument} must be relative to the workspace: ${given}`, { argument }));
  const placed = await realPathInside(root, given, { missing: must === "stay-inside" ? "allow" : "refuse" });
  if (!placed.ok) return err(refusalOf(rule, placed));
  if (must === "be-directory" && !(await isDirectory(placed.path)))
    return err(notDirectory(argument, `${given} is not a folder`));
  return ok(placed.path);
}

function refusalOf(
  { argument, must }: PathRule,
  placed: { readonly reason: "invalid" | "outside" | "missing"; readonly message: string },
): ToolRefusal {
  if (placed.reason === "invalid") return invalidArgument(`${argument}: ${placed.message}.`, { argument });
  if (placed.reason === "outside")
    return deniedBySandbox("OUTSIDE_WORKSPACE", `${argument}: ${placed.message}.`, { details: { argument } });
  if (must === "be-directory") return notDirectory(argument, placed.message);
  return failure("NOT_FOUND", `${argument}: ${placed.message}.`, { details: { argument } });
}

function notDirectory(argument: string, message: string): ToolRefusal {
  return failure("NOT_DIRECTORY", `${argument}: ${message}.`, { details: { argument } });
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
