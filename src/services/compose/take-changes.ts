/** Picks what is taken of an attempt: whole files and folders, or single hunks of a file. */
import { err, ok, type Result, safeTry } from "neverthrow";
import {
  asGitPath,
  EVERYTHING,
  hasOddName,
  isNamedBy,
  isSubmodule,
  type PathChange,
  pathChanges,
} from "../../domain/compose/taken-changes.ts";
import { someOf } from "../../domain/text/listed.ts";
import type { DiffRecord } from "../../git/index/diff-records.ts";
import { hunksOf, takeHunks } from "../../git/merge/take-hunks.ts";
import { readRef } from "../../git/refs/refs.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import type { Take } from "../core/request-shapes.ts";
import { gitRefusal } from "../landing/landing-world.ts";
import type { SourceChanges } from "./read-source.ts";

export interface TakenChanges extends SourceChanges {
  /** What was asked for, each path as git writes it. */
  readonly takes: readonly Take[];
  /** How many files these are; a rename is one. */
  readonly files: number;
  /** Path by path, against `from`. */
  readonly changes: readonly PathChange[];
}

/** `takes` are all of this attempt. A path that is named twice is taken once. */
export async function takeChanges(
  context: Uses<"git">,
  source: SourceChanges,
  { target, takes }: { readonly target: GitTarget; readonly takes: readonly Take[] },
): Promise<Result<TakenChanges, Refusal>> {
  return safeTry(async function* () {
    const named = yield* namesOf(takes);
    for (const { expect } of named) yield* await refuseStale(context, source, { target, expect });
    const wanted = yield* wantedOf(source, named);
    const changes: PathChange[] = [];
    for (const [record, hunks] of wanted)
      changes.push(
        ...(hunks === null
          ? pathChanges(record)
          : yield* await someHunks(context, source, { target, record, hunks })),
      );
    return ok({ ...source, takes: named, files: wanted.size, changes });
  });
}

function namesOf(takes: readonly Take[]): Result<readonly Take[], Refusal> {
  const named: Take[] = [];
  for (const take of takes) {
    const path = asGitPath(take.path);
    if (path === null) return err(unusablePath(take.path));
    named.push({ ...take, path });
  }
  return ok(named);
}

/** The hunks of a change that are wanted, by number; null for all of it. */
type Wanted = ReadonlyMap<DiffRecord, readonly number[] | null>;

function wantedOf(source: SourceChanges, takes: readonly Take[]): Result<Wanted, Refusal> {
  const { attempt, records } = source;
  const wanted = new Map<DiffRecord, readonly number[] | null>();
  for (const { path, hunks } of takes) {
    const found = records.filter((record) => isNamedBy(record, path));
    if (found.length === 0) return err(notChanged(attempt.id, path));
    const [only] = found;
    if (hunks !== null && (found.length > 1 || only?.path !== path)) return err(noHunks(attempt.id, path));
    for (const record of found) {
      const before = wanted.get(record);
      const isWhole = hunks === null || before === null;
      wanted.set(record, isWhole ? null : [...(before ?? []), ...hunks]);
    }
  }
  const all = [...wanted.keys()];
  const submodules = all.filter(isSubmodule).map(({ path }) => path);
  if (submodules.length > 0) return err(submoduleChanged(attempt.id, submodules));
  const odd = all.find(hasOddName);
  return odd === undefined ? ok(wanted) : err(oddName(attempt.id, odd.path));
}

async function refuseStale(
  context: Uses<"git">,
  { attempt, to }: SourceChanges,
  { target, expect }: { readonly target: GitTarget; readonly expect: string | null },
): Promise<Result<void, Refusal>> {
  if (expect === null) return ok(undefined);
  const now = await readRef(context.git, target, `${to}^{tree}`);
  if (now.isErr()) return err(gitRefusal(now.error));
  const seen = await readRef(context.git, target, `${expect}^{tree}`);
  if (now.value !== null && seen.unwrapOr(null) === now.value) return ok(undefined);
  const id = shortId(attempt.id);
  return refused("conflict", "changed_meanwhile", `The attempt ${id} has changed since you looked.`, {
    remedy: `\`tazuna diff ${id}\` shows it as it is now.`,
    details: { attempt: attempt.id },
  });
}

