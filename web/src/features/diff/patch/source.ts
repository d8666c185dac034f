/** Names where a diff comes from, and reads its list of files in pages and each patch alone. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { answerOf, api, Refused } from "../../../data/api.ts";
import type { PatchAnswer } from "./read-patch.ts";

export type DiffSource =
  | {
      readonly attempt: string;
      /** A run of it: only what changed after that run. */
      readonly since?: string | null;
      /** Another attempt: what differs from here to there. */
      readonly other?: string | null;
    }
  | { readonly run: string };

const PAGE = 200;

/** The list grows page by page; the first one is enough to begin. */
export const filesQuery = (source: DiffSource) =>
  infiniteQueryOptions({
    queryKey: ["diff", ...keyOf(source), "files"],
    queryFn: ({ pageParam }) => readFiles(source, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    meta: { renewedBy: changes(source) },
  });

/** Null if the file is not in the list any more. */
export const patchQuery = (source: DiffSource, path: string) =>
  queryOptions({
    queryKey: ["diff", ...keyOf(source), "patch", path],
    queryFn: async ({ client }): Promise<PatchAnswer | null> =>
      isLeftOut(client, source, path) ? null : readIfThere(client, source, path),
    meta: { renewedBy: changes(source), after: filesQuery(source).queryKey },
  });

/** The patch of a file that the newest list does not have is not asked for. */
function isLeftOut(client: QueryClient, source: DiffSource, path: string): boolean {
  const list = client.getQueryState(filesQuery(source).queryKey);
  const pages = list?.isInvalidated === false ? (list.data?.pages ?? []) : [];
  const isWhole = pages.at(-1)?.next === null;
  return isWhole && pages.every(({ files }) => files.every((file) => file.path !== path));
}

/** Lines of the new side, also those that the patch leaves out. */
export function readLines(
  source: DiffSource,
  asked: { readonly path: string; readonly from: number; readonly to: number },
) {
  return answerOf(
    "run" in source
      ? api.runLines(source.run, asked)
      : api.lines(source.attempt, { ...asked, since: source.since ?? null, other: source.other ?? null }),
  );
}

/** Where one side of a picture is. */
export function pictureAddress(
  source: DiffSource,
  { path, side }: { readonly path: string; readonly side: "old" | "new" },
): string {
  const query = new URLSearchParams({ path, side });
  if ("run" in source) return `/api/v1/runs/${source.run}/picture?${query}`;
  for (const name of ["since", "other"] as const) {
    const id = source[name];
    if (id != null) query.set(name, id);
  }
  return `/api/v1/attempts/${source.attempt}/picture?${query}`;
}

/** The same for the same source. */
export const sourceKey = (source: DiffSource): string => keyOf(source).join(" ");

function readFiles(source: DiffSource, cursor: string | null) {
  const page = { files: "only", cursor, limit: PAGE } as const;
  return answerOf(
    "run" in source
      ? api.runDiffFiles(source.run, page)
      : api.diffFiles(source.attempt, { ...page, since: source.since ?? null, other: source.other ?? null }),
  );
}

/** Null if the file left the patch after the list was read, which is old then: an agent may work meanwhile. */
async function readIfThere(
  client: QueryClient,
  source: DiffSource,
  path: string,
): Promise<PatchAnswer | null> {
  return readPatch(source, path).catch((error) => {
    if (!(error instanceof Refused) || error.problem.code !== "file_not_changed") throw error;
    void client.invalidateQueries({ queryKey: filesQuery(source).queryKey, exact: true });
    return null;
  });
}

function readPatch(source: DiffSource, path: string): Promise<PatchAnswer> {
  return answerOf(
    "run" in source
      ? api.runDiff(source.run, { path })
      : api.diff(source.attempt, { path, since: source.since ?? null, other: source.other ?? null }),
  );
}

function keyOf(source: DiffSource): readonly (string | null)[] {
  if ("run" in source) return ["run", source.run];
  return ["attempt", source.attempt, source.since ?? null, source.other ?? null];
}

/** Facts after which the files may be others. What a run changed is settled when it ends. */
const CHANGING = ["run.state", "attempt.changed"];

function changes(source: DiffSource) {
  return (fact: FactDocument) =>
    CHANGING.includes(fact.kind) &&
    ("run" in source
      ? fact.run === source.run
      : fact.attempt === source.attempt || fact.attempt === source.other);
}
