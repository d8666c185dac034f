/** Makes a blob that holds some hunks of a changed file, as the patch of that file shows them. */
import { err } from "neverthrow";
import { applyHunks, type Hunk, readHunks } from "../../domain/compose/hunks.ts";
import { argumentsOf, type DiffRecord, PLAIN, STEADY } from "../index/diff-records.ts";
import { visitBlobs } from "../index/read-blobs.ts";
import type { GitAnswer, GitError } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { writeBlob } from "./write-blob.ts";

interface Range {
  readonly from: string;
  readonly to: string;
}

/** The hunks of one file, in order; none for a binary file. */
export async function hunksOf(
  git: Git,
  target: GitTarget,
  { path, previousPath, ...range }: Range & Pick<DiffRecord, "path" | "previousPath">,
): GitAnswer<readonly Hunk[]> {
  // Git shows a rename only if it gets the previous name too.
  const paths = previousPath === null ? [path] : [previousPath, path];
  const shown = await git.run(target, [...argumentsOf(range), ...PLAIN, ...paths], {
    access: "objects",
    config: STEADY,
    extraEnv: { GIT_LITERAL_PATHSPECS: "1" },
  });
  return shown.map(({ stdout }) => readHunks(stdout));
}

type TakeHunksError = GitError | { readonly kind: "blob_missing"; readonly message: string };

/** The id of the new blob. */
export async function takeHunks(
  git: Git,
  target: GitTarget,
  change: { readonly before: string; readonly after: string; readonly hunks: readonly Hunk[] },
): GitAnswer<string, TakeHunksError> {
  const { before, after, hunks } = change;
  const contents = new Map<string, Uint8Array>();
  // The sizes only limit what is read at once.
  const blobs = [before, after].map((sha) => ({ sha, size: 0 }));
  const visited = await visitBlobs(git, target, blobs, async ({ sha }, bytes) => {
    contents.set(sha, Uint8Array.from(bytes));
    return true;
  });
  if (visited.isErr()) return err(visited.error);
  const [old, now] = [contents.get(before), contents.get(after)];
  if (old === undefined || now === undefined) return err(MISSING);
  return writeBlob(git, target, applyHunks(old, now, hunks));
}

const MISSING = {
  kind: "blob_missing",
  message: "git does not have the content of a file any more",
} as const;
