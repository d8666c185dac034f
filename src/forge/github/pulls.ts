/** Finds, opens, reads and changes pull requests on GitHub. */
import { z } from "zod";
import type { PullRequest } from "../../domain/pull-request/pull-request.ts";
import type { HeadBranch, NewPullRequest, PullRequestChange } from "../forge.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitHubClient } from "./github-client.ts";
import { TO_DRAFT, TO_READY } from "./queries.ts";

export async function readPull(client: GitHubClient, number: number): Promise<PullRequest> {
  const { data } = await client.rest.pulls.get({ ...client.repository, pull_number: number });
  return pullOf(data);
}

/** The open one, else the newest. */
export async function findPull(client: GitHubClient, head: HeadBranch): Promise<PullRequest | null> {
  const found = await listByHead(client, head);
  const best = found.find(({ state }) => state === "open") ?? found[0];
  return best === undefined ? null : readPull(client, best.number);
}

/** One that is open for this head and base is the answer, also if GitHub's answer to ours was lost. */
export async function createPull(client: GitHubClient, request: NewPullRequest): Promise<PullRequest> {
  const { head, base, title, body, draft } = request;
  try {
    const { data } = await client.rest.pulls.create({
      ...client.repository,
      head: head.fork === null ? head.branch : `${head.fork.owner}:${head.branch}`,
      base,
      title,
      body,
      draft,
    });
    return pullOf(data);
  } catch (thrown) {
    const failure = failureIn(thrown);
    if (failure === null || !(failure.isOpen || failure.error.status === 422)) throw thrown;
    const found = await listByHead(client, head).catch(() => []);
    const open = found.find((one) => one.state === "open" && one.base.ref === base);
    if (open === undefined) throw thrown;
    return readPull(client, open.number);
  }
}

export async function updatePull(
  client: GitHubClient,
  number: number,
  { draft, ...words }: PullRequestChange,
): Promise<PullRequest> {
  const place = { ...client.repository, pull_number: number };
  if (Object.keys(words).length > 0) await client.rest.pulls.update({ ...place, ...words });
  const { data } = await client.rest.pulls.get(place);
  if (draft === undefined || draft === data.draft) return pullOf(data);
  await client.graphql(draft ? TO_DRAFT : TO_READY, { id: data.node_id });
  return readPull(client, number);
}

/** Those of every state, newest first. */
async function listByHead(client: GitHubClient, head: HeadBranch): Promise<readonly ListedPull[]> {
  const owner = head.fork?.owner ?? client.repository.owner;
  const found = await listByOwner(client, { owner, branch: head.branch });
  if (found.length > 0 || head.fork !== null) return found;
  // A repository that went to another owner answers under its old name, but does not know it in a filter.
  const { data } = await client.rest.repos.get(client.repository);
  const { login } = readShape(
    z.object({ owner: z.object({ login: z.string() }) }),
    data,
    "a repository",
  ).owner;
  return login === owner ? found : listByOwner(client, { owner: login, branch: head.branch });
}

async function listByOwner(
  client: GitHubClient,
  { owner, branch }: { readonly owner: string; readonly branch: string },
): Promise<readonly ListedPull[]> {
  const listed = await client.paginate(client.rest.pulls.list, {
    ...client.repository,
    head: `${owner}:${branch}`,
    state: "all",
    sort: "created",
    direction: "desc",
    per_page: 100,
  });
  // GitHub ignores a filter that it cannot read.
  return readShape(z.array(listedPull), listed, "a list of pull requests").filter(
    (one) => one.head.ref === branch,
  );
}

const listedPull = z.object({
  number: z.int().positive(),
  state: z.enum(["open", "closed"]),
  head: z.object({ ref: z.string() }),
  base: z.object({ ref: z.string() }),
});
type ListedPull = z.output<typeof listedPull>;

const pull = listedPull.extend({
  html_url: z.string(),
  draft: z.boolean().optional(),
  title: z.string(),
  body: z.string().nullable(),
  head: z.object({
    ref: z.string(),
    sha: z.string(),
    repo: z.object({ owner: z.object({ login: z.string() }) }).nullable(),
  }),
  mergeable: z.boolean().nullable(),
  mergeable_state: z.string(),
  merged_at: z.string().nullable(),
  merge_commit_sha: z.string().nullable(),
  user: z.object({ login: z.string() }).nullable(),
  updated_at: z.string(),
});

/** Words of `mergeable_state` that keep nobody from merging. `unstable`: a check that is not required failed. */
const FREE = new Set(["clean", "has_hooks", "unstable", "unknown"]);

function pullOf(data: unknown): PullRequest {
  const given = readShape(pull, data, "a pull request");
  const isMerged = given.merged_at !== null;
  const isOpen = given.state === "open";
  return {
    number: given.number,
    url: given.html_url,
    state: isMerged ? "merged" : given.state,
    draft: given.draft ?? false,
    title: given.title,
    body: given.body ?? "",
    head: { branch: given.head.ref, sha: given.head.sha, owner: given.head.repo?.owner.login ?? null },
    base: { branch: given.base.ref },
    mergeable: isOpen ? given.mergeable : null,
    mergeBlock: isOpen && !FREE.has(given.mergeable_state) ? given.mergeable_state : null,
    // Before the merge it is GitHub's own trial merge.
    mergeCommit: isMerged ? given.merge_commit_sha : null,
    author: given.user?.login ?? null,
    updatedAt: given.updated_at,
  };
}
