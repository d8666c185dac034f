/** Asks how long blobs are and reads what they hold: many by one process, and never more than a bounded part at once. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { takeTurns } from "../utils/turns.ts";
import type { GitError } from "./git-error.ts";
import type { Git, GitTarget } from "./run-git.ts";
import { withScratch } from "./scratch.ts";

/** A blob's id, and its bytes as git stores them. */
export interface BlobSize {
  readonly sha: string;
  readonly size: number;
}

/** Bytes of each blob, by its id; one that the repository does not have is not in it. */
export async function blobSizes(
  git: Git,
  target: GitTarget,
  shas: readonly string[],
): Promise<Result<ReadonlyMap<string, number>, GitError>> {
  const blobs = new Set(shas);
  if (blobs.size === 0) return ok(new Map());
  const checked = await git.run(target, ["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
    stdin: [...blobs].map((sha) => `${sha}\n`).join(""),
  });
  return checked.map(
    ({ stdout }) =>
      new Map(
        stdout.split("\n").flatMap((line) => {
          const [sha = "", size = ""] = line.split(" ");
          return /^\d+$/.test(size) ? [[sha, Number(size)] as const] : [];
        }),
      ),
  );
}

/** Bytes that are held at once, and blobs: whoever has had enough need not wait for many more. */
const AT_ONCE = 32 * 1024 ** 2;
const MOST_AT_ONCE = 10_000;

/**
 * Calls `visit` with one blob after the other, in the order given. The bytes are good until it has settled; it answers
 * whether it wants to see more. A blob that the repository does not have is passed over. Others work between two blobs.
 */
export async function visitBlobs<Blob extends BlobSize>(
  git: Git,
  target: GitTarget,
  blobs: readonly Blob[],
  visit: (blob: Blob, bytes: Uint8Array) => Promise<boolean>,
): Promise<Result<void, GitError>> {
  const turns = takeTurns();
  const batches = batchesOf(blobs);
  const begin = async () => {
    const batch = batches.next().value;
    return batch === undefined ? null : { batch, read: await readBatch(git, target, batch) };
  };
  let reading = begin();
  try {
    for (let next = await reading; next !== null; next = await reading) {
      const { batch, read } = next;
      if (read.isErr()) return err(read.error);
      // Git reads on while these are looked at.
      reading = begin();
      for (const [index, bytes] of blobsOf(read.value)) {
        const blob = batch[index];
        if (blob !== undefined && !(await visit(blob, bytes))) return ok(undefined);
        if (turns.isOver()) await turns.pass();
      }
    }
    return ok(undefined);
  } finally {
    await reading.catch(() => null);
  }
}

/** At least one blob each, and else no more than fits. */
function* batchesOf<Blob extends BlobSize>(blobs: readonly Blob[]): Generator<readonly Blob[], undefined> {
  let batch: Blob[] = [];
  let room = AT_ONCE;
  for (const blob of blobs) {
    if (batch.length > 0 && (blob.size > room || batch.length >= MOST_AT_ONCE)) {
      yield batch;
      batch = [];
      room = AT_ONCE;
    }
    batch.push(blob);
    room -= blob.size;
  }
  if (batch.length > 0) yield batch;
}

/** Over a file of ours that is gone right after: a pipe's text would not be the same bytes. */
function readBatch(
  git: Git,
  target: GitTarget,
  batch: readonly BlobSize[],
): Promise<Result<Uint8Array, GitError>> {
  return withScratch(git, "blobs", async (folder) => {
    const stdoutFile = join(folder, "blobs");
    const stdin = batch.map(({ sha }) => `${sha}\n`).join("");
    const made = await git.run(target, ["cat-file", "--batch"], { access: "objects", stdin, stdoutFile });
    return made.isErr() ? err(made.error) : ok(await readFile(stdoutFile));
  });
}

/** For each that was asked for `SHA blob SIZE`, the bytes, a line feed; or `SHA missing`. */
function* blobsOf(output: Uint8Array): Generator<readonly [index: number, bytes: Uint8Array]> {
  const latin = new TextDecoder("latin1");
  for (let at = 0, index = 0; at < output.length; index++) {
    const end = output.indexOf(0x0a, at);
    const [, , size] = latin.decode(output.subarray(at, end)).split(" ");
    at = end + 1;
    if (size === undefined) continue;
    yield [index, output.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}
