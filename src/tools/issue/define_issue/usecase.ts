/** Defines the issue of a workspace: checked by the aggregate, kept by the storage (seed 004 CQRS Pattern Compliance). */
import { err, ok, type Result } from "neverthrow";
import { IssueDefinitionAggregate } from "../../../domain/issue/issue-definition-aggregate.ts";
import { saveIssueDefinition } from "../../../effect/issue-storage.ts";
import { success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import { refusalOfStorage, refusalOfValidation } from "./error.ts";
import type { DefineIssueInput, DefineIssueOutput } from "./types.ts";

interface IssueToDefine {
  readonly workspaceRoot: string;
  readonly createdAt: Date;
  readonly signal?: AbortSignal;
}

/**
 * `meta.earlier` counts the definitions before it. `meta.kept_aside` names a file in the workspace. That file keeps
 * an earlier issue that could not be read or was too long. So a corrupt issue can be defined anew, and nothing of it
 * is lost.
 */
export async function defineIssue(
  input: DefineIssueInput,
  { workspaceRoot, createdAt, ...options }: IssueToDefine,
): Promise<Result<ToolSuccess<DefineIssueOutput>, ToolRefusal>> {
  const created = IssueDefinitionAggregate.defineIssue(input, { createdAt });
  if (created.isErr()) return err(refusalOfValidation(created.error));
  const saved = await saveIssueDefinition(workspaceRoot, created.value, options);
  if (saved.isErr()) return err(refusalOfStorage(saved.error));
  const { issue, context, constraints } = created.value;
  const { earlier, keptAside } = saved.value;
  const data = { issue, context, constraints, createdAt: createdAt.toISOString() };
  return ok(success(data, { earlier, ...(keptAside === null ? {} : { kept_aside: keptAside }) }));
}
