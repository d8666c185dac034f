/** Describes a repository that Tazuna knows. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const repositorySchema = z.object({
  id: z.string(),
  /** A short name for people: the folder's name. */
  name: z.string(),
  /** Real absolute path of the user's checkout, or of the bare repository. */
  path: z.string(),
  /** Real absolute path of the directory that holds objects and refs. */
  commonDir: z.string(),
  bare: z.boolean(),
  createdAt: time,
});
export type Repository = Entity<typeof repositorySchema>;
