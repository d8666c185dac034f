/** Joins what is shown of patches. */
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { fileLines } from "../diffs/file-lines.ts";
import { filePicture } from "../diffs/file-picture.ts";
import { diffFilesOf, showDiff, wholePatch } from "../diffs/show-diff.ts";
import type { ServiceMemory } from "./memory.ts";

export function diffServices(context: ServiceContext, { comparedFiles: filesOf }: ServiceMemory) {
  return {
    diff: (of, options) => showDiff(context, of, { ...options, filesOf }),
    diffFiles: (of, query) => diffFilesOf(context, of, { ...query, filesOf }),
    lines: (of, asked) => fileLines(context, of, { ...asked, filesOf }),
    picture: (of, file) => filePicture(context, of, { ...file, filesOf }),
    patch: (of) => wholePatch(context, of),
  } satisfies Partial<Services>;
}
