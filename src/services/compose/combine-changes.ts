/** Makes one tree of what was taken of several attempts: on one base, path by path. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { combine, filesAsFolders } from "../../domain/compose/combine.ts";
import { type PathChange, pathChanges } from "../../domain/compose/taken-changes.ts";
import { listed, someOf } from "../../domain/text/listed.ts";
import { diffRecords } from "../../git/index/diff.ts";
import { changeTree } from "../../git/merge/change-tree.ts";
import { mergeTrees } from "../../git/merge/merge-trees.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import type { GitTarget } from "../../git/runner/run-git.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse, shortId } from "../core/refusal.ts";
import { gitRefusal } from "../landing/landing-world.ts";
import type { TakenChanges } from "./take-changes.ts";

interface Composition {
  /** A source whose base is that of the composition. */
  readonly onBaseOf: TakenChanges;
  readonly tree: string;
}

/** Nothing but objects of git is made. */
export async function combineChanges(
  context: Uses<"git">,
  target: GitTarget,
  sources: readonly [TakenChanges, ...TakenChanges[]],
): Promise<Result<Composition, Refusal>> {
  return safeTry(async function* () {
    const onBaseOf = yield* await newestBase(context, target, sources);
    const base = onBaseOf.from;
    const lists: (readonly PathChange[])[] = [];
    for (const source of sources) lists.push(yield* await onto(context, target, { base, source }));
    const { agreed, contested } = combine(lists);
    const merged = yield* await mergeContested(context, target, { lists, contested, sources });
    const changes = [...agreed, ...merged];
    const clashing = filesAsFolders(changes);
    if (clashing.length > 0) return err(doesNotFit(sources, clashing));
    const tree = yield* (await changeTree(context.git, target, { tree: base, changes })).mapErr(gitRefusal);
    return ok({ onBaseOf, tree });
  });
}

/** The one that has all others in its history; else that of the attempt that was named first. */
async function newestBase(
  context: Uses<"git">,
  target: GitTarget,
  sources: readonly [TakenChanges, ...TakenChanges[]],
): Promise<Result<TakenChanges, Refusal>> {
  const bases = [...new Set(sources.map(({ from }) => from))];
  for (const source of bases.length === 1 ? [] : sources) {
    const older = bases.filter((base) => base !== source.from);
    const has = await Promise.all(
      older.map((ancestor) => isAncestor(context.git, target, { ancestor, descendant: source.from })),
    );
    const failed = has.find((one) => one.isErr());
    if (failed?.isErr()) return err(gitRefusal(failed.error));
    if (has.every((one) => one.unwrapOr(false))) return ok(source);
  }
  return ok(sources[0]);
}

/** What was taken, as changes of the base of the composition. Renames of a newer base are followed. */
async function onto(
  context: Uses<"git">,
  target: GitTarget,
  { base, source }: { readonly base: string; readonly source: TakenChanges },
): Promise<Result<readonly PathChange[], Refusal>> {
  const { from, changes } = source;
  if (from === base) return ok(changes);
  return safeTry(async function* () {
    const taken = yield* (await changeTree(context.git, target, { tree: from, changes })).mapErr(gitRefusal);
    const merged = await mergeTrees(context.git, target, { base: from, ours: base, theirs: taken });
    if (merged.isErr() && merged.error.kind === "conflict")
      return err(doesNotFitBase(source, merged.error.paths));
    const to = yield* merged.mapErr(gitRefusal);
    const records = yield* (await diffRecords(context.git, target, { from: base, to })).mapErr(gitRefusal);
    return ok(records.flatMap(pathChanges));
  });
}

interface Contested {
  readonly lists: readonly (readonly PathChange[])[];
  readonly contested: readonly string[];
  readonly sources: readonly TakenChanges[];
}

/** Merges them in trees that hold nothing else, one attempt after the other. */
async function mergeContested(
  context: Uses<"git">,
  target: GitTarget,
  { lists, contested, sources }: Contested,
): Promise<Result<readonly PathChange[], Refusal>> {
  if (contested.length === 0) return ok([]);
  const paths = new Set(contested);
  const concerned = lists
    .map((changes) => changes.filter(({ path }) => paths.has(path)))
    .filter((changes) => changes.length > 0);
  const before = new Map(concerned.flat().map(({ path, before: side }) => [path, side]));
  const treeOf = (sides: Iterable<readonly [string, PathChange["after"]]>) =>
    changeTree(context.git, target, {
      tree: null,
      changes: [...sides].map(([path, after]) => ({ path, after })),
    });
  return safeTry(async function* () {
    const base = yield* (await treeOf(before)).mapErr(gitRefusal);
    let ours = base;
    for (const changes of concerned) {
      const after = new Map([...before, ...changes.map((change) => [change.path, change.after] as const)]);
      const theirs = yield* (await treeOf(after)).mapErr(gitRefusal);
      const merged = await mergeTrees(context.git, target, { base, ours, theirs });
      if (merged.isErr() && merged.error.kind === "conflict")
        return err(doesNotFit(sources, merged.error.paths));
      ours = yield* merged.mapErr(gitRefusal);
    }
    const records = yield* (await diffRecords(context.git, target, { from: base, to: ours })).mapErr(
      gitRefusal,
    );
    return ok(records.flatMap(pathChanges));
  });
}

function doesNotFit(sources: readonly TakenChanges[], paths: readonly string[]): Refusal {
  const concerned = sources.filter(({ changes }) =>
    changes.some(({ path }) => paths.some((one) => path === one || path.startsWith(`${one}/`))),
  );
  const ids = (concerned.length < 2 ? sources : concerned).map(({ attempt }) => shortId(attempt.id));
  const message = `${listed(ids)} changed the same lines in another way: ${someOf(paths, 5)}.`;
  return refuse("conflict", "does_not_fit", message, {
    remedy: `Nothing was made. Take these files from one attempt only; \`tazuna diff ${ids.slice(0, 2).join(" ")}\` shows how they differ.`,
    details: { files: paths, attempts: concerned.map(({ attempt }) => attempt.id) },
  });
}

function doesNotFitBase({ attempt }: TakenChanges, paths: readonly string[]): Refusal {
  const id = shortId(attempt.id);
  const message = `The attempt ${id} began from an older base, which has changed the same lines since: ${someOf(paths, 5)}.`;
  return refuse("conflict", "does_not_fit", message, {
    remedy: `Nothing was made. \`tazuna continue ${id} --merge-base --resolve\` brings it up to its base; then ask again.`,
    details: { files: paths, attempts: [attempt.id] },
  });
}
