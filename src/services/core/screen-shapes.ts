/** Describes the answers that screens ask for: what a new task would do, what takes room, what is left. */
import type { StorageVerdict } from "../../domain/clean/storage-verdict.ts";
import type { Waiting } from "../../domain/run/waiting.ts";
import type { ListPage } from "./answer-shapes.ts";

/** What a new task would do; see `contract/endpoints/drafts.ts`. */
export interface TaskPreview {
  readonly repository: { readonly id: string | null; readonly name: string; readonly path: string };
  readonly base: {
    readonly name: string;
    readonly sha: string;
    readonly fetched_at: string | null;
    readonly checkout: { readonly ahead: number; readonly behind: number } | null;
  } | null;
  readonly base_problem: string | null;
  readonly attempts: readonly {
    readonly agent: string;
    readonly model: string | null;
    readonly ready: boolean;
    readonly reason: string | null;
    readonly remedy: string | null;
    readonly starts: "now" | "queued";
    readonly waits_for: Waiting | null;
    readonly estimate: {
      readonly low_usd: number;
      readonly high_usd: number;
      readonly runs: number;
    } | null;
  }[];
  readonly scripts: { readonly untrusted: number };
  readonly disk: {
    readonly need_bytes: number | null;
    readonly free_bytes: number;
    readonly floor_bytes: number;
  };
  readonly open_attempts: number;
}

/** The newest first. `truncated`: there are more than were looked at. */
export interface BranchList {
  readonly items: readonly {
    readonly name: string;
    readonly remote: boolean;
    readonly sha: string;
    readonly at: string;
  }[];
  readonly next: null;
  readonly truncated: boolean;
}

/** The best first. `truncated`: there are more than were looked at. */
export interface FoundFiles {
  readonly items: readonly { readonly path: string }[];
  readonly next: null;
  readonly truncated: boolean;
}

/** What takes room; see `contract/endpoints/trash.ts`. */
export interface StorageItem {
  readonly attempt: string | null;
  readonly task: string | null;
  readonly title: string;
  readonly repository: { readonly id: string; readonly name: string } | null;
  readonly agent: string | null;
  readonly state: string | null;
  readonly path: string | null;
  readonly branch: string | null;
  readonly bytes: number | null;
  readonly scanned_at: string | null;
  readonly last_used_at: string | null;
  readonly dirty: boolean | null;
  readonly unpushed: boolean | null;
  readonly verdict: StorageVerdict | "not_ours" | null;
  readonly reason: string | null;
  readonly remedy: string | null;
}

export interface StorageList extends ListPage<StorageItem> {
  readonly totals: Readonly<
    Record<"worktrees" | "trash" | "logs" | "database" | "clones", number | null> & { readonly free: number }
  >;
  readonly scanned_at: string | null;
  readonly scanning: boolean;
}

/** What this machine has left for runs; see `contract/endpoints/engine.ts`. */
export interface Capacity {
  readonly slots: { readonly used: number; readonly limit: number };
  readonly logins: readonly { readonly login: string; readonly resume_at: string; readonly reason: string }[];
  readonly spent_today_usd: number;
  readonly budget_usd: number | null;
  readonly disk: { readonly free_bytes: number; readonly floor_bytes: number; readonly path: string };
}

/** A setting that was written. */
export interface SettingSet {
  readonly file: string;
  readonly key: string;
  readonly value: unknown;
}
