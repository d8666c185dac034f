/** Answers each operation of the small GitHub's API from what it holds and from the real branches. */
import { invalid, invalidBecause, NOT_ALLOWED, NOT_FOUND, refusedWith, type Said, said } from "./answers.ts";
import type { Operation } from "./description.ts";
import { type BareGit, branchesOf, type Garden, holds, type Pull, touch, triedMerge } from "./garden.ts";
import * as shape from "./shapes.ts";

export interface Asked {
  readonly garden: Garden;
  readonly git: BareGit;
  readonly operation: Operation;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  /** Who asks. */
  readonly login: { readonly name: string; readonly writes: boolean };
  /** Of the API, for the addresses in answers. */
  readonly url: string;
}

/** Without the answers that anything may get. */
export async function answerOf(asked: Asked): Promise<Said> {
  const { operation, login, garden } = asked;
  if (isWrite(operation) && !login.writes) return NOT_ALLOWED;
  const { pull_number, issue_number = pull_number } = operation.parts;
  const pull = garden.pulls.find(({ number }) => number === Number(issue_number)) ?? null;
  if (issue_number !== undefined && pull === null) return NOT_FOUND;
  if (pull !== null) return (await ON_PULLS[operation.id]?.({ ...asked, pull })) ?? NOT_FOUND;
  return (await ROUTES[operation.id]?.(asked)) ?? NOT_FOUND;
}

const WRITES: ReadonlySet<string> = new Set([
  "pulls/create",
  "pulls/update",
  "pulls/merge",
  "pulls/update-branch",
  "pulls/create-reply-for-review-comment",
  "issues/create-comment",
  "repos/rename-branch",
]);

/** Whether an operation may change something. */
export const isWrite = ({ id }: Operation): boolean => WRITES.has(id);

type Route = (asked: Asked) => Promise<Said>;
type PullRoute = (asked: Asked & { readonly pull: Pull }) => Promise<Said>;

const ROUTES: Readonly<Record<string, Route>> = {
  "repos/get": async ({ garden }) => said(shape.repositoryShape(garden)),
  "pulls/list": async (asked) => {
    const { garden, query } = asked;
    const [owner = ""] = garden.name.split("/");
    const head = query.get("head");
    const state = query.get("state") ?? "open";
    const found = garden.pulls.filter(
      (pull) =>
        (head === null || head === `${owner}:${pull.head}`) && (state === "all" || state === pull.state),
    );
    return paged(
      asked,
      found.toReversed().map((pull) => shape.listedPullShape(garden, pull)),
    );
  },
  "pulls/create": createPull,
  "checks/list-for-ref": async (asked) => {
    const sha = asked.operation.parts.ref ?? "";
    const runs = (asked.garden.checks.get(sha) ?? []).map((run) => shape.checkRunShape(sha, run));
    const { data, ...rest } = paged(asked, runs);
    return { ...rest, data: { total_count: runs.length, check_runs: data } };
  },
  "repos/list-commit-statuses-for-ref": async (asked) =>
    paged(asked, (asked.garden.statuses.get(asked.operation.parts.ref ?? "") ?? []).map(shape.statusShape)),
  "checks/get": async ({ garden, operation }) => {
    for (const [sha, runs] of garden.checks)
      for (const run of runs)
        if (run.id === Number(operation.parts.check_run_id)) return said(shape.checkRunShape(sha, run));
    return NOT_FOUND;
  },
  "actions/download-job-logs-for-workflow-run": async ({ garden, operation, url }) => {
    const id = Number(operation.parts.job_id);
    const run = [...garden.checks.values()].flat().find((one) => one.id === id);
    if (run?.log === undefined) return NOT_FOUND;
    // The logs lie with another host, which must get no credential.
    const location = new URL(`/logs/${id}`, url.replace("127.0.0.1", "localhost")).href;
    return { status: 302, headers: { location } };
  },
  "repos/rename-branch": async ({ garden, git, operation, body }) => {
    const { branch = "" } = operation.parts;
    const name = String(body.new_name);
    const sha = (await branchesOf(git)).get(branch);
    if (sha === undefined) return NOT_FOUND;
    await git("branch", "-m", branch, name);
    // Its own pull requests are closed with the next look at the branches.
    for (const pull of garden.pulls) if (pull.state === "open" && pull.base === branch) pull.base = name;
    return said(shape.branchWithProtection(name, sha), 201);
  },
};

