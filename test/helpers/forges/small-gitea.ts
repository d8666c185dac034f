/** Plays the part of Gitea that a pull request needs: the repository `ann/garden`, a fork of it, and real branches. */
import description from "../../fixtures/forges/gitea.json";
import {
  type Asked,
  type BareGit,
  type Branches,
  branchesOf,
  type Check,
  mergeIn,
  type Pull,
  pageOf,
  type Said,
  type SmallForge,
  startForge,
} from "./small-forge.ts";

interface ReviewComment {
  readonly id: number;
  readonly review: number;
  readonly body: string;
  readonly path: string;
  /** The old one if it is negative. */
  readonly line: number;
  readonly resolved?: boolean;
}

interface Review {
  readonly id: number;
  readonly state: "APPROVED" | "PENDING" | "COMMENT" | "REQUEST_CHANGES" | "REQUEST_REVIEW";
  readonly body: string;
}

export interface SmallGitea extends SmallForge {
  /** `owner/name`, as it is called now. */
  path: string;
  readonly reviews: Review[];
  readonly reviewComments: ReviewComment[];
  readonly conversation: { readonly id: number; readonly body: string }[];
  /** Numbers of pull requests whose branch is in the fork. */
  readonly fromFork: Set<number>;
  /** Whether it gives out the logs of Actions, as Gitea does since 1.24. */
  logs: boolean;
  mergeable: boolean;
  readonly mergeCommits: Map<number, string>;
  readonly heads: Map<number, string>;
}

const AT = "2026-01-01T00:00:00Z";
const PAGES = { size: "limit", first: 30, most: 50, total: "x-total-count" };
const PLACE = "https://gitea.example/ann/garden";

export async function smallGitea(git: BareGit): Promise<SmallGitea> {
  const forge = await startForge({
    prefix: "/api/v1",
    description,
    isLogin: (text) => /^token \S+$/.test(text),
    refusal: (status, words) => refused(status, words),
    // Gitea counts nothing itself; what stands in front of it does.
    limit: (until) => ({
      status: 429,
      text: "Too many requests\n",
      headers: { "retry-after": String(Math.max(Math.ceil((until - Date.now()) / 1000), 1)) },
    }),
    etags: false,
    answer: (_, asked) => answerTo(gitea, git, asked),
  });
  const gitea: SmallGitea = Object.assign(forge, {
    path: "ann/garden",
    reviews: [],
    reviewComments: [],
    conversation: [],
    fromFork: new Set<number>(),
    logs: true,
    mergeable: true,
    mergeCommits: new Map(),
    heads: new Map(),
  });
  return gitea;
}

const said = (data: unknown, status = 200): Said => ({ status, data });
const refused = (status: number, message: string): Said =>
  said({ message, url: "https://gitea.example/api/swagger" }, status);
const NOT_FOUND = refused(404, "The target couldn't be found.");

async function answerTo(gitea: SmallGitea, git: BareGit, asked: Asked): Promise<Said> {
  const [, name = "", rest = ""] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(asked.path) ?? [];
  if (gitea.oldPaths.includes(name)) {
    const location = `/api/v1/repos/${gitea.path}${rest}${asked.query.size > 0 ? `?${asked.query}` : ""}`;
    return { status: 307, text: "", headers: { location } };
  }
  if (name !== gitea.path) return NOT_FOUND;
  const at = await branchesOf(git);
  if (rest === "/pulls") return listOrMake(gitea, at, asked);
  const [, number, part = ""] = /^\/(?:pulls|issues)\/(\d+)(\/.*)?$/.exec(rest) ?? [];
  if (number === undefined) return ofCi(gitea, asked, rest);
  const pull = gitea.pulls.find((one) => one.number === Number(number));
  return pull === undefined ? NOT_FOUND : ofOne(gitea, at, { ...asked, pull, part });
}

async function listOrMake(gitea: SmallGitea, at: Branches, asked: Asked): Promise<Said> {
  const { method, query, body } = asked;
  if (method === "GET") {
    const state = query.get("state") ?? "open";
    const found = gitea.pulls.filter((pull) => state === "all" || pull.state === state).toReversed();
    return pageOf(
      found.map((pull) => shown(gitea, at, pull)),
      asked,
      PAGES,
    );
  }
  const base = String(body.base);
  const [head, owner] = String(body.head).split(":").toReversed();
  if (at.head(String(head)) === null || at.head(base) === null) return NOT_FOUND;
  const open = gitea.pulls.find((one) => one.head === head && one.base === base && one.state === "open");
  if (open !== undefined)
    return refused(
      409,
      `pull request already exists for these targets [id: ${open.number}, issue_id: ${open.number}, head_repo_id: 1, base_repo_id: 1, head_branch: ${head}, base_branch: ${base}]`,
    );
  const number = gitea.pulls.length + 1;
  if (owner === "bob") gitea.fromFork.add(number);
  const pull: Pull = {
    number,
    state: "open",
    merged: false,
    ...readTitle(String(body.title)),
    body: String(body.body ?? ""),
    head: String(head),
    base,
  };
  gitea.pulls.push(pull);
  return said(shown(gitea, at, pull), 201);
}

