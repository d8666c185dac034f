/** Finds, opens, reads and changes pull requests on Gitea and Forgejo. */
import { z } from "zod";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { HeadBranch, NewPullRequest, PullRequestChange } from "../forge.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import { isMarked, titleOf, withoutMark } from "./draft-title.ts";
import { type GiteaClient, PAGE } from "./gitea-client.ts";

export async function readPull(client: GiteaClient, number: number): Promise<PullRequest> {
  return pullOf(await readShown(client, number));
}

/** The open one, else the newest of those that ended lately. */
export async function findPull(client: GiteaClient, head: HeadBranch): Promise<PullRequest | null> {
  const found =
    (await firstOf(client, head, { state: "open" })) ??
    (await firstOf(client, head, { state: "closed", maxPages: ENDED_PAGES }));
  return found === null ? null : pullOf(found);
}

/** The API knows no filter by branch, and a repository may have had thousands. */
const ENDED_PAGES = 4;

/** One that is open for this head and base is the answer, also if Gitea's answer to ours was lost. */
export async function createPull(client: GiteaClient, request: NewPullRequest): Promise<PullRequest> {
  const { head, base, title, body, draft } = request;
  try {
    const made = await client.send("POST", `${client.place}/pulls`, {
      head: head.fork === null ? head.branch : `${head.fork.owner}:${head.branch}`,
      base,
      title: titleOf(title, draft),
      body,
    });
    return pullOf(readShape(pull, made, "a pull request"));
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null || !(failure.isOpen || failure.error.status === 409)) throw thrown;
    const open = await firstOf(client, head, { state: "open", base }).catch(() => null);
    if (open === null) throw thrown;
    return pullOf(open);
  }
}

export async function updatePull(
  client: GiteaClient,
  number: number,
  { title, body, draft }: PullRequestChange,
): Promise<PullRequest> {
  const shown = pullOf(await readShown(client, number));
  const isDraft = draft ?? shown.draft;
  const isNewTitle = title !== undefined || isDraft !== shown.draft;
  const changed = await client.send("PATCH", `${client.place}/pulls/${number}`, {
    ...(isNewTitle ? { title: titleOf(title ?? shown.title, isDraft) } : {}),
    ...(body === undefined ? {} : { body }),
  });
  return pullOf(readShape(pull, changed, "a pull request"));
}

async function readShown(client: GiteaClient, number: number): Promise<Pull> {
  return readShape(pull, await client.get(`${client.place}/pulls/${number}`), "a pull request");
}

interface Wanted {
  readonly state: "open" | "closed";
  readonly maxPages?: number;
  /** Any, if it is absent. */
  readonly base?: string;
}

/** Gitea lists the newest first. */
async function firstOf(client: GiteaClient, head: HeadBranch, wanted: Wanted): Promise<Pull | null> {
  const { state, maxPages = Number.POSITIVE_INFINITY, base } = wanted;
  let pages = 0;
  for await (const page of client.pages(`${client.place}/pulls`, { state, limit: PAGE })) {
    const listed = readShape(z.array(pull), page, "a list of pull requests");
    const found = listed.find((one) => isOf(one, head) && (base === undefined || one.base.ref === base));
    if (found !== undefined) return found;
    pages += 1;
    if (pages >= maxPages) break;
  }
  return null;
}

function isOf(one: Pull, { fork, branch }: HeadBranch): boolean {
  if (branchOf(one.head) !== branch) return false;
  if (fork === null) return one.head.repo_id === one.base.repo_id;
  return one.head.repo?.owner.login.toLowerCase() === fork.owner.toLowerCase();
}

/** Of a branch that is gone, `ref` names the commits that Gitea kept. */
function branchOf({ ref, label }: Pull["head"]): string {
  return ref.startsWith("refs/") ? label.slice(label.lastIndexOf(":") + 1) : ref;
}

const owner = z.object({ owner: z.object({ login: z.string() }) });
const side = z.object({
  label: z.string(),
  ref: z.string(),
  sha: z.string(),
  repo_id: z.int(),
  repo: owner.nullish(),
});
const pull = z.object({
  number: z.int().positive(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  /** Absent before Gitea 1.21. */
  draft: z.boolean().optional(),
  title: z.string(),
  body: z.string().nullish(),
  head: side,
  base: side,
  mergeable: z.boolean().default(true),
  merged: z.boolean(),
  merge_commit_sha: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  updated_at: z.string(),
});
type Pull = z.output<typeof pull>;

function pullOf(given: Pull): PullRequest {
  const draft = given.draft ?? isMarked(given.title);
  const isOpen = given.state === "open";
  return {
    number: given.number,
    url: given.html_url,
    state: given.merged ? "merged" : given.state,
    draft,
    title: draft ? withoutMark(given.title) : given.title,
    body: given.body ?? "",
    head: { branch: branchOf(given.head), sha: given.head.sha, owner: given.head.repo?.owner.login ?? null },
    base: { branch: given.base.ref },
    // Of a draft it is always false, and no answer to the question.
    mergeable: isOpen && !draft ? given.mergeable : null,
    mergeBlock: isOpen && draft ? "draft" : null,
    mergeCommit: given.merged ? (given.merge_commit_sha ?? null) : null,
    author: given.user?.login ?? null,
    updatedAt: given.updated_at,
  };
}