const MAX_TITLE = 256;
const MAX_BODY = 65_536;

async function createPull({ garden, git, body, login }: Asked): Promise<Said> {
  const { head: named = "", base = "", title = "", draft = false } = body as Partial<Pull>;
  const text = (body.body as string | undefined) ?? null;
  const [owner = ""] = garden.name.split("/");
  const head = named.replace(`${owner}:`, "");
  const branches = await branchesOf(git);
  const about = { resource: "PullRequest" };
  if (title === "") return invalid({ ...about, field: "title", code: "missing_field" });
  if (title.length > MAX_TITLE) return tooLong("title", MAX_TITLE);
  if ((text?.length ?? 0) > MAX_BODY) return tooLong("body", MAX_BODY);
  const [tip, base_] = [branches.get(head), branches.get(base)];
  if (tip === undefined) return invalid({ ...about, field: "head", code: "invalid" });
  if (base_ === undefined) return invalid({ ...about, field: "base", code: "invalid" });
  if (garden.pulls.some((pull) => pull.head === head && pull.base === base && pull.state === "open"))
    return invalidBecause(`A pull request already exists for ${owner}:${head}.`);
  if (await holds(git, base_, tip)) return invalidBecause(`No commits between ${base} and ${head}`);
  if (draft && !garden.drafts)
    return refusedWith(422, "Draft pull requests are not supported in this repository.");
  const number = garden.pulls.length + 1;
  const made = { number, state: "open", merged: false, draft, title, body: text, head, base } as const;
  const pull: Pull = { ...made, author: login.name, sha: tip };
  garden.pulls.push(pull);
  return said(shape.pullShape(garden, pull), 201);
}

function tooLong(field: string, max: number): Said {
  const message = `${field} is too long (maximum is ${max} characters)`;
  return invalid({ resource: "PullRequest", code: "custom", field, message });
}

const ON_PULLS: Readonly<Record<string, PullRoute>> = {
  "pulls/get": async ({ garden, git, pull }) => {
    const shown = shape.pullShape(garden, pull);
    // GitHub begins to try the merge only if somebody asks, and answers null until it knows.
    const branches = await branchesOf(git);
    const key = `${pull.sha} ${branches.get(pull.base)}`;
    if (pull.triedFor === key) return said(shown);
    const tree = await triedMerge(git, `refs/heads/${pull.base}`, pull.sha ?? "");
    Object.assign(pull, { triedFor: key, mergeable: tree !== null });
    return said({ ...shown, mergeable: null, mergeable_state: "unknown" });
  },
  "pulls/update": updatePull,
  "pulls/merge": mergePull,
  "pulls/update-branch": async ({ git, pull, body, url }) => {
    const wanted = (body.expected_head_sha as string | undefined) ?? pull.sha;
    if (wanted !== pull.sha) return refusedWith(422, `expected head sha didn’t match current head ref.`);
    const tree = await triedMerge(git, pull.head, pull.base);
    if (tree === null) return refusedWith(422, "merge conflict between base and head");
    const words = `Merge branch '${pull.base}' into ${pull.head}`;
    const commit = await git("commit-tree", tree, "-p", pull.head, "-p", pull.base, "-m", words);
    await git("update-ref", `refs/heads/${pull.head}`, commit, pull.sha ?? "");
    return said({ message: "Updating pull request branch.", url: `${url}/pulls/${pull.number}` }, 202);
  },
  "pulls/list-review-comments": async (asked) =>
    paged(
      asked,
      asked.garden.comments
        .filter(({ pull }) => pull === undefined || pull === asked.pull.number)
        .map(shape.lineCommentShape),
    ),
  "pulls/list-reviews": async (asked) => paged(asked, asked.garden.reviews.map(shape.reviewShape)),
  "issues/list-comments": async (asked) => paged(asked, asked.garden.conversation.map(shape.commentShape)),
  "issues/create-comment": async ({ garden, body, login }) => {
    const id = 1000 + garden.conversation.length;
    const made = { id, body: String(body.body), author: login.name };
    garden.conversation.push(made);
    return said(shape.commentShape(made), 201);
  },
  "pulls/create-reply-for-review-comment": async ({ garden, operation, body, login }) => {
    const first = garden.comments.find(({ id }) => id === Number(operation.parts.comment_id));
    if (first === undefined) return NOT_FOUND;
    const id = 2000 + garden.comments.length;
    const made = { ...first, id, body: String(body.body), answers: first.id, author: login.name };
    garden.comments.push(made);
    return said(shape.lineCommentShape(made), 201);
  },
};

