/** Plays the part of GitLab that a merge request needs: the project `ann/garden`, a fork of it, and real branches. */
import description from "../../fixtures/forges/gitlab.json";
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

interface Note {
  readonly id: number;
  readonly body: string;
  /** Of a discussion; null for a note that stands alone. */
  readonly discussion: string | null;
  readonly system?: boolean;
  readonly resolved?: boolean;
  /** On a line: the old one if it is negative. */
  readonly on?: { readonly path: string; readonly line: number; readonly sha?: string };
}

export interface SmallGitLab extends SmallForge {
  /** With groups, as it is called now. */
  path: string;
  readonly notes: Note[];
  /** Statuses of other CI, by commit. */
  readonly statuses: Map<string, Check[]>;
  /** Numbers of merge requests whose branch is in the fork. */
  readonly fromFork: Set<number>;
  /** Numbers of jobs that started the pipeline with this one job. */
  readonly downstream: Map<number, Check>;
  /** What GitLab says of every open merge request, over what it would say. */
  shown: Readonly<Record<string, unknown>>;
  readonly mergeCommits: Map<number, string>;
  readonly heads: Map<number, string>;
}

const PROJECT = 7;
const FORK = 8;
const AT = "2026-01-01T00:00:00.000Z";
const PAGES = { size: "per_page", first: 20, most: 100, total: "x-total" };

export async function smallGitLab(git: BareGit): Promise<SmallGitLab> {
  const forge = await startForge({
    prefix: "/api/v4",
    description,
    isLogin: (text) => /^Bearer \S+$/.test(text),
    refusal: (status, words) => ({ status, data: { message: `${status} ${words}` } }),
    limit: (until) => ({
      status: 429,
      text: "Retry later\n",
      headers: {
        "ratelimit-remaining": "0",
        "ratelimit-reset": String(Math.ceil(until / 1000)),
        "retry-after": String(Math.max(Math.ceil((until - Date.now()) / 1000), 1)),
      },
    }),
    etags: true,
    answer: (_, asked) => answerTo(gitlab, git, asked),
  });
  const gitlab: SmallGitLab = Object.assign(forge, {
    path: "ann/garden",
    notes: [],
    statuses: new Map(),
    fromFork: new Set<number>(),
    downstream: new Map(),
    shown: {},
    mergeCommits: new Map(),
    heads: new Map(),
  });
  return gitlab;
}

const said = (data: unknown, status = 200): Said => ({ status, data });
const NOT_FOUND = said({ message: "404 Not found" }, 404);

async function answerTo(gitlab: SmallGitLab, git: BareGit, asked: Asked): Promise<Said> {
  const [, id = "", rest = ""] = /^\/projects\/([^/]+)(.*)$/.exec(asked.path) ?? [];
  const name = decodeURIComponent(id);
  if (gitlab.oldPaths.includes(name)) return moved(gitlab, asked, rest);
  const project =
    name === String(PROJECT) || name === gitlab.path
      ? PROJECT
      : name === String(FORK) || name === "bob/garden"
        ? FORK
        : null;
  if (project === null) return said({ message: "404 Project Not Found" }, 404);
  if (rest === "") return said(projectShown(gitlab, project));
  const at = await branchesOf(git);
  if (rest === "/merge_requests") return listOrMake(gitlab, at, { ...asked, project });
  const [, number, part = ""] = /^\/merge_requests\/(\d+)(\/.*)?$/.exec(rest) ?? [];
  if (number !== undefined) {
    const pull = gitlab.pulls.find((one) => one.number === Number(number));
    return pull === undefined || project === FORK ? NOT_FOUND : ofOne(gitlab, at, { ...asked, pull, part });
  }
  return ofCi(gitlab, asked, rest);
}

/** What writes is refused under an old path, and what reads is led to the number. */
function moved(gitlab: SmallGitLab, { method }: Asked, rest: string): Said {
  if (method !== "GET")
    return said({ message: "405 Non GET methods are not allowed for moved projects" }, 405);
  const location = `${gitlab.url}/projects/${PROJECT}${rest}`;
  return {
    status: 301,
    text: `This resource has been moved permanently to ${location}`,
    headers: { location },
  };
}

