/** Writes the agent of the benchmarks: a shell script that edits a few files and says when it was done. */
import { stampTo } from "./clock.ts";
import { pathOf } from "./import-text.ts";

/**
 * Works for a moment, as every agent does: what begins beside it is over then. Changes five files all over the repository,
 * deletes one, makes two, then stamps `ended-RUN`.
 */
export function editsThenStamp(of: { readonly files: number; readonly stamps: string }): string {
  const spread = Array.from({ length: 6 }, (_, index) => pathOf(Math.floor((index * of.files) / 6)));
  const [deleted = "", ...changed] = spread;
  return [
    "sleep 0.5",
    ...changed.map((path) => `echo "// edited by $TAZUNA_RUN" >>${path}`),
    `rm ${deleted}`,
    `echo "new of $TAZUNA_RUN" >new-1.txt`,
    "mkdir -p new-folder",
    `echo "new of $TAZUNA_RUN" >new-folder/new-2.txt`,
    stampTo(`${of.stamps}/ended-$TAZUNA_RUN`),
  ].join("\n");
}
