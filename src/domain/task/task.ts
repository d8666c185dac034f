/** Describes a task: one issue on one repository from one base (seed 003 Related files). */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";
import type { TaskSettings } from "./task-settings.ts";

/** Stored settings; keys unknown to this version stay as they are. */
export const taskSettingsSchema: z.ZodType<TaskSettings> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()]),
);

export const taskSchema = z.object({
  id: z.string(),
  repositoryId: z.string(),
  title: z.string(),
  issue: z.string(),
  context: z.string().nullable(),
  constraints: z.string().nullable(),
  /** The base branch that was asked for; null means: find it when the first run is prepared. */
  base: z.string().nullable(),
  /** It begins, and goes on after a loss, only on workers that have all of these labels. */
  onLabels: z.array(z.string()),
  publish: z.enum(["push", "commit", "hold"]),
  /** Settings of the creator's environment; they win over every file, for later runs too. */
  settings: taskSettingsSchema,
  createdAt: time,
});
export type Task = Entity<typeof taskSchema>;
export type PublishPolicy = Task["publish"];