function projectShown({ path }: SmallGitLab, project: number) {
  const full = project === FORK ? "bob/garden" : path;
  const name = full.slice(full.lastIndexOf("/") + 1);
  const web_url = `https://gitlab.example/${full}`;
  return { id: project, name, path: name, path_with_namespace: full, web_url, default_branch: "main" };
}

async function listOrMake(
  gitlab: SmallGitLab,
  at: Branches,
  asked: Asked & { readonly project: number },
): Promise<Said> {
  const { method, query, body, project } = asked;
  if (method === "GET") {
    const found = gitlab.pulls
      .filter(({ head }) => query.get("source_branch") === null || head === query.get("source_branch"))
      .filter((pull) => [null, String(sourceOf(gitlab, pull))].includes(query.get("source_project_id")))
      .toReversed();
    return pageOf(
      found.map((pull) => shown(gitlab, at, pull)),
      asked,
      PAGES,
    );
  }
  const {
    source_branch: head,
    target_branch: base,
    title,
    description: text,
    target_project_id,
  } = body as {
    [name: string]: string;
  };
  const heads = [at.head(String(head)), at.head(String(base))];
  const open = gitlab.pulls.find((one) => one.head === head && one.base === base && one.state === "open");
  if (open !== undefined)
    return said(
      { message: [`Another open merge request already exists for this source branch: !${open.number}`] },
      409,
    );
  if (heads.includes(null) || Number(target_project_id ?? project) !== PROJECT)
    return said({ message: { base: ["The branch does not exist"] } }, 400);
  const number = gitlab.pulls.length + 1;
  const pull: Pull = {
    number,
    state: "open",
    merged: false,
    ...readTitle(String(title)),
    body: obeyed(String(text ?? "")),
    head: String(head),
    base: String(base),
  };
  gitlab.pulls.push(pull);
  if (project === FORK) gitlab.fromFork.add(number);
  return said(shownWhole(gitlab, at, pull), 201);
}

function readTitle(title: string): Pick<Pull, "draft" | "title"> {
  const plain = title.replace(/^(?:(?:\[draft\]|\(draft\)|draft:)\s*)+/i, "");
  return { draft: plain !== title, title: plain };
}

/** A line that begins with the name of an action is obeyed, and vanishes. */
function obeyed(text: string): string {
  return text.replace(/^\/(?:merge|approve|close|assign|label|draft|target_branch)\b.*\n?/gm, "");
}

interface Part extends Asked {
  readonly pull: Pull;
  readonly part: string;
}

async function ofOne(gitlab: SmallGitLab, at: Branches, asked: Part): Promise<Said> {
  const { method, body, pull, part } = asked;
  if (part === "/merge") return mergeAnswer(gitlab, at, asked);
  if (part === "/discussions") return pageOf(discussionsOf(gitlab, at, pull), asked, PAGES);
  if (part === "/notes" || part.endsWith("/notes")) {
    const discussion = /^\/discussions\/(\w+)\/notes$/.exec(part)?.[1] ?? null;
    const id = 1000 + gitlab.notes.length;
    gitlab.notes.push({ id, body: obeyed(String(body.body)), discussion });
    return said(noteShown({ id, body: String(body.body), discussion }, "0"), 201);
  }
  if (part !== "") return NOT_FOUND;
  if (method === "PUT") {
    if (typeof body.title === "string") Object.assign(pull, readTitle(body.title));
    if (typeof body.description === "string") pull.body = obeyed(body.description);
  }
  return said(shownWhole(gitlab, at, pull));
}

async function mergeAnswer(gitlab: SmallGitLab, at: Branches, { pull, body }: Part): Promise<Said> {
  const head = at.head(pull.head);
  if (gitlab.protection !== null || pull.state !== "open" || pull.draft)
    return said({ message: "405 Method Not Allowed" }, 405);
  if (body.sha !== head) return said({ message: `SHA does not match HEAD of source branch: ${head}` }, 409);
  const commit = await mergeIn(at, pull, { squash: body.squash === true });
  if (commit === null) return said({ message: "422 Branch cannot be merged" }, 422);
  gitlab.heads.set(pull.number, String(head));
  gitlab.mergeCommits.set(pull.number, commit);
  Object.assign(pull, { state: "closed", merged: true });
  return said(shownWhole(gitlab, at, pull));
}

