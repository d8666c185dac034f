/** Begins an attempt whose commit takes back what was merged of another one: without an agent, if git can do it. */
import { err, ok, type Result, safeTry } from "neverthrow";
import { type Attempt, type Merged, NO_AGENT } from "../../domain/attempt/attempt.ts";
import { revertMessage } from "../../domain/run/revert-message.ts";
import { someOf } from "../../domain/text/listed.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { mergeTrees } from "../../git/merge/merge-trees.ts";
import { readRef } from "../../git/refs/refs.ts";
import { isAncestor } from "../../git/refs/rev-list.ts";
import { getAttempt } from "../../storage/tables/attempts.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { transact } from "../../storage/transact.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { noteMerged } from "../attempts/note-merged.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { GitContext, RequestContext, Uses } from "../core/context-parts.ts";
import { type AttemptPlace, findPlace } from "../core/find-place.ts";
import { configurationRefusal, notFound, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { loadRepositoryGit } from "../core/repository-git.ts";
import type { Revert } from "../core/request-shapes.ts";
import { remotesOf } from "../repositories/choose-remote.ts";
import { beginFromTree } from "../requests/begin-from-tree.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { findMerge } from "./find-merge.ts";
import { gitRefusal } from "./landing-world.ts";
import { type MergedRange, mergedRange } from "./merged-range.ts";

type RevertContext = GitContext & RequestContext & Uses<"paths" | "executors">;

/** The new run's id. With an agent, the files that git could not revert are handed to it. */
export async function revertAttempt(
  engine: RevertContext,
  request: Revert,
  key: string | null,
): Promise<Result<string, Refusal>> {
  const place = await findPlace(engine.db.reader, request.attempt);
  if (place === null) return err(notFound("attempt", request.attempt));
  const context = await loadRepositoryGit(engine, place);
  return safeTry(async function* () {
    const { task, repository } = place;
    const configuration = yield* (
      await context.configuration(repository, { ...task.settings, ...request.settings })
    ).mapErr(configurationRefusal);
    const agent =
      request.agent === null
        ? null
        : yield* resolveAgent({ id: request.agent, model: null }, configuration.values, context.executors);
    const attempt = yield* await knownAsMerged(context, place);
    const start = yield* await startOf(context, { ...place, configuration, attempt });
    const reverted = yield* await revertedTree(context, { ...place, attempt }, start);
    const { files, tree } = reverted;
    if (files.length > 0 && agent === null)
      return err(conflictRefusal({ ...place, attempt }, start.name, files));
    const message = messageOf(start.range);
    const runs = await runsOfAttempt(context.db.reader, attempt.id);
    const beginning = {
      place,
      tree,
      base: start.at,
      baseBranch: attempt.merged.target,
      agent: files.length > 0 ? agent : null,
      instruction: files.length > 0 ? instructionOf(message, files) : firstLine(message),
      options: { message },
      offline: runs.at(-1)?.offline ?? false,
      settings: start.isPublic ? request.settings : { ...request.settings, publish: "commit" as const },
      origin: null,
    };
    return beginFromTree(context, beginning, key);
  });
}

type MergedAttempt = Attempt & { readonly merged: Merged };

/** A person may have merged it: what proves that is stored. */
async function knownAsMerged(
  context: RevertContext,
  { attempt }: AttemptPlace,
): Promise<Result<MergedAttempt, Refusal>> {
  const merged = attempt.merged ?? (await findMerge(context, attempt.id));
  if (merged === null)
    return err(notMerged(attempt, "The attempt is not merged: there is nothing to take back."));
  if (attempt.merged === null)
    await transact(context.db, async (trx) => {
      const stored = await getAttempt(trx, attempt.id);
      if (stored !== null) await noteMerged(trx, stored, { at: merged.at, merged });
    });
  return ok({ ...attempt, merged });
}

interface Start {
  /** The target, here or on the remote, such as `origin/main`. */
  readonly name: string;
  readonly at: string;
  /** The remote has that commit: a branch on it shows nothing else. */
  readonly isPublic: boolean;
  readonly range: MergedRange;
}

/** The remote's target if it holds the merge, else the local one. */
async function startOf(
  context: RevertContext,
  place: AttemptPlace & { readonly attempt: MergedAttempt; readonly configuration: LoadedConfiguration },
): Promise<Result<Start, Refusal>> {
  return safeTry(async function* () {
    const { attempt, repository, configuration } = place;
    const { git } = context;
    const target = repositoryTarget(repository);
    const { merged } = attempt;
    const range = yield* (await mergedRange(context, target, attempt)).mapErr(gitRefusal);
    const remotes = await remotesOf(context, { commonDir: repository.commonDir, configuration });
    const remote = remotes.unwrapOr(null)?.fetch.name ?? null;
    const names = [
      ...(remote === null
        ? []
        : [{ ref: `refs/remotes/${remote}/${merged.target}`, name: `${remote}/${merged.target}` }]),
      { ref: `refs/heads/${merged.target}`, name: merged.target },
    ];
    for (const { ref, name } of range === null ? [] : names) {
      const at = yield* (await readRef(git, target, `${ref}^{commit}`)).mapErr(gitRefusal);
      if (at === null) continue;
      const holds = await isAncestor(git, target, { ancestor: merged.commit, descendant: at });
      if (range !== null && holds.unwrapOr(false))
        return ok({ name, at, isPublic: name !== merged.target, range });
    }
    return err(
      notMerged(attempt, `${merged.target} does not hold what was merged, as far as this repository knows.`),
    );
  });
}

/** The tree of the target without it. With conflicts, it holds their markers. */
async function revertedTree(
  context: Uses<"git">,
  { attempt, repository }: AttemptPlace,
  { name, at, range }: Start,
): Promise<Result<{ readonly tree: string; readonly files: readonly string[] }, Refusal>> {
  const target = repositoryTarget(repository);
  const trees = { base: range.commit.sha, ours: at, theirs: range.before };
  const merged = await mergeTrees(context.git, target, trees);
  if (merged.isErr() && merged.error.kind === "conflict")
    return ok({ tree: merged.error.tree, files: merged.error.paths });
  if (merged.isErr()) return err(gitRefusal(merged.error));
  const before = await readRef(context.git, target, `${at}^{tree}`);
  if (before.isErr()) return err(gitRefusal(before.error));
  if (before.value !== merged.value) return ok({ tree: merged.value, files: [] });
  return err(notMerged(attempt, `${name} has nothing of it any more: it was taken back before.`));
}

function notMerged({ id }: Attempt, message: string): Refusal {
  return refuse("conflict", "not_merged", message, {
    remedy: `\`tazuna show ${shortId(id)}\` says where it stands. After a merge elsewhere, fetch first.`,
    details: { attempt: id },
  });
}

function conflictRefusal({ attempt }: AttemptPlace, name: string, files: readonly string[]): Refusal {
  const message = `${name} has changed the same lines since: ${someOf(files, 5)}.`;
  const id = shortId(attempt.id);
  const how =
    attempt.agent === NO_AGENT
      ? "Name an agent with `--agent`, and these files are handed to it; `tazuna agents` shows which there are."
      : `\`tazuna revert ${id} --agent ${shellWord(attempt.agent)}\` hands these files to an agent.`;
  return refuse("conflict", "revert_conflict", message, {
    remedy: `Nothing was made. ${how}`,
    details: { attempt: attempt.id, target: name, files },
  });
}

function messageOf({ commit, before }: MergedRange): string {
  const isSingle = commit.parents.length === 1 && commit.parents[0] === before;
  return revertMessage({ subject: firstLine(commit.message), commit: commit.sha, before, isSingle });
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

function instructionOf(message: string, files: readonly string[]): string {
  const listed = files.map((file) => `- ${JSON.stringify(file)}`).join("\n");
  return `${message}\n\nGit could not do that alone: later commits changed the same lines. These files hold conflict markers. Resolve each of them, so that the change is taken back and the later work stays:\n\n${listed}`;
}
