/** Searches a folder or a file, and keeps the most relevant lines. */
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as afterOthers } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { Host } from "../../core/context.ts";
import { failure, success, type ToolRefusal, type ToolSuccess } from "../../core/result.ts";
import { refuseGitDirectory } from "../../files/git-directory.ts";
import { createIgnoreRules, isIgnoredThroughout } from "../../files/ignore-rules.ts";
import { relativePath } from "../../files/relative-path.ts";
import type { CodebaseSearchOutput } from "./contract.ts";
import { globFilter } from "./glob.ts";
import { createLineMatcher, type LineMatcher, type Query } from "./line_matcher.ts";
import { byRank, type RankedLine } from "./rank_line.ts";
import { batchesOf, filesByRipgrep, findRipgrep } from "./ripgrep.ts";
import { type Pause, type Scanned, scanFile } from "./scan_file.ts";
import { type WalkedFiles, walkFiles } from "./walk_files.ts";

interface Search {
  readonly root: string;
  /** Real absolute path in it. */
  readonly path: string;
  readonly query: Query;
  readonly glob: string | null;
  readonly max: number;
  readonly contextLines: number;
  readonly host: Host;
  readonly signal: AbortSignal | null;
}

/** For the whole search. */
const TIMEOUT_MS = 10_000;
/** The part of it for listing files. The files found by then still need time to be searched. */
const WALK_MS = 5_000;
/** For one batch. ripgrep reads binary files to their end; this program reads only their beginning. */
const RIPGREP_MS = 2_000;
/** How long other work may wait for its turn. */
const TURN_MS = 10;

export async function searchCodebase(
  search: Search,
): Promise<Result<ToolSuccess<CodebaseSearchOutput>, ToolRefusal>> {
  const { root, path, query, max, signal } = search;
  const matcher = createLineMatcher(query);
  if (matcher.isErr()) return err(invalidRegex(matcher.error.at, matcher.error.why));
  const guarded = refuseGitDirectory(root, path);
  if (guarded !== null) return err(guarded);
  const work: Work = {
    matcher: matcher.value,
    clock: createTurns(TIMEOUT_MS, signal),
    skipped: { binary: 0, unreadable: 0, long: 0 },
  };
  const candidates = await filesToSearch(search, work);
  if (candidates.isErr()) return err(candidates.error);
  const { files, cut } = candidates.value;
  const found = await searchAll(search, { ...work, files });
  if (signal?.aborted) return err(failure("CANCELED", "The call was canceled."));
  const timedOut = cut || work.clock.isOver();
  const data = {
    matches: found.best.map((line) => line.found),
    total_matches: found.lines,
    matched_files: found.files,
    truncated: found.lines > max || timedOut,
    timed_out: timedOut,
  };
  return ok(success(data, { engine: found.engine, skipped: work.skipped }));
}

interface Work {
  readonly matcher: LineMatcher;
  readonly clock: Turns;
  readonly skipped: Record<"binary" | "unreadable" | "long", number>;
}

async function filesToSearch(
  { root, path, glob, signal }: Search,
  { skipped }: Work,
): Promise<Result<WalkedFiles, ToolRefusal>> {
  const shown = relativePath(root, path);
  const isWanted = glob === null ? () => true : globFilter(glob);
  const kind = kindOf(path);
  if (kind === "other")
    return err(
      failure("NOT_FILE", `${shown} is neither a folder nor a plain file.`, { details: { path: shown } }),
    );
  if (kind === "file") return ok({ files: [shown].filter(isWanted), cut: false });
  const rules = createIgnoreRules(root);
  const folder = {
    root,
    folder: shown,
    rules: isIgnoredThroughout(rules, shown, "directory") ? null : rules,
    isWanted,
  };
  const onUnreadable = () => {
    skipped.unreadable += 1;
  };
  return ok(await walkFiles(folder, { pause: createTurns(WALK_MS, signal).pause, onUnreadable }));
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
  readonly engine: "ripgrep" | "built-in";
}

type WorkOnFiles = Work & { readonly files: readonly string[] };

/** ripgrep only excludes files. All lines are read here, so the answer is the same without it. */
async function searchAll(search: Search, { files, ...work }: WorkOnFiles): Promise<Found> {
  const { root, host, signal } = search;
  // To read one named file is faster than to start a program.
  const isOne = files[0] === relativePath(root, search.path);
  let program = isOne ? null : findRipgrep(root, host);
  const kept = keepBest(search.max);
  for (const batch of batchesOf(files, host.platform)) {
    const timeoutMs = Math.min(RIPGREP_MS, work.clock.left());
    const options = { root, signal, timeoutMs };
    const named =
      program === null ? null : await filesByRipgrep(batch, work.matcher, { program, ...options });
    if (named === null) program = null;
    if (await scanAll(search, { ...work, files: named ?? batch, kept })) break;
  }
  return { ...kept.found(), engine: program === null ? "built-in" : "ripgrep" };
}

function keepBest(max: number) {
  let best: RankedLine[] = [];
  let [lines, files] = [0, 0];
  return {
    add: (line: RankedLine) => {
      lines += 1;
      best.push(line);
      if (best.length >= max * 4) best = best.sort(byRank).slice(0, max);
    },
    lines: () => lines,
    countFile: () => {
      files += 1;
    },
    found: () => ({ best: best.sort(byRank).slice(0, max), lines, files }),
  };
}

/** Returns whether the search must end. */
async function scanAll(
  { root, contextLines }: Search,
  {
    matcher: { find },
    clock,
    skipped,
    files,
    kept,
  }: WorkOnFiles & { readonly kept: ReturnType<typeof keepBest> },
): Promise<boolean> {
  for (const shown of files) {
    const isNamed = find(basename(shown), 0) !== null;
    const before = kept.lines();
    const became: Scanned = await scanFile({
      root,
      path: join(root, shown),
      shown,
      find,
      contextLines,
      pause: clock.pause,
      onLine: (found) => kept.add({ found, isNamed }),
    });
    if (kept.lines() > before) kept.countFile();
    if (became === "binary" || became === "unreadable" || became === "long") skipped[became] += 1;
    if (became === "stopped" || (await clock.pause())) return true;
  }
  return false;
}

interface Turns {
  /** Ends the search once the time is over or the caller has canceled. */
  readonly pause: Pause;
  readonly isOver: () => boolean;
  /** Milliseconds. */
  readonly left: () => number;
}

/** Shares this thread: the search asks often, and pauses only now and then. */
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