function sourceOf({ fromFork }: SmallGitLab, { number }: Pull): number {
  return fromFork.has(number) ? FORK : PROJECT;
}

function shown(gitlab: SmallGitLab, at: Branches, pull: Pull) {
  const { number, draft, title, body, head, base, merged } = pull;
  const sha = at.head(head) ?? gitlab.heads.get(number) ?? null;
  if (sha !== null) gitlab.heads.set(number, sha);
  const isOpen = pull.state === "open";
  const block = isOpen ? (gitlab.protection ?? (draft ? "draft_status" : "mergeable")) : "not_open";
  return {
    id: 500 + number,
    iid: number,
    project_id: PROJECT,
    title: draft ? `Draft: ${title}` : title,
    description: body,
    state: merged ? "merged" : isOpen ? "opened" : "closed",
    created_at: AT,
    updated_at: AT,
    merged_at: merged ? AT : null,
    closed_at: null,
    target_branch: base,
    source_branch: head,
    author: ANN,
    source_project_id: sourceOf(gitlab, pull),
    target_project_id: PROJECT,
    draft,
    work_in_progress: draft,
    merge_status: "can_be_merged",
    detailed_merge_status: block,
    sha,
    merge_commit_sha: merged ? (gitlab.mergeCommits.get(number) ?? at.head(base)) : null,
    squash_commit_sha: null,
    web_url: `https://gitlab.example/${gitlab.path}/-/merge_requests/${number}`,
    squash: false,
    has_conflicts: false,
    blocking_discussions_resolved: true,
    should_remove_source_branch: null,
    force_remove_source_branch: false,
    labels: [],
    ...(isOpen ? gitlab.shown : {}),
  };
}

const ANN = {
  id: 1,
  username: "ann",
  name: "Ann",
  state: "active",
  avatar_url: null,
  web_url: "https://gitlab.example/ann",
};

function shownWhole(gitlab: SmallGitLab, at: Branches, pull: Pull) {
  const basic = shown(gitlab, at, pull);
  const { sha } = basic;
  const checks = gitlab.checks.get(String(sha)) ?? [];
  return {
    changes_count: "1",
    diff_refs: sha === null ? null : { base_sha: sha, head_sha: sha, start_sha: sha },
    merge_error: null,
    user: { can_merge: true },
    head_pipeline: checks.length === 0 ? null : pipeline(900, String(sha), checks),
    ...basic,
  };
}

function pipeline(id: number, sha: string, checks: readonly Check[]) {
  const failed = checks.some(({ conclusion }) => conclusion === "failure");
  return {
    id,
    iid: 1,
    project_id: PROJECT,
    sha,
    ref: "work",
    status: failed ? "failed" : checks.some(({ conclusion }) => conclusion === null) ? "running" : "success",
    source: "merge_request_event",
    created_at: AT,
    updated_at: AT,
    web_url: `https://gitlab.example/ann/garden/-/pipelines/${id}`,
  };
}

