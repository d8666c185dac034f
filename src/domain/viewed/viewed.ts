/** Describes what a person has looked at: files of a patch, and the newest run of an attempt. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const viewedFileSchema = z.object({
  attemptId: z.string(),
  /** As the patch names it. */
  path: z.string(),
  /** Both sides of its change when it was looked at, as `changeMark` writes them. */
  mark: z.string(),
  at: time,
});
export type ViewedFile = Entity<typeof viewedFileSchema>;

export const seenRunSchema = z.object({
  attemptId: z.string(),
  /** The newest run that the person looked at. */
  runId: z.string(),
  at: time,
});
export type SeenRun = Entity<typeof seenRunSchema>;

/** Equal for two changes of one file whose contents and modes are equal on both sides. */
export function changeMark(change: {
  readonly previousMode: string;
  readonly previousSha: string;
  readonly mode: string;
  readonly sha: string;
}): string {
  return `${change.previousMode} ${change.previousSha} ${change.mode} ${change.sha}`;
}
