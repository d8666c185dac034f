/** Lists which files differ in a comparison. It remembers the list, so that all pages and files cost one look. */
import { err, ok, type Result } from "neverthrow";
import { type ChangedFile, type DiffRecord, visitDiff } from "../../git/index/diff-records.ts";
import { blobSizes } from "../../git/index/read-blobs.ts";
import { asRemoteError, type RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import type { BinarySizes } from "../core/answer-shapes.ts";
import { keepAnswers } from "./kept-answers.ts";

export interface ComparedFile extends ChangedFile {
  /** Null for text. */
  readonly sizes: BinarySizes | null;
}

const MAX_COMPARISONS = 4;
const MAX_FILES = 100_000;

export type ComparedFiles = ReturnType<typeof createComparedFiles>;

export const createComparedFiles = () =>
  keepAnswers(listFiles, { most: MAX_COMPARISONS, isTooLong: (files) => files.length > MAX_FILES });

type Blobs = Pick<DiffRecord, "previousSha" | "sha">;

async function listFiles(
  git: Git,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
): Promise<Result<readonly ComparedFile[], RemoteError>> {
  let files: (ComparedFile & { readonly blobs: Blobs | null })[] = [];
  const visited = await visitDiff(git, target, range, () => {
    files = [];
    let at = 0;
    return {
      record: ({ path, previousPath, status, previousSha, sha }) =>
        files.push({
          path,
          previousPath,
          status,
          additions: null,
          deletions: null,
          sizes: null,
          blobs: { previousSha, sha },
        }),
      lines: (lines) => {
        while (at < files.length && files[at]?.path !== lines.path) at++;
        const file = files[at];
        if (file === undefined) return;
        // Of text the blobs are of no use any more.
        files[at++] = { ...file, ...lines, blobs: lines.additions === null ? file.blobs : null };
      },
    };
  });
  if (visited.isErr()) return err(visited.error);
  const shas = files.flatMap(({ blobs }) => (blobs === null ? [] : [blobs.previousSha, blobs.sha]));
  const sizes = await blobSizes(git, target, shas.filter(isThere));
  if (sizes.isErr()) return err(asRemoteError(sizes.error));
  return ok(files.map(({ blobs, ...file }) => ({ ...file, sizes: blobs && sizesOf(blobs, sizes.value) })));
}

const isThere = (sha: string) => !/^0+$/.test(sha);

function sizesOf({ previousSha, sha }: Blobs, sizes: ReadonlyMap<string, number>): BinarySizes {
  return { before: sizes.get(previousSha) ?? null, after: sizes.get(sha) ?? null };
}