interface SomeHunks {
  readonly target: GitTarget;
  readonly record: DiffRecord;
  readonly hunks: readonly number[];
}

/** All hunks are the whole change. A new mode belongs to no hunk. */
async function someHunks(
  context: Uses<"git">,
  { attempt, from, to }: SourceChanges,
  { target, record, hunks }: SomeHunks,
): Promise<Result<readonly PathChange[], Refusal>> {
  return safeTry(async function* () {
    const { path, mode, previousMode, sha, previousSha, status } = record;
    const isText = record.status !== "type_changed" && isFile(record);
    const all = isText
      ? yield* (await hunksOf(context.git, target, { ...record, from, to })).mapErr(gitRefusal)
      : [];
    const numbers = [...new Set(hunks)].sort((one, other) => one - other);
    const missing = numbers.filter((number) => all[number - 1] === undefined);
    if (missing.length > 0 || numbers.length === 0)
      return err(hunkMissing(attempt.id, { path, missing, count: all.length }));
    if (numbers.length === all.length) return ok(pathChanges(record));
    const chosen = numbers.flatMap((number) => all[number - 1] ?? []);
    const blob = yield* (
      await takeHunks(context.git, target, { before: previousSha, after: sha, hunks: chosen })
    ).mapErr(gitRefusal);
    const kept = status === "copied" ? mode : previousMode;
    return ok(pathChanges({ ...record, mode: kept, sha: blob }));
  });
}

/** A file that was added or deleted has one hunk. */
function isFile({ mode, previousMode }: DiffRecord): boolean {
  return [mode, previousMode].every((one) => one.startsWith("100") || /^0+$/.test(one));
}

function unusablePath(path: string): Refusal {
  const message = `${JSON.stringify(path)} is no path in the repository.`;
  return refuse("bad_request", "unusable_path", message, {
    remedy: "Write paths from the top of the repository, such as `src/a.ts`; `.` stands for everything.",
    details: { path },
  });
}

function oddName(attempt: string, path: string): Refusal {
  const message = `The name ${JSON.stringify(path)} is not valid UTF-8, so that git cannot be asked for it.`;
  return refuse("bad_request", "unusable_path", message, {
    remedy: `Name the other files one by one; \`tazuna diff ${shortId(attempt)} --stat\` lists them.`,
    details: { attempt, path },
  });
}

function notChanged(attempt: string, path: string): Refusal {
  const id = shortId(attempt);
  const message = `The attempt ${id} did not change ${path === EVERYTHING ? "anything" : path}.`;
  return refuse("not_found", "file_not_changed", message, {
    remedy: `\`tazuna diff ${id} --stat\` lists the files that it changed, from the top of the repository.`,
    details: { attempt, path },
  });
}

function noHunks(attempt: string, path: string): Refusal {
  const message = `Hunks are of one file, by its own name; ${path} is none that the attempt ${shortId(attempt)} changed.`;
  return refuse("conflict", "hunk_missing", message, {
    remedy: `\`tazuna diff ${shortId(attempt)} --stat\` lists the files that it changed.`,
    details: { attempt, path },
  });
}

function hunkMissing(
  attempt: string,
  file: { readonly path: string; readonly missing: readonly number[]; readonly count: number },
): Refusal {
  const { path, missing, count } = file;
  const why =
    count === 0
      ? `${path} has no hunks: it can be taken as a whole.`
      : missing.length === 0
        ? `No hunk of ${path} is named; it has ${count}.`
        : `${path} has ${count} hunks, and no number ${someOf(missing.map(String), 5)}. They count from 1.`;
  return refuse("conflict", "hunk_missing", why, {
    remedy: `\`tazuna diff ${shortId(attempt)}\` shows the hunks of each file.`,
    details: { attempt, path, missing, hunks: count },
  });
}

export function submoduleChanged(attempt: string, paths: readonly string[]): Refusal {
  const message = `The attempt ${shortId(attempt)} sets a submodule to another commit: ${someOf(paths, 5)}.`;
  return refuse("conflict", "submodule_changed", message, {
    remedy: `Such a change is not taken along. \`tazuna merge ${shortId(attempt)}\` brings it into your branch.`,
    details: { attempt, files: paths },
  });
}
