/** Joins what is shown of patches. */
import { err } from "neverthrow";
import type { ServiceContext } from "../core/context.ts";
import type { DiffOf } from "../core/request-shapes.ts";
import type { Answer, Services } from "../core/services.ts";
import { fileLines } from "../diffs/file-lines.ts";
import { filePicture } from "../diffs/file-picture.ts";
import { diffFilesOf, showDiff, wholePatch } from "../diffs/show-diff.ts";
import { bringLeft } from "../returned/find-left.ts";
import type { ServiceMemory } from "./memory.ts";

export function diffServices(context: ServiceContext, { comparedFiles: filesOf }: ServiceMemory) {
  /** What a worker that came back has is brought here before it is compared. */
  const brought = async <T>(of: DiffOf, show: () => Answer<T>): Answer<T> => {
    if ("run" in of || of.worker == null) return show();
    const here = await bringLeft(context, { attempt: of.attempt, worker: of.worker });
    return here.isErr() ? err(here.error) : show();
  };
  return {
    diff: (of, options) => brought(of, () => showDiff(context, of, { ...options, filesOf })),
    diffFiles: (of, query) => brought(of, () => diffFilesOf(context, of, { ...query, filesOf })),
    lines: (of, asked) => brought(of, () => fileLines(context, of, { ...asked, filesOf })),
    picture: (of, file) => brought(of, () => filePicture(context, of, { ...file, filesOf })),
    patch: (of) => brought(of, () => wholePatch(context, of)),
  } satisfies Partial<Services>;
}
