/** Declares what every forge can do for a pull request; each forge implements it in a folder of its own. */
import type { Result } from "neverthrow";
import type { ForgeCheck, PullRequest, ReviewThread } from "../domain/pull-request/pull-request.ts";
import type { Clock } from "../utils/time/clock.ts";

export interface Forge {
  readonly kind: ForgeKind;
  /** The pull request whose head is this branch: the open one, else the newest; null if there is none. */
  find(head: HeadBranch): Answer<PullRequest | null>;
  /** One that is open already (made before a crash, or by a person) is the answer, not an error. */
  create(request: NewPullRequest): Answer<PullRequest>;
  update(number: number, change: PullRequestChange): Answer<PullRequest>;
  read(number: number): Answer<PullRequest>;
  /** Of its head commit: one for each name, the newest. */
  checks(of: Pick<PullRequest, "number" | "head">): Answer<readonly ForgeCheck[]>;
  /** The end of a failed check's log, if the forge keeps one. */
  checkLog(check: ForgeCheck): Answer<string | null>;
  threads(number: number): Answer<readonly ReviewThread[]>;
  /** Says it once: a comment of ours with these words in that place is not repeated. The mark is put in front. */
  comment(number: number, comment: NewComment): Answer<void>;
  /** Refused with `forge_conflict` if the head is no longer `sha`. Merged already is success. */
  merge(number: number, options: MergeOptions): Answer<{ readonly commit: string | null }>;
}

/** Grows by one word with each forge. */
export type ForgeKind = "github" | "gitlab" | "gitea";

export type Answer<T> = Promise<Result<T, ForgeError>>;

export interface HeadBranch {
  /** The repository that has the branch, if it is not the one that gets the pull request. */
  readonly fork: { readonly owner: string; readonly name: string } | null;
  readonly branch: string;
}

export interface NewPullRequest {
  readonly head: HeadBranch;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export interface PullRequestChange {
  readonly title?: string;
  readonly body?: string;
  readonly draft?: boolean;
}

export interface NewComment {
  readonly body: string;
  /** The thread that it answers; null if it is about the whole pull request. */
  readonly thread: string | null;
}

export interface MergeOptions {
  readonly sha: string;
  readonly squash: boolean;
  readonly title: string | null;
}

export interface ForgeError {
  readonly code:
    | "forge_auth"
    | "forge_forbidden"
    | "forge_not_found"
    | "rate_limited"
    | "forge_refused"
    | "forge_conflict"
    | "forge_unavailable";
  /** One sentence with the forge's own words, redacted. */
  readonly message: string;
  /** Of HTTP; null if no answer came. */
  readonly status: number | null;
  /** UTC, ISO; set with `rate_limited`. */
  readonly resumeAt: string | null;
  /** Whether the same request may succeed later. */
  readonly transient: boolean;
}

/** What a forge is opened with. */
export interface ForgeAccess {
  /** https, or http on loopback only. */
  readonly apiUrl: string;
  /** On GitLab the owner may have slashes in it. */
  readonly repository: { readonly owner: string; readonly name: string };
  /** Asked at each call. The token is never stored, logged, or sent to another host. Null: none is known. */
  readonly token: () => Promise<string | null>;
  readonly clock: Pick<Clock, "now">;
  /** Ends every call that is under way. */
  readonly signal: AbortSignal;
  /** For each request. */
  readonly timeoutMs: number;
}
