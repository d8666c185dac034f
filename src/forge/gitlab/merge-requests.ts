/** Finds, opens, reads and changes merge requests on GitLab. */
import { z } from "zod";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { HeadBranch, NewPullRequest, PullRequestChange } from "../forge.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import { titleOf, withoutMark } from "./draft-title.ts";
import type { GitLabClient } from "./gitlab-client.ts";
import { asWritten, withoutActions } from "./quick-actions.ts";

export async function readMergeRequest(client: GitLabClient, number: number): Promise<PullRequest> {
  return pullOf(client, await readShown(client, number));
}

/** The open one, else the newest. */
export async function findMergeRequest(client: GitLabClient, head: HeadBranch): Promise<PullRequest | null> {
  const found = await listByHead(client, head);
  const best = found.find(({ state }) => isOpen(state)) ?? found[0];
  return best === undefined ? null : readMergeRequest(client, best.iid);
}

/** One that is open for this head and base is the answer, also if GitLab's answer to ours was lost. */
export async function createMergeRequest(
  client: GitLabClient,
  request: NewPullRequest,
): Promise<PullRequest> {
  const { head, base, title, body, draft } = request;
  const target = await client.project();
  const source = await sourceOf(client, head);
  try {
    const made = await client.send("POST", `/projects/${source}/merge_requests`, {
      source_branch: head.branch,
      target_branch: base,
      target_project_id: target.id,
      title: titleOf(title, draft),
      description: withoutActions(body),
      // Else the project's own setting would let the branch go with the merge.
      remove_source_branch: false,
    });
    return await pullOf(client, readShape(mergeRequest, made, "a merge request"));
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null || !(failure.isOpen || failure.error.status === 409)) throw thrown;
    const found = await listByHead(client, head).catch(() => []);
    const open = found.find((one) => isOpen(one.state) && one.target_branch === base);
    if (open === undefined) throw thrown;
    return readMergeRequest(client, open.iid);
  }
}

export async function updateMergeRequest(
  client: GitLabClient,
  number: number,
  { title, body, draft }: PullRequestChange,
): Promise<PullRequest> {
  const shown = await readShown(client, number);
  const isDraft = draft ?? shown.draft;
  const isNewTitle = title !== undefined || isDraft !== shown.draft;
  const changed = await client.send("PUT", await placeOf(client, number), {
    ...(isNewTitle ? { title: titleOf(title ?? plainTitle(shown), isDraft) } : {}),
    ...(body === undefined ? {} : { description: withoutActions(body) }),
  });
  return pullOf(client, readShape(mergeRequest, changed, "a merge request"));
}

export async function placeOf(client: GitLabClient, number: number): Promise<string> {
  return `/projects/${(await client.project()).id}/merge_requests/${number}`;
}

export async function readShown(client: GitLabClient, number: number): Promise<MergeRequest> {
  return readShape(mergeRequest, await client.get(await placeOf(client, number)), "a merge request");
}

async function sourceOf(client: GitLabClient, { fork }: HeadBranch): Promise<number> {
  const project = fork === null ? client.project() : client.projectAt(`${fork.owner}/${fork.name}`);
  return (await project).id;
}

/** Those of every state, newest first. */
async function listByHead(client: GitLabClient, head: HeadBranch): Promise<readonly Listed[]> {
  const source = await sourceOf(client, head);
  const found = await client.all(`/projects/${(await client.project()).id}/merge_requests`, {
    source_branch: head.branch,
    source_project_id: source,
    state: "all",
    order_by: "created_at",
    sort: "desc",
    per_page: 100,
  });
  return readShape(z.array(listed), found, "a list of merge requests").filter(
    (one) => one.source_branch === head.branch && one.source_project_id === source,
  );
}

const listed = z.object({
  iid: z.int().positive(),
  state: z.enum(["opened", "closed", "locked", "merged"]),
  source_branch: z.string(),
  target_branch: z.string(),
  source_project_id: z.int().nullable(),
});
type Listed = z.output<typeof listed>;

const sha = z.string().nullish();
export const mergeRequest = listed.extend({
  web_url: z.string(),
  draft: z.boolean(),
  title: z.string(),
  description: z.string().nullable(),
  sha,
  author: z.object({ username: z.string() }).nullable(),
  updated_at: z.string(),
  merge_status: z.string(),
  /** Absent before GitLab 15.6. */
  detailed_merge_status: z.string().optional(),
  has_conflicts: z.boolean().optional(),
  merge_commit_sha: sha,
  squash_commit_sha: sha,
  merge_error: z.string().nullish(),
  diff_refs: z.object({ head_sha: z.string().nullable() }).nullish(),
  head_pipeline: z
    .object({ id: z.int(), project_id: z.int(), status: z.string(), web_url: z.string() })
    .nullish(),
});
export type MergeRequest = z.output<typeof mergeRequest>;

/** It is locked while GitLab merges it. */
function isOpen(state: Listed["state"]): boolean {
  return state === "opened" || state === "locked";
}

/** Words of `detailed_merge_status` that keep nobody from merging. */
const FREE = new Set(["mergeable", "unchecked", "checking", "preparing", "approvals_syncing"]);

async function pullOf(client: GitLabClient, given: MergeRequest): Promise<PullRequest> {
  const isMerged = given.state === "merged";
  const { detailed_merge_status: detailed = "unchecked", source_branch: branch } = given;
  return {
    number: given.iid,
    url: given.web_url,
    state: isOpen(given.state) ? "open" : isMerged ? "merged" : "closed",
    draft: given.draft,
    title: plainTitle(given),
    body: asWritten(given.description ?? ""),
    head: { branch, sha: headOf(given), owner: await ownerOf(client, given.source_project_id) },
    base: { branch: given.target_branch },
    mergeable: isOpen(given.state) ? mergeableOf(given) : null,
    mergeBlock: isOpen(given.state) && !FREE.has(detailed) ? detailed : null,
    mergeCommit: isMerged ? mergeCommitOf(given) : null,
    author: given.author?.username ?? null,
    updatedAt: given.updated_at,
  };
}

/** A new one has no head until GitLab has prepared it. */
export function headOf({ sha, diff_refs }: MergeRequest): string {
  return sha ?? diff_refs?.head_sha ?? "";
}

/** A fast-forward has no commit of its own. */
export function mergeCommitOf(given: MergeRequest): string {
  return given.merge_commit_sha ?? given.squash_commit_sha ?? headOf(given);
}

function plainTitle({ title, draft }: MergeRequest): string {
  return draft ? withoutMark(title) : title;
}

/** Null while GitLab still finds out. */
function mergeableOf({ merge_status, has_conflicts }: MergeRequest): boolean | null {
  if (has_conflicts === true || merge_status === "cannot_be_merged") return false;
  return merge_status === "can_be_merged" ? true : null;
}

/** Whose project has the branch; null if that is gone, or hidden from this login. */
async function ownerOf(client: GitLabClient, source: number | null): Promise<string | null> {
  const target = await client.project();
  if (source === null || source === target.id) return source === null ? null : target.owner;
  try {
    return (await client.projectAt(source)).owner;
  } catch (thrown) {
    if (failureIn(thrown)?.error.code === "forge_not_found") return null;
    throw thrown;
  }
}
