/** Searches a folder or a file, and keeps the most telling lines. */

import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as afterOthers } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { Host } from "../../core/context.ts";
import { failure, success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import { refuseGitDirectory } from "../../files/git-directory.ts";
import { createIgnoreRules, isIgnoredThroughout } from "../../files/ignore-rules.ts";
import { relativePath } from "../../files/relative-path.ts";
import { filesByRipgrep, filesByWalk, type NamedFiles, type SearchedFolder } from "./candidates.ts";
import { globFilter } from "./glob.ts";
import { createLineMatcher, type LineMatcher, type Query } from "./line_matcher.ts";
import { byRank, type RankedLine } from "./rank_line.ts";
import { type Pause, type Scanned, scanFile } from "./scan_file.ts";
import type { CodebaseSearchOutput } from "./types.ts";

export interface Search {
  readonly root: string;
  /** Real absolute path in it. */
  readonly path: string;
  readonly query: Query;
  readonly glob: string | null;
  readonly most: number;
  readonly contextLines: number;
  readonly host: Host;
  readonly signal: AbortSignal | null;
}

/** For the whole search. */
const TIMEOUT_MS = 10_000;
/** How long others may wait for their turn. */
const TURN_MS = 10;

export async function searchCodebase(
  search: Search,
): Promise<Result<ToolSuccess<CodebaseSearchOutput>, ToolRefusal>> {
  const { root, path, query, signal } = search;
  const matcher = createLineMatcher(query);
  if (matcher.isErr()) return err(invalidRegex(matcher.error.at, matcher.error.why));
  const guarded = refuseGitDirectory(root, path);
  if (guarded !== null) return err(guarded);
  const clock = createTurns(TIMEOUT_MS, signal);
  const skipped = { binary: 0, unreadable: 0, long: 0 };
  const named = await candidates(search, matcher.value, { clock, skipped });
  if (named.isErr()) return err(named.error);
  const found = await scanAll(search, matcher.value, { clock, skipped, files: named.value.files });
  if (signal?.aborted) return err(failure("CANCELED", "The call was canceled."));
  const timedOut = clock.isOver();
  const data = {
    matches: found.best.map((line) => line.found),
    total_matches: found.lines,
    matched_files: found.files,
    truncated: found.lines > search.most || timedOut || named.value.cut,
    timed_out: timedOut,
  };
  return ok(success(data, { engine: named.value.engine, skipped }));
}

interface Work {
  readonly clock: Turns;
  readonly skipped: Record<"binary" | "unreadable" | "long", number>;
}

async function candidates(
  { root, path, glob, host, signal }: Search,
  matcher: LineMatcher,
  { clock, skipped }: Work,
): Promise<Result<NamedFiles & { readonly engine: "ripgrep" | "built-in" }, ToolRefusal>> {
  const shown = relativePath(root, path);
  const kind = kindOf(path);
  if (kind === "other")
    return err(
      failure("NOT_FILE", `${shown} is neither a folder nor a plain file.`, { details: { path: shown } }),
    );
  if (kind === "file") return ok({ files: [shown], cut: false, engine: "built-in" });
  const rules = createIgnoreRules(root);
  const folder: SearchedFolder = {
    root,
    folder: shown,
    rules: isIgnoredThroughout(rules, shown, "directory") ? null : rules,
  };
  const fast = await filesByRipgrep(folder, matcher, { host, timeoutMs: clock.left(), signal });
  const onUnreadable = () => {
    skipped.unreadable += 1;
  };
  const named = fast ?? (await filesByWalk(folder, { pause: clock.pause, onUnreadable }));
  const files = glob === null ? named.files : named.files.filter(globFilter(glob));
  return ok({ files, cut: named.cut, engine: fast === null ? "built-in" : "ripgrep" });
}

function kindOf(path: string): "folder" | "file" | "other" {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return "folder";
  return stats?.isFile() ? "file" : "other";
}

interface Found {
  readonly best: readonly RankedLine[];
  readonly lines: number;
  readonly files: number;
}

async function scanAll(
  { root, most, contextLines }: Search,
  { find }: LineMatcher,
  { clock, skipped, files }: Work & { readonly files: readonly string[] },
): Promise<Found> {
  let best: RankedLine[] = [];
  let [lines, matched] = [0, 0];
  for (const shown of files) {
    const isNamed = find(basename(shown), 0) !== null;
    const before = lines;
    const became: Scanned = await scanFile({
      root,
      path: join(root, shown),
      shown,
      find,
      contextLines,
      pause: clock.pause,
      onLine: (found) => {
        lines += 1;
        best.push({ found, isNamed });
        if (best.length >= most * 4) best = best.sort(byRank).slice(0, most);
      },
    });
    if (lines > before) matched += 1;
    if (became === "binary" || became === "unreadable" || became === "long") skipped[became] += 1;
    if (became === "stopped" || (await clock.pause())) break;
  }
  return { best: best.sort(byRank).slice(0, most), lines, files: matched };
}

interface Turns {
  /** Ends the search once the time is over or the caller has changed their mind. */
  readonly pause: Pause;
  readonly isOver: () => boolean;
  /** Milliseconds. */
  readonly left: () => number;
}

/** Shares this thread: whoever works asks often, and is held up only now and then. */
function createTurns(timeoutMs: number, signal: AbortSignal | null): Turns {
  const end = performance.now() + timeoutMs;
  let turn = performance.now();
  let over = false;
  return {
    pause: () => {
      const now = performance.now();
      if (now - turn < TURN_MS) return false;
      over = over || now > end;
      return afterOthers(over || (signal?.aborted ?? false)).then((stop) => {
        turn = performance.now();
        return stop;
      });
    },
    isOver: () => over,
    left: () => Math.max(1, end - performance.now()),
  };
}

function invalidRegex(at: number, why: string): ToolRefusal {
  return failure(
    "INVALID_REGEX",
    `query is no regular expression that can be searched for, at ${at}: ${why}.`,
    {
      details: { at },
    },
  );
}
