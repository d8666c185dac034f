/** Holds what the small GitHub knows of its one repository, and keeps pull requests in step with the real branches. */

export interface Pull {
  readonly number: number;
  state: "open" | "closed";
  merged: boolean;
  draft: boolean;
  title: string;
  body: string | null;
  head: string;
  base: string;
  /** Who opened it. */
  author?: string;
  /** The newest commit of the head that was seen; it stays when the branch is gone. */
  sha?: string;
  mergeCommit?: string | null;
  /** `HEAD BASE` for which GitHub has tried a merge; it knows no answer before. */
  triedFor?: string;
  mergeable?: boolean | null;
  /** How often it changed. */
  version?: number;
}

export interface CheckRun {
  readonly id: number;
  readonly name: string;
  readonly conclusion: "success" | "failure" | null;
  readonly output: string;
  /** The log of its job, if GitHub Actions ran it. */
  readonly log?: string;
}

/** What older CI says of a commit. */
export interface CommitStatus {
  readonly id: number;
  readonly context: string;
  readonly state: "success" | "failure" | "error" | "pending";
  readonly description: string | null;
}

export interface LineComment {
  readonly id: number;
  readonly body: string;
  readonly path: string;
  readonly line: number;
  /** The first comment of its thread, if it is an answer. */
  readonly answers?: number;
  readonly author?: string;
  /** The only pull request that has it; all of them unless told. */
  readonly pull?: number;
  resolved?: boolean;
}

/** A review's own words, or a comment in the conversation. */
export interface Remark {
  readonly id: number;
  readonly body: string;
  readonly author?: string;
}

export interface Garden {
  /** `owner/name`, as it is called now. */
  name: string;
  /** What it was called before: GitHub leads from there to its number. */
  readonly oldNames: string[];
  readonly pulls: Pull[];
  /** By commit. */
  readonly checks: Map<string, CheckRun[]>;
  readonly statuses: Map<string, CommitStatus[]>;
  readonly comments: LineComment[];
  readonly reviews: Remark[];
  readonly conversation: Remark[];
  /** Why nothing may be merged now, in the words of the protection; null if all may. */
  protection: string | null;
  /** Whether it knows drafts: a private repository of a free plan does not. */
  drafts: boolean;
}

/** Runs git in the bare repository, and throws if it fails. */
export type BareGit = (...args: readonly string[]) => Promise<string>;

export function newGarden(): Garden {
  return {
    name: "ann/garden",
    oldNames: [],
    pulls: [],
    checks: new Map(),
    statuses: new Map(),
    comments: [],
    reviews: [],
    conversation: [],
    protection: null,
    drafts: true,
  };
}

/** Of every branch its commit. */
export async function branchesOf(git: BareGit): Promise<ReadonlyMap<string, string>> {
  const text = await git("for-each-ref", "--format=%(refname:lstrip=2) %(objectname)", "refs/heads");
  return new Map(
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" ") as [string, string]),
  );
}

/**
 * As GitHub does on each push: an open pull request follows its branch. It is closed if one of its branches is deleted,
 * or if nothing is left between them. It is merged if its commits have come into the base.
 */
export async function keepInStep(garden: Garden, git: BareGit): Promise<void> {
  const branches = await branchesOf(git);
  for (const pull of garden.pulls) {
    if (pull.state !== "open") continue;
    const [head, base] = [branches.get(pull.head), branches.get(pull.base)];
    const before = pull.sha ?? head;
    if (head !== undefined) pull.sha = head;
    if (head === undefined || base === undefined) close(pull);
    else if (!(await holds(git, base, head))) continue;
    else if (before !== undefined && (await holds(git, base, before))) {
      close(pull);
      Object.assign(pull, { merged: true, mergeCommit: base });
    } else close(pull);
  }
}

export function touch(pull: Pull): void {
  pull.version = (pull.version ?? 0) + 1;
}

function close(pull: Pull): void {
  pull.state = "closed";
  touch(pull);
}

export function holds(git: BareGit, whole: string, part: string): Promise<boolean> {
  return git("merge-base", "--is-ancestor", part, whole).then(
    () => true,
    () => false,
  );
}

/** The tree of a merge; null if there are conflicts. */
export function triedMerge(git: BareGit, base: string, head: string): Promise<string | null> {
  return git("merge-tree", "--write-tree", base, head).catch(() => null);
}
