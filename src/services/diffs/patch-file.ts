/** Writes the patch of a comparison into a file of its own, and reads it in pieces. */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { diffPatchToFile } from "../../git/index/diff.ts";
import type { ChangedFile, Comparison } from "../../git/index/diff-records.ts";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";
import { withScratch } from "../../git/runner/scratch.ts";

interface PatchOf {
  readonly target: GitTarget;
  readonly comparison: Comparison;
  /** The paths to show; all if absent. */
  readonly paths?: readonly string[];
}

interface PatchFile extends AsyncDisposable {
  readonly bytes: number;
  /** At most one piece, beginning at `from`; empty at the end. */
  read(from: number): Promise<Buffer>;
}

const PIECE_BYTES = 256 * 1024;

/** The whole patch, made when it is read. An error ends the stream with an exception. */
export function streamPatch(git: Git, patch: PatchOf): ReadableStream<Uint8Array> {
  let opening: ReturnType<typeof openPatch> | null = null;
  let closing: Promise<void> | null = null;
  let at = 0;
  // Whoever reads may leave while the patch is still made.
  const close = () => {
    closing ??= (async () => {
      const opened = await opening?.catch(() => null);
      if (opened?.isOk()) await opened.value[Symbol.asyncDispose]();
    })();
    return closing;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          opening ??= openPatch(git, patch);
          const opened = await opening;
          if (opened.isErr()) throw new Error(opened.error.message);
          const piece = await opened.value.read(at);
          at += piece.length;
          if (piece.length > 0) return controller.enqueue(piece);
          await close();
          controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

async function openPatch(git: Git, { target, ...options }: PatchOf): Promise<Result<PatchFile, RemoteError>> {
  return withScratch(git, "diff", async (folder) => {
    const file = join(folder, "patch");
    const made = await diffPatchToFile(git, target, { ...options, file });
    if (made.isErr()) return err(made.error);
    // The scratch folder is deleted after this; the open handle can still read the file.
    const handle = await open(file, "r");
    const { size } = await handle.stat();
    return ok({
      bytes: size,
      read: async (from: number) => {
        const piece = Buffer.alloc(Math.min(PIECE_BYTES, Math.max(0, size - from)));
        const { bytesRead } = await handle.read(piece, 0, piece.length, from);
        return piece.subarray(0, bytesRead);
      },
      [Symbol.asyncDispose]: () => handle.close(),
    });
  });
}

/** The part of a patch that fits into one answer: whole lines. */
interface ShownPatch {
  readonly patch: string;
  readonly shownBytes: number;
  readonly bytes: number;
}

const LINE_FEED = 0x0a;

/** The first `max` bytes, cut after a line. */
export async function readPatch(
  git: Git,
  patch: PatchOf,
  { max }: { readonly max: number },
): Promise<Result<ShownPatch, RemoteError>> {
  const opened = await openPatch(git, patch);
  if (opened.isErr()) return err(opened.error);
  await using file = opened.value;
  const whole = await bytesOf(file, { from: 0, to: Math.min(max, file.bytes) });
  const shown = file.bytes <= max ? whole : whole.subarray(0, whole.lastIndexOf(LINE_FEED) + 1);
  return ok({ patch: shown.toString("utf8"), shownBytes: shown.length, bytes: file.bytes });
}

/**
 * The same for one file, by its position among all. A name that is not UTF-8 cannot be passed to git. A change of type,
 * such as from a file to a link, has two parts.
 */
export async function readPatchAt(
  git: Git,
  patch: PatchOf,
  {
    files,
    index,
    max,
  }: { readonly files: readonly ChangedFile[]; readonly index: number; readonly max: number },
): Promise<Result<ShownPatch, RemoteError>> {
  const opened = await openPatch(git, patch);
  if (opened.isErr()) return err(opened.error);
  await using file = opened.value;
  const parts = ({ status }: ChangedFile) => (status === "type_changed" ? 2 : 1);
  const first = files.slice(0, index).reduce((sum, one) => sum + parts(one), 0);
  const wanted = files[index];
  const starts = await partStarts(file, first + (wanted === undefined ? 1 : parts(wanted)));
  const [from = file.bytes, to = file.bytes] = [
    starts[first],
    starts[first + (wanted === undefined ? 1 : parts(wanted))],
  ];
  const end = Math.min(to, from + max);
  const bytes = await bytesOf(file, { from, to: end });
  const shown = end === to ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1);
  return ok({ patch: shown.toString("utf8"), shownBytes: shown.length, bytes: to - from });
}

const PART = Buffer.from("\ndiff --git ");

/** The offsets of the parts, up to number `last`. No content line of a part begins like a header. */
async function partStarts(file: PatchFile, last: number): Promise<number[]> {
  const starts = [0];
  let kept = Buffer.alloc(0);
  for (let at = 0; starts.length <= last; ) {
    const piece = await file.read(at);
    if (piece.length === 0) return starts;
    const window = Buffer.concat([kept, piece]);
    const begins = at - kept.length;
    for (let found = window.indexOf(PART); found >= 0; found = window.indexOf(PART, found + 1))
      starts.push(begins + found + 1);
    kept = window.subarray(Math.max(0, window.length - PART.length + 1));
    at += piece.length;
  }
  return starts;
}

async function bytesOf(
  file: PatchFile,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let at = from; at < to; ) {
    const piece = (await file.read(at)).subarray(0, to - at);
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}