/** The jobs of the pipeline of the last commit that has any, their logs, and statuses of other CI. */
function ofCi(gitlab: SmallGitLab, asked: Asked, rest: string): Said {
  const [sha, checks] = [...gitlab.checks].at(-1) ?? ["", []];
  const below = [...gitlab.downstream];
  const whole = pipeline(900, sha, checks);
  const [, number, kind] = /^\/pipelines\/(\d+)\/(jobs|bridges)$/.exec(rest) ?? [];
  if (number === "900" && kind === "bridges") {
    const bridges = below.map(([id, check]) => ({
      ...jobShown({ ...check, id, name: `deploy ${id}` }, whole),
      downstream_pipeline: pipeline(id, sha, [check]),
    }));
    return pageOf(bridges, asked, PAGES);
  }
  const jobs =
    number === "900" ? checks : below.filter(([id]) => id === Number(number)).map(([, one]) => one);
  if (kind !== undefined) {
    const listed = kind === "jobs" ? jobs.map((one) => jobShown(one, whole)) : [];
    return pageOf(listed, asked, PAGES);
  }
  const [, job] = /^\/jobs\/(\d+)\/trace$/.exec(rest) ?? [];
  const one = [...checks, ...gitlab.downstream.values()].find(({ id }) => id === Number(job));
  if (job !== undefined) return one === undefined ? NOT_FOUND : { status: 200, text: traceOf(one) };
  const [, of] = /^\/repository\/commits\/([0-9a-f]+)\/statuses$/.exec(rest) ?? [];
  if (of === undefined) return NOT_FOUND;
  const own = (gitlab.checks.get(of) ?? []).map((each) => statusShown(of, each, `/-/jobs/${each.id}`));
  const others = (gitlab.statuses.get(of) ?? []).map((each) => statusShown(of, each, "/builds"));
  return pageOf([...own, ...others], asked, PAGES);
}

/** As a runner writes it: with colours, and with sections that may be folded away. */
function traceOf({ output }: Check): string {
  return `section_start:1767225600:step_script\r\u001b[0K\u001b[31m${output}\u001b[0m\nsection_end:1767225601:step_script\r\u001b[0K`;
}

function statusOf({ conclusion }: Check): string {
  return conclusion === null ? "running" : conclusion === "failure" ? "failed" : "success";
}

function jobShown(check: Check, whole: ReturnType<typeof pipeline>) {
  const status = statusOf(check);
  return {
    id: check.id,
    name: check.name,
    stage: "test",
    status,
    ref: "work",
    tag: false,
    allow_failure: false,
    created_at: AT,
    started_at: AT,
    finished_at: check.conclusion === null ? null : AT,
    web_url: `https://gitlab.example/ann/garden/-/jobs/${check.id}`,
    pipeline: whole,
    ...(status === "failed" ? { failure_reason: "script_failure" } : {}),
  };
}

function statusShown(sha: string, check: Check, page: string) {
  return {
    id: check.id,
    sha,
    ref: "work",
    status: statusOf(check),
    name: check.name,
    target_url: `https://ci.example${page}`,
    description: check.output,
    created_at: AT,
    started_at: AT,
    finished_at: AT,
    allow_failure: false,
    author: ANN,
  };
}

function discussionsOf(gitlab: SmallGitLab, at: Branches, pull: Pull) {
  const sha = at.head(pull.head) ?? "";
  const onLines: readonly Note[] = gitlab.comments.map(({ id, body, path, line }) => ({
    id,
    body,
    discussion: discussionId(id),
    on: { path, line },
  }));
  const groups = Map.groupBy([...onLines, ...gitlab.notes], ({ id, discussion }) => discussion ?? `${id}`);
  return [...groups.values()].map((notes) => ({
    id: notes[0]?.discussion ?? "f".repeat(40),
    individual_note: notes[0]?.discussion === null,
    notes: notes.map((note) => noteShown(note, sha)),
  }));
}

/** Forty digits of its own for the comment. */
export function discussionId(comment: number): string {
  return comment.toString(16).padStart(40, "a");
}

function noteShown({ id, body, discussion, system, resolved, on }: Note, head: string) {
  const sha = on?.sha ?? head;
  const isOld = (on?.line ?? 0) < 0;
  return {
    id,
    type: on !== undefined ? "DiffNote" : discussion === null ? null : "DiscussionNote",
    body,
    author: { ...ANN, id: 2, username: "bob", name: "Bob" },
    created_at: AT,
    updated_at: AT,
    system: system ?? false,
    noteable_id: 501,
    noteable_type: "MergeRequest",
    noteable_iid: 1,
    resolvable: discussion !== null,
    ...(discussion === null ? {} : { resolved: resolved ?? false }),
    ...(on === undefined
      ? {}
      : {
          position: {
            base_sha: sha,
            start_sha: sha,
            head_sha: sha,
            old_path: on.path,
            new_path: on.path,
            position_type: "text",
            old_line: isOld ? -on.line : null,
            new_line: isOld ? null : on.line,
          },
        }),
  };
}
