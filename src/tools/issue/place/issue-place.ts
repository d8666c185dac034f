/** Says whose issue the tools speak of: the workspace's own, or, inside an attempt, that of its task. */
import type { IssuePlace } from "../../../effect/issue-storage.ts";
import type { ToolContext } from "../../core/context.ts";

/** `TAZUNA_ISSUE_FILE` is set for agents in attempts; what it names is theirs to read only (product contract, section 13). */
export function issuePlace({ workspaceRoot, host }: Pick<ToolContext, "workspaceRoot" | "host">): IssuePlace {
  const file = host.environment().TAZUNA_ISSUE_FILE ?? "";
  return file === "" ? { kind: "workspace", root: workspaceRoot } : { kind: "handed", file };
}
