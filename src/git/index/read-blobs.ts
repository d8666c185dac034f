/** Reads the sizes and contents of many blobs with one process, in bounded parts, and reads a blob as settings. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { err, ok } from "neverthrow";
import { takeTurns } from "../../utils/time/turns.ts";
import type { GitAnswer } from "../process/git-error.ts";
import { fromNul, settingOf } from "../process/nul-list.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";

/** A blob's id, and its bytes as git stores them. */
interface BlobSize {
  readonly sha: string;
  readonly size: number;
}

/** Bytes of each blob, by its id. A blob that the repository lacks is left out. */
export async function blobSizes(
  git: Git,
  target: GitTarget,
  shas: readonly string[],
): GitAnswer<ReadonlyMap<string, number>> {
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

/** The most bytes and blobs of one part; two parts are held at once. After an early stop, one part is still read. */
const AT_ONCE = 32 * 1024 ** 2;
const MAX_AT_ONCE = 10_000;

/**
 * Calls `visit` with one blob after the other, in the given order. The bytes are valid until `visit` settles; it
 * returns whether it wants more. A blob that the repository lacks is skipped. Other tasks can run between two blobs.
 */
export async function visitBlobs<Blob extends BlobSize>(
  git: Git,
  target: GitTarget,
  blobs: readonly Blob[],
  visit: (blob: Blob, bytes: Uint8Array) => Promise<boolean>,
): GitAnswer<void> {
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
      // Git reads the next part while `visit` works on this one.
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

/** At least one blob for each part, and otherwise no more than fits. */
function* batchesOf<Blob extends BlobSize>(blobs: readonly Blob[]): Generator<readonly Blob[], undefined> {
  let batch: Blob[] = [];
  let room = AT_ONCE;
  for (const blob of blobs) {
    if (batch.length > 0 && (blob.size > room || batch.length >= MAX_AT_ONCE)) {
      yield batch;
      batch = [];
      room = AT_ONCE;
    }
    batch.push(blob);
    room -= blob.size;
  }
  if (batch.length > 0) yield batch;
}

/** Goes through a temporary file that is deleted at once: text from a pipe would not keep the same bytes. */
function readBatch(git: Git, target: GitTarget, batch: readonly BlobSize[]): GitAnswer<Uint8Array> {
  return withScratch(git, "blobs", async (folder) => {
    const stdoutFile = join(folder, "blobs");
    const stdin = batch.map(({ sha }) => `${sha}\n`).join("");
    const made = await git.run(target, ["cat-file", "--batch"], { access: "objects", stdin, stdoutFile });
    return made.isErr() ? err(made.error) : ok(await readFile(stdoutFile));
  });
}

/** Calls `act` with a file that holds the bytes of a blob, however many these are; the file is deleted afterwards. */
export function withBlobFile<T>(
  git: Git,
  target: GitTarget,
  { sha, act }: { readonly sha: string; readonly act: (file: string) => Promise<T> },
): GitAnswer<T> {
  return withScratch(git, "blob", async (folder) => {
    const stdoutFile = join(folder, "blob");
    const made = await git.run(target, ["cat-file", "blob", sha], { access: "objects", stdoutFile });
    return made.isErr() ? err(made.error) : ok(await act(stdoutFile));
  });
}

/** For each requested blob: `SHA blob SIZE`, the bytes, a line feed; or `SHA missing`. */
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

/**
 * A stored settings file (`.gitmodules`, `.lfsconfig`) as git reads it: every key with its value, in order. Null if
 * git cannot read the file. Includes are not followed.
 */
export async function listBlobSettings(
  git: Git,
  target: GitTarget,
  blob: string,
): GitAnswer<readonly { readonly key: string; readonly value: string }[] | null> {
  const listed = await git.run(target, ["config", "--blob", blob, "--null", "--list"], {
    access: "objects",
    expect: [0, 1, 3, 128],
  });
  return listed.map(({ exitCode, stdout }) => (exitCode === 0 ? fromNul(stdout).map(settingOf) : null));
}
