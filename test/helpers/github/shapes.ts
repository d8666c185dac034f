/** Shows what the small GitHub holds in the shapes of the real one: its own examples, with our values in them. */
import { example } from "./description.ts";
import type { CheckRun, CommitStatus, Garden, LineComment, Pull, Remark } from "./garden.ts";

type Json = Readonly<Record<string, unknown>>;

const SITE = "https://github.example";
const TIME = "2026-01-01T00:00:00Z";

/** Later for every change. */
const timeOf = (version = 0) => new Date(Date.parse(TIME) + version * 1000).toISOString().replace(".000", "");

const user = (login: string): Json => ({ ...(example("pull-request").user as Json), login });

export function repositoryShape({ name }: Garden): Json {
  const [owner = "", repo = ""] = name.split("/");
  const { template_repository: _t, parent: _p, source: _s, ...rest } = example("full-repository");
  return {
    ...rest,
    id: 1,
    name: repo,
    full_name: name,
    owner: user(owner),
    private: true,
    default_branch: "main",
    has_discussions: false,
  };
}

function branchShape({ name }: Garden, ref: string, sha: string): Json {
  const [owner = "", repo = ""] = name.split("/");
  const shown = (example("pull-request").head as Json).repo as Json;
  const repository = { ...shown, id: 1, name: repo, full_name: name, owner: user(owner), private: true };
  return { label: `${owner}:${ref}`, ref, sha, user: user(owner), repo: repository };
}

/** As one of a list, which says less. */
export function listedPullShape(garden: Garden, pull: Pull): Json {
  const { head, base } = example("pull-request-simple-items");
  const shown = common(garden, pull);
  const inList = (whole: Json, of: unknown) => {
    const { template_repository: _t, ...repo } = { ...((of as Json).repo as Json), ...(whole.repo as Json) };
    return { ...whole, repo: withoutCounts(repo) };
  };
  return {
    ...example("pull-request-simple-items"),
    ...shown,
    head: inList(shown.head as Json, head),
    base: inList(shown.base as Json, base),
  };
}

function withoutCounts({ subscribers_count: _s, network_count: _n, ...rest }: Json): Json {
  return rest;
}

/** `base` is the commit of the base branch. */
export function pullShape(garden: Garden, pull: Pull): Json {
  const { merged } = pull;
  const isOpen = pull.state === "open";
  return {
    ...example("pull-request"),
    ...common(garden, pull),
    merged,
    merged_by: merged ? user("bob") : null,
    mergeable: isOpen ? (pull.mergeable ?? null) : null,
    mergeable_state: isOpen ? mergeState(garden, pull) : "unknown",
  };
}

function mergeState({ protection, checks }: Garden, pull: Pull): string {
  if (pull.mergeable == null) return "unknown";
  if (!pull.mergeable) return "dirty";
  if (pull.draft) return "draft";
  if (protection !== null) return "blocked";
  const failed = (checks.get(pull.sha ?? "") ?? []).some(({ conclusion }) => conclusion === "failure");
  return failed ? "unstable" : "clean";
}

function common(garden: Garden, pull: Pull): Json {
  const { number, state, draft, title, body, head, base, merged, version } = pull;
  const nowhere = "0".repeat(40);
  return {
    number,
    state,
    draft,
    title,
    body,
    locked: false,
    node_id: `node ${number}`,
    html_url: `${SITE}/${garden.name}/pull/${number}`,
    head: branchShape(garden, head, pull.sha ?? nowhere),
    base: branchShape(garden, base, nowhere),
    user: user(pull.author ?? "ann"),
    assignee: null,
    assignees: [],
    labels: [],
    milestone: null,
    requested_reviewers: [],
    requested_teams: [],
    created_at: TIME,
    updated_at: timeOf(version),
    closed_at: state === "open" ? null : timeOf(version),
    merged_at: merged ? timeOf(version) : null,
    merge_commit_sha: pull.mergeCommit ?? null,
  };
}

export function checkRunShape(sha: string, { id, name, conclusion, output, log }: CheckRun): Json {
  const shown = example("check-run");
  return {
    ...shown,
    id,
    head_sha: sha,
    name,
    status: conclusion === null ? "in_progress" : "completed",
    conclusion,
    html_url: `${SITE}/check/${id}`,
    started_at: TIME,
    completed_at: conclusion === null ? null : TIME,
    output: { ...(shown.output as Json), title: null, summary: output, text: null },
    app: { ...(shown.app as Json), id: 1, slug: log === undefined ? "ci" : "github-actions" },
    pull_requests: [],
  };
}

export function statusShape({ id, context, state, description }: CommitStatus): Json {
  return { ...example("status-items"), id, context, state, description, updated_at: TIME };
}

export function lineCommentShape({ id, body, path, line, answers, author }: LineComment): Json {
  const {
    in_reply_to_id: _i,
    start_line: _s,
    start_side: _d,
    ...shown
  } = example("pull-request-review-comment");
  return {
    ...shown,
    ...remark({ id, body, ...(author === undefined ? {} : { author }) }),
    path,
    line,
    original_line: line,
    side: "RIGHT",
    subject_type: "line",
    ...(answers === undefined ? {} : { in_reply_to_id: answers }),
  };
}

export function reviewShape(one: Remark): Json {
  const { created_at: _c, ...rest } = remark(one);
  return { ...example("pull-request-review"), ...rest, state: "COMMENTED", submitted_at: TIME };
}

export function commentShape(one: Remark): Json {
  return { ...example("issue-comment"), ...remark(one) };
}

function remark({ id, body, author = "bob" }: Remark): Json {
  return { id, body, user: user(author), html_url: `${SITE}/comment/${id}`, created_at: TIME };
}

export function branchWithProtection(name: string, sha: string): Json {
  const { protection: _p, ...shown } = example("branch-with-protection");
  const protection = { enabled: false };
  return { ...shown, name, protection, commit: { ...(shown.commit as Json), sha } };
}
