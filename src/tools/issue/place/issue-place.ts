/** Decides which issue the tools mean: the workspace's own, or, inside an attempt, that of its task. */
import type { IssuePlace } from "../../../effect/issue-storage.ts";
import type { ToolContext } from "../../core/context.ts";

/** For agents in attempts, `TAZUNA_ISSUE_FILE` names a file that they may only read. */
export function issuePlace({ workspaceRoot, host }: Pick<ToolContext, "workspaceRoot" | "host">): IssuePlace {
  const file = host.environment().TAZUNA_ISSUE_FILE ?? "";
  return file === "" ? { kind: "workspace", root: workspaceRoot } : { kind: "handed", file };
}
