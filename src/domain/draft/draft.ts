/** Describes a draft: what a person has typed into a form and not sent yet. */
import { z } from "zod";
import { type Entity, jsonObject, time } from "../entity.ts";

export const draftSchema = z.object({
  /** The form, such as `task`. */
  name: z.string(),
  content: jsonObject,
  updatedAt: time,
});
export type Draft = Entity<typeof draftSchema>;
