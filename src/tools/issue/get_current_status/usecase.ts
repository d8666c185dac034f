/** Reads the currently defined issue (seed 004, Read Side). */
import type { Result } from "neverthrow";
import { createGetCurrentIssueStatus } from "../../../domain/read/current-status/index.ts";
import type { IssueStatusView, ReadError } from "../../../domain/read/current-status/types.ts";
import { type IssuePlace, loadIssueDefinition } from "../../../effect/issue-storage.ts";
import type { GetCurrentStatusResponse } from "./types.ts";

export async function getCurrentStatus(
  place: IssuePlace,
): Promise<Result<GetCurrentStatusResponse, ReadError>> {
  const getCurrentIssueStatus = createGetCurrentIssueStatus(() => loadIssueDefinition(place));
  return (await getCurrentIssueStatus()).map(responseOf);
}

function responseOf(view: IssueStatusView | null): GetCurrentStatusResponse {
  return view === null ? { hasIssue: false } : { hasIssue: true, ...view };
}