async function updatePull({ garden, git, pull, body }: Parameters<PullRoute>[0]): Promise<Said> {
  const { state, base, title } = body as Partial<Pull>;
  const branches = await branchesOf(git);
  if (title !== undefined && title.length > MAX_TITLE) return tooLong("title", MAX_TITLE);
  if (base !== undefined && !branches.has(base))
    return invalidBecause(`Proposed base branch '${base}' was not found`);
  if (base !== undefined && base !== pull.base && pull.state === "closed")
    return invalidBecause("Cannot change the base branch of a closed pull request.");
  if (state === "open" && pull.state === "closed" && (pull.merged || !branches.has(pull.head)))
    return invalidBecause("state cannot be changed. The branch was deleted or merged.");
  Object.assign(pull, body);
  touch(pull);
  return said(shape.pullShape(garden, pull));
}

async function mergePull({ garden, git, pull, body }: Parameters<PullRoute>[0]): Promise<Said> {
  const { sha = pull.sha, merge_method = "merge", commit_title } = body as Readonly<Record<string, string>>;
  if (pull.state !== "open") return refusedWith(405, "Pull Request is not mergeable");
  if (pull.draft) return refusedWith(405, "Pull Request is still a draft");
  if (garden.protection !== null) return refusedWith(405, garden.protection);
  if (sha !== pull.sha) return refusedWith(409, "Head branch was modified. Review and try the merge again.");
  const base = (await branchesOf(git)).get(pull.base) ?? "";
  const tree = await triedMerge(git, base, sha ?? "");
  if (tree === null) return refusedWith(405, "Pull Request is not mergeable");
  const parents = ["-p", base, ...(merge_method === "squash" ? [] : ["-p", sha ?? ""])];
  const words = commit_title ?? `Merge pull request #${pull.number}`;
  const commit = await git("commit-tree", tree, ...parents, "-m", words);
  try {
    await git("update-ref", `refs/heads/${pull.base}`, commit, base);
  } catch {
    return refusedWith(405, "Base branch was modified. Review and try the merge again.");
  }
  Object.assign(pull, { state: "closed", merged: true, mergeCommit: commit });
  touch(pull);
  return said({ sha: commit, merged: true, message: "Pull Request successfully merged" });
}

/** One page of a list, and where the next one is. */
function paged({ query, operation, url }: Asked, all: readonly unknown[]): Said {
  const size = Math.min(Number(query.get("per_page") ?? 30), 100);
  const page = Number(query.get("page") ?? 1);
  const data = all.slice((page - 1) * size, page * size);
  if (all.length <= page * size) return said(data);
  const next = new URLSearchParams([...query].filter(([name]) => name !== "page"));
  next.set("page", String(page + 1));
  return { ...said(data), headers: { link: `<${url}${operation.path}?${next}>; rel="next"` } };
}
