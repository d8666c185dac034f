/** Reads one side of a changed file that is a picture, to be shown beside the other side. */
import { readFile } from "node:fs/promises";
import { err, ok, type Result, safeTry } from "neverthrow";
import { MAX_PICTURE_BYTES, pictureType } from "../../domain/read/picture-type.ts";
import { blobSizes, withBlobFile } from "../../git/index/read-blobs.ts";
import type { Picture } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import type { DiffOf, FileSide } from "../core/request-shapes.ts";
import { changedBlob } from "./changed-blob.ts";
import type { ComparedFiles } from "./compared-files.ts";
import { gitRefusal } from "./compared-sides.ts";

/** Its first bytes say what it is, never its name. */
export async function filePicture(
  engine: Uses<"db" | "git" | "configuration">,
  of: DiffOf,
  file: FileSide & { readonly filesOf: ComparedFiles },
): Promise<Result<Picture, Refusal>> {
  return safeTry(async function* () {
    const { git, target, sha } = yield* await changedBlob(engine, of, file);
    const size = (yield* (await blobSizes(git, target, [sha])).mapErr(gitRefusal)).get(sha) ?? 0;
    if (size > MAX_PICTURE_BYTES) return err(noPicture(file.path));
    const act = (name: string) => readFile(name);
    const bytes = yield* (await withBlobFile(git, target, { sha, act })).mapErr(gitRefusal);
    const type = pictureType(bytes);
    return type === null ? err(noPicture(file.path)) : ok({ type, bytes });
  });
}

function noPicture(path: string): Refusal {
  const mebibytes = MAX_PICTURE_BYTES / 1_048_576;
  const message = `${path} is no png, jpeg, gif, webp or avif picture of at most ${mebibytes} MiB.`;
  return refuse("conflict", "no_picture", message, {
    remedy: "Read its diff instead: that tells its lines, or the bytes of both sides.",
    details: { path },
  });
}