function readTitle(title: string): Pick<Pull, "draft" | "title"> {
  const plain = title.replace(/^(?:WIP:|\[WIP\])\s*/i, "");
  return { draft: plain !== title, title: plain };
}

interface Part extends Asked {
  readonly pull: Pull;
  readonly part: string;
}

async function ofOne(gitea: SmallGitea, at: Branches, asked: Part): Promise<Said> {
  const { method, body, pull, part } = asked;
  if (part === "/merge") return mergeAnswer(gitea, at, asked);
  if (part === "/comments") {
    if (method === "GET") return said(gitea.conversation.map(commentShown));
    const one = { id: 2000 + gitea.conversation.length, body: String(body.body) };
    gitea.conversation.push(one);
    return said(commentShown(one), 201);
  }
  if (part === "/reviews")
    return method === "GET"
      ? pageOf(reviewsOf(gitea), asked, { ...PAGES, links: false })
      : review(gitea, body);
  const [, number] = /^\/reviews\/(\d+)\/comments$/.exec(part) ?? [];
  if (number !== undefined) return said(commentsOf(gitea, Number(number)).map(reviewCommentShown));
  if (part !== "") return NOT_FOUND;
  if (method === "PATCH") {
    if (typeof body.title === "string") Object.assign(pull, readTitle(body.title));
    if (typeof body.body === "string") pull.body = body.body;
  }
  return said(shown(gitea, at, pull), method === "PATCH" ? 201 : 200);
}

async function mergeAnswer(gitea: SmallGitea, at: Branches, { pull, body }: Part): Promise<Said> {
  const head = at.head(pull.head);
  if (pull.state !== "open") return refused(405, "The PR is already closed");
  if (pull.draft) return refused(405, "Work in progress PRs cannot be merged");
  if (gitea.protection !== null) return refused(405, gitea.protection);
  if (body.head_commit_id !== head) return refused(409, "head out of date");
  const commit = await mergeIn(at, pull, { squash: body.Do === "squash" });
  if (commit === null) return refused(409, "merge conflict");
  gitea.heads.set(pull.number, String(head));
  gitea.mergeCommits.set(pull.number, commit);
  Object.assign(pull, { state: "closed", merged: true });
  return { status: 200 };
}

function shown(gitea: SmallGitea, at: Branches, pull: Pull) {
  const { number, state, draft, title, body, head, base, merged } = pull;
  const there = at.head(head);
  if (there !== null) gitea.heads.set(number, there);
  const sha = gitea.heads.get(number) ?? "0".repeat(40);
  const isFork = gitea.fromFork.has(number);
  const page = `https://gitea.example/${gitea.path}/pulls/${number}`;
  return {
    id: 500 + number,
    number,
    url: page,
    html_url: page,
    user: ANN,
    title: draft ? `WIP: ${title}` : title,
    body: body ?? "",
    state,
    draft,
    mergeable: !draft && gitea.mergeable,
    merged,
    merged_at: merged ? AT : null,
    merge_commit_sha: merged ? (gitea.mergeCommits.get(number) ?? at.head(base)) : null,
    merge_base: sha,
    base: side(gitea, { branch: base, ref: base, sha: at.head(base) ?? sha, isFork: false }),
    // Of a branch that is gone, Gitea keeps the commits under a name of its own.
    head: side(gitea, { branch: head, ref: there === null ? `refs/pull/${number}/head` : head, sha, isFork }),
    created_at: AT,
    updated_at: AT,
    closed_at: null,
  };
}

const ANN = {
  id: 1,
  login: "ann",
  full_name: "Ann",
  avatar_url: "https://gitea.example/a",
  html_url: "https://gitea.example/ann",
};
const BOB = { ...ANN, id: 2, login: "bob", full_name: "Bob" };

function side(
  gitea: SmallGitea,
  {
    branch,
    ref,
    sha,
    isFork,
  }: { readonly branch: string; readonly ref: string; readonly sha: string; readonly isFork: boolean },
) {
  const [owner = "", name = ""] = gitea.path.split("/");
  const repo = {
    id: isFork ? 2 : 1,
    owner: isFork ? BOB : { ...ANN, login: owner },
    name,
    full_name: isFork ? "bob/garden" : gitea.path,
    html_url: PLACE,
    default_branch: "main",
    fork: isFork,
  };
  return { label: branch, ref, sha, repo_id: repo.id, repo };
}

