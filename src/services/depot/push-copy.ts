/** Pushes copies of an attempt into the depot of its repository, under names that nobody had before. */
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { err, ok, type Result } from "neverthrow";
import { depotRef, readDepotRef, runFolder } from "../../domain/depot/depot-ref.ts";
import { ensureBare } from "../../git/depot/bare-repository.ts";
import type { DepotAccess } from "../../git/depot/depot-access.ts";
import { pushCopies } from "../../git/depot/push-copies.ts";
import type { Copy, Speaker } from "../../storage/team/protections.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import { repositoryTarget } from "../run-core/targets.ts";

type PushContext = Uses<"git" | "engineStop">;

/** What is to be copied where, and who says so. */
export interface Work {
  readonly place: AttemptPlace;
  readonly depot: DepotAccess;
  readonly speaker: Speaker;
  readonly timeoutMs: number;
}

const MAX_NUMBERS = 20;

/** Under the next number. One that was pushed before a crash, and not stored, is taken. */
export async function pushNumbered(
  context: PushContext,
  work: Work,
  push: {
    readonly of: Parameters<typeof runFolder>[0];
    readonly known: string | null;
    readonly copy: Omit<Copy, "ref">;
  },
): Promise<Result<Copy, string>> {
  const { of, known, copy } = push;
  const last = known?.startsWith(runFolder(of)) === true ? readDepotRef(known) : null;
  const first = (last?.number ?? 0) + 1;
  for (let number = first; ; number++) {
    const ref = depotRef({ ...of, number });
    const refused = await pushAll(context, work, [`${copy.sha}:${ref}`]);
    if (refused.isErr()) return err(refused.error);
    const why = refused.value.get(ref);
    if (why === undefined) return ok({ ...copy, ref });
    if (!/fetch first|non-fast-forward|already exists/.test(why) || number - first >= MAX_NUMBERS)
      return err(why);
  }
}

/** The snapshots of the attempt go along: the depot takes those that it lacks. */
export async function pushAll(
  context: PushContext,
  { place, depot, timeoutMs }: Work,
  refspecs: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, string>> {
  const made = await makeFolder(context, depot);
  if (made.isErr()) return err(made.error);
  const folder = `refs/tazuna/snapshots/${place.attempt.id}/*`;
  const pushed = await pushCopies(context.git, repositoryTarget(place.repository), {
    depot,
    refspecs: [...refspecs, `${folder}:${folder}`],
    timeoutMs,
    signal: context.engineStop,
  });
  return pushed.mapErr(({ message }) => message);
}

/** In a folder that all workers reach, each makes what is missing. A server of git has to be told by its owner. */
async function makeFolder(context: Uses<"git">, { url }: DepotAccess): Promise<Result<void, string>> {
  if (!url.startsWith("file://")) return ok(undefined);
  const path = fileURLToPath(url);
  const made = await ensureBare(context.git, dirname(path), basename(path));
  return made.mapErr(({ message }) => message);
}
