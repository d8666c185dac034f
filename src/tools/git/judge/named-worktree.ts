/** Finds the worktree that git selects by the end of its path, even if it lies elsewhere. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitCall } from "../../../domain/git-policy/parse/parse-call.ts";
import { allOperands } from "../../../domain/git-policy/table/command-table.ts";
import { isInside } from "../../../utils/paths/path-spelling.ts";
import type { ToolContext } from "../../core/context.ts";
import { deniedBySandbox, type ToolRefusal } from "../../core/result.ts";
import type { CallNature } from "../repository/call-flaw.ts";
import { realOrNull } from "../repository/find-repository.ts";
import { configSearch, type Inspected } from "../repository/inspect-repository.ts";

/** A refusal if the call would work on a worktree outside of the workspace; else null. */
export function foreignWorktree(
  { call }: Pick<CallNature, "call">,
  { commonDir }: Pick<Inspected, "commonDir">,
  context: ToolContext,
): ToolRefusal | null {
  const name = worktreeNamed(call)?.replace(/\/+$/, "") ?? "";
  if (name === "") return null;
  const foreign = worktreesOf(commonDir, context)
    .filter((path) => path === name || path.endsWith(`/${name}`))
    .find((path) => !isInside(context.workspaceRoot, realOrNull(path) ?? path, process.platform));
  return foreign === undefined
    ? null
    : deniedBySandbox(
        "OUTSIDE_WORKSPACE",
        `args: ${name} is the worktree ${foreign}, outside of the workspace.`,
        {
          details: { argument: "args" },
        },
      );
}

function worktreeNamed(call: GitCall): string | null {
  if (!/^worktree (?:remove|move|lock|unlock)$/.test(call.subcommand)) return null;
  return allOperands(call)[0] ?? null;
}

/** Paths as the repository records them. */
function worktreesOf(commonDir: string, context: ToolContext): readonly string[] {
  const { files } = configSearch(context);
  const folder = join(commonDir, "worktrees");
  return namesIn(folder).flatMap((name) => {
    const answer = files.ask(join(folder, name, "gitdir"), (bytes) => bytes.toString("utf8"));
    return answer.kind === "file" ? [dirname(answer.value.trimEnd())] : [];
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
