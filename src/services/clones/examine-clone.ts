/** Gathers what decides whether a clone may go: the database, its folder, its git and the processes (ADR 0104). */
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Repository } from "../../domain/repository/repository.ts";
import type { CloneFacts } from "../../domain/repository/spare-clone.ts";
import { ownSettings } from "../../git/remote/only-here.ts";
import { listWorktrees } from "../../git/worktree/worktree-list.ts";
import { newestOf } from "../../storage/queries/find-operations.ts";
import { attemptsOfRepository } from "../../storage/queries/repository-attempts.ts";
import { intendedOperations } from "../../storage/tables/operations.ts";
import { repositoriesOf } from "../../storage/tables/repositories.ts";
import { unfinishedRuns } from "../../storage/tables/runs.ts";
import { isThere, lstatOrNull } from "../../utils/files/is-there.ts";
import { findWorkingIn } from "../../utils/programs/working-in.ts";
import type { Uses } from "../core/context-parts.ts";
import { ownWorker } from "../core/held-elsewhere.ts";
import { repositoryTarget } from "../run-core/targets.ts";
import { entriesInTrash } from "../trash/trash-entries.ts";

export type ExaminingContext = Uses<"db" | "owner" | "git" | "paths" | "baseChecks">;

/** Null if no clone of ours lies at its place in `workspaces/`: a link there, or another folder, is never touched. */
export async function examineClone(context: ExaminingContext, clone: Repository): Promise<CloneFacts | null> {
  const { id, path, commonDir, url } = clone;
  const place = join(await realpath(context.paths.workspaces).catch(() => ""), id);
  const isOurs = url !== null && path === place && commonDir === join(place, ".git");
  if (!isOurs || !(await lstatOrNull(path))?.isDirectory() || !(await isThere(commonDir))) return null;
  return {
    ...(await ofDatabase(context, clone)),
    checkouts: await checkoutsOf(context, clone),
    processes: (await findWorkingIn(path)) ?? [],
    strange: await strangeIn(context, clone),
  };
}

async function ofDatabase(context: ExaminingContext, { id, createdAt }: Repository) {
  const { reader } = context.db;
  const attempts = await attemptsOfRepository(reader, id);
  const ids = new Set(attempts.map((attempt) => attempt.id));
  const runs = (await unfinishedRuns(reader)).filter(({ attemptId }) => ids.has(attemptId));
  const acts = (await intendedOperations(reader, ownWorker(context))).filter(
    ({ subject }) => subject.id === id,
  );
  const trash = (await entriesInTrash(context)).filter(({ attemptId }) => ids.has(attemptId));
  const used = await Promise.all(["clone", "fetch"].map((kind) => newestOf(reader, { kind, subject: id })));
  const times = [createdAt, ...used.flatMap((act) => act?.at ?? []), ...attempts.map((one) => one.createdAt)];
  return {
    usedAt: times.sort().at(-1) ?? createdAt,
    attempts: attempts.filter(({ state }) => state !== "removed").length,
    goingOn: runs.length + acts.length + context.baseChecks.size,
    trashed: trash.length,
  };
}

/** If git cannot say, that counts as one. */
async function checkoutsOf(context: ExaminingContext, clone: Repository): Promise<readonly string[]> {
  const listed = await listWorktrees(context.git, repositoryTarget(clone));
  if (listed.isErr()) return [listed.error.message];
  const linked = listed.value.slice(1).map(({ path }) => path);
  const others = (await repositoriesOf(context.db.reader, clone.commonDir)).filter(
    ({ id }) => id !== clone.id,
  );
  return [...linked, ...others.map(({ path }) => path)];
}

/** What `git clone` makes, and what fetches leave. A lock, hooks, modules or LFS files are not among them. */
const OF_A_CLONE = new Set([
  ...["HEAD", "config", "objects", "refs", "logs", "packed-refs", "worktrees", "branches", "info"],
  ...["FETCH_HEAD", "index"],
]);
const IN_INFO = new Set(["refs"]);
const SET_BY_CLONE =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks)|extensions\.\w+|remote\.origin\.(?:url|fetch)|branch\..+\.(?:remote|merge))$/s;

async function strangeIn(context: ExaminingContext, { path, commonDir }: Repository): Promise<string[]> {
  const around = await readdir(path);
  const settings = await readdir(join(path, ".tazuna")).catch(() => []);
  const inside = await readdir(commonDir);
  const info = await readdir(join(commonDir, "info")).catch(() => []);
  const set = await ownSettings(context.git, repositoryTarget({ commonDir }));
  return [
    ...around.filter((name) => name !== ".git" && name !== ".tazuna"),
    ...settings.filter((name) => name === "config.local.json"),
    ...inside.filter((name) => !OF_A_CLONE.has(name)).map((name) => `.git/${name}`),
    ...info.filter((name) => !IN_INFO.has(name)).map((name) => `.git/info/${name}`),
    ...set.match(
      (names) => names.filter((name) => !SET_BY_CLONE.test(name)),
      ({ message }) => [message],
    ),
  ];
}
