/** Describes what an attempt began with, if that was the work of other attempts: a fork, or a composition. */
import { z } from "zod";
import type { Entity } from "../entity.ts";
import { takenWords } from "./taken-words.ts";

const takenPathSchema = z.object({
  /** A file or a folder, from the top of the repository; `.` for everything. */
  path: z.string(),
  /** Counted from 1, as the patch of that file shows them; null: all of it. */
  hunks: z.array(z.number().int()).nullable(),
});

const sourceSchema = z.object({
  attemptId: z.string(),
  /** The run that left it; null for what the attempt came to. */
  runId: z.string().nullable(),
  /** Null if no agent worked in it. */
  agent: z.string().nullable(),
  /** Every executor whose work it holds, that of its own sources too. */
  executors: z.array(z.string()),
  /** The commit or tree that was read. */
  state: z.string(),
  /** What was taken; null: everything. */
  paths: z.array(takenPathSchema).nullable(),
  /** How many files these are. */
  files: z.number().int(),
});
export type Source = Entity<typeof sourceSchema>;

export const originSchema = z.object({
  act: z.enum(["fork", "compose"]),
  sources: z.array(sourceSchema),
});
export type Origin = Entity<typeof originSchema>;

/** Every executor whose work the attempt begins with, each once. */
export function executorsOf({ sources }: Origin): readonly string[] {
  return [...new Set(sources.flatMap(({ executors }) => executors))];
}

/** The most lines that a commit message has about it. */
const MAX_TRAILERS = 50;

/** The values of `Tazuna-From`: each names an attempt, and the run or what was taken of it. */
export function originTrailers({ sources }: Origin): readonly string[] {
  const all = sources.flatMap(({ attemptId, runId, paths }) =>
    paths === null
      ? [runId === null ? attemptId : `${attemptId} run ${runId}`]
      : paths.map((taken) => `${attemptId} ${takenWords(taken)}`),
  );
  const more = all.length - MAX_TRAILERS;
  return more > 0 ? [...all.slice(0, MAX_TRAILERS), `and ${more} more paths`] : all;
}