/** Comments that a story has put on lines are one review each. */
function reviewsOf(gitea: SmallGitea) {
  const told = gitea.comments.map(({ id }) => ({ id, state: "COMMENT", body: "" }) as const);
  return [...told, ...gitea.reviews].map(({ id, state, body }) => ({
    id,
    user: BOB,
    state,
    body,
    commit_id: "0".repeat(40),
    stale: false,
    official: true,
    dismissed: false,
    comments_count: commentsOf(gitea, id).length,
    submitted_at: AT,
    updated_at: AT,
    html_url: `${PLACE}/pulls/1#issuecomment-${id}`,
    pull_request_url: `${PLACE}/pulls/1`,
  }));
}

function commentsOf({ comments, reviewComments }: SmallGitea, review: number): readonly ReviewComment[] {
  const told = comments.map((one) => ({ ...one, review: one.id }));
  return [...told, ...reviewComments].filter((one) => one.review === review);
}

/** The one way to answer a comment on a line. */
function review(gitea: SmallGitea, body: Asked["body"]): Said {
  const id = 3000 + gitea.reviews.length;
  gitea.reviews.push({ id, state: "COMMENT", body: String(body.body ?? "") });
  const comments = (body.comments ?? []) as readonly Readonly<Record<string, never>>[];
  for (const [at, { path, body: text, new_position, old_position }] of comments.entries())
    gitea.reviewComments.push({
      id: id * 10 + at,
      review: id,
      body: String(text),
      path: String(path),
      line: Number(new_position) > 0 ? Number(new_position) : -Number(old_position),
    });
  return said(reviewsOf(gitea).find((one) => one.id === id));
}

function reviewCommentShown({ id, review, body, path, line, resolved }: ReviewComment) {
  return {
    id,
    body,
    user: BOB,
    resolver: resolved === true ? ANN : null,
    pull_request_review_id: review,
    created_at: AT,
    updated_at: AT,
    path,
    commit_id: "0".repeat(40),
    original_commit_id: "0".repeat(40),
    diff_hunk: "@@ -1 +1 @@",
    position: line > 0 ? line : 0,
    original_position: line < 0 ? -line : 0,
    html_url: `${PLACE}/pulls/1/files#issuecomment-${id}`,
    pull_request_url: `${PLACE}/pulls/1`,
  };
}

function commentShown({ id, body }: { readonly id: number; readonly body: string }) {
  return {
    id,
    html_url: `${PLACE}/pulls/1#issuecomment-${id}`,
    pull_request_url: `${PLACE}/pulls/1`,
    issue_url: "",
    user: BOB,
    original_author: "",
    original_author_id: 0,
    body,
    assets: [],
    created_at: AT,
    updated_at: AT,
  };
}

/** A check is a job of Actions, whose status names the page of that job. */
function ofCi(gitea: SmallGitea, asked: Asked, rest: string): Said {
  const [, sha = ""] = /^\/commits\/([0-9a-f]+)\/statuses$/.exec(rest) ?? [];
  if (sha !== "") return pageOf((gitea.checks.get(sha) ?? []).map(statusShown).toReversed(), asked, PAGES);
  if (!gitea.logs) return NOT_FOUND;
  const all = [...gitea.checks].flatMap(([head_sha, some]) => some.map((one) => ({ head_sha, one })));
  const shape = (id: number, page: string, head_sha: string) => ({
    id,
    html_url: `${PLACE}${page}`,
    status: "completed",
    head_sha,
    url: PLACE,
  });
  if (rest === "/actions/runs") {
    const runs = all.filter(({ head_sha }) => head_sha === asked.query.get("head_sha"));
    const workflow_runs = runs.map(({ one, head_sha }) =>
      shape(100 + one.id, `/actions/runs/${one.id}`, head_sha),
    );
    return said({ total_count: runs.length, workflow_runs });
  }
  const [, run] = /^\/actions\/runs\/(\d+)\/jobs$/.exec(rest) ?? [];
  if (run !== undefined) {
    const jobs = all
      .filter(({ one }) => one.id + 100 === Number(run))
      .map(({ one, head_sha }) => shape(200 + one.id, `/actions/runs/${one.id}/jobs/0`, head_sha));
    return said({ total_count: jobs.length, jobs });
  }
  const [, job] = /^\/actions\/jobs\/(\d+)\/logs$/.exec(rest) ?? [];
  const found = all.find(({ one }) => one.id + 200 === Number(job));
  return found === undefined ? NOT_FOUND : { status: 200, text: found.one.output };
}

function statusShown({ id, name, conclusion }: Check) {
  return {
    id,
    status: conclusion ?? "pending",
    target_url: `/ann/garden/actions/runs/${id}/jobs/0`,
    description: conclusion === "failure" ? "Failing after 3s" : "",
    url: PLACE,
    context: name,
    creator: BOB,
    created_at: AT,
    updated_at: AT,
  };
}
