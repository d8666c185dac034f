/** Lists which files differ in a comparison, and remembers the list, so that a page or a file costs one look. */
import { err, ok, type Result } from "neverthrow";
import { type ChangedFile, type DiffRecord, visitDiff } from "../../git/index/diff-records.ts";
import { blobSizes } from "../../git/index/read-blobs.ts";
import { asRemoteError, type RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import type { BinarySizes } from "../core/answer-shapes.ts";

export interface ComparedFile extends ChangedFile {
  /** Null for text. */
  readonly sizes: BinarySizes | null;
}

type Listed = Promise<Result<readonly ComparedFile[], RemoteError>>;

/**
 * The files that differ between two commits or trees, both named by their full ids. The answer for such a pair never
 * changes.
 */
export type ComparedFiles = (
  git: Git,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
) => Listed;

const MAX_COMPARISONS = 4;
/** The most files of one comparison to remember. A longer list is read again each time, to save memory. */
const MAX_FILES = 100_000;

export function createComparedFiles(): ComparedFiles {
  // The most recently used comparison comes last.
  const kept = new Map<string, Listed>();
  return (git, target, range) => {
    const key = [target.gitDir, range.from, range.to].join("\0");
    const listed = kept.get(key) ?? listFiles(git, target, range);
    kept.delete(key);
    kept.set(key, listed);
    for (const oldest of kept.keys()) if (kept.size > MAX_COMPARISONS) kept.delete(oldest);
    const forget = () => {
      if (kept.get(key) === listed) kept.delete(key);
    };
    listed.then((found) => (found.isErr() || found.value.length > MAX_FILES) && forget(), forget);
    return listed;
  };
}

type Blobs = Pick<DiffRecord, "previousSha" | "sha">;

async function listFiles(...[git, target, range]: Parameters<ComparedFiles>): Listed {
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
