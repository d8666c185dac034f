/** Describes a repository that Tazuna knows. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

export const repositorySchema = z.object({
  id: z.string(),
  /** A short name for people: the folder's name. */
  name: z.string(),
  /** Real absolute path of the user's checkout, of the bare repository, or of the clone's folder. */
  path: z.string(),
  /** Real absolute path of the directory that holds objects and refs. */
  commonDir: z.string(),
  bare: z.boolean(),
  /** The address that Tazuna cloned it from, without credentials; null if it is a repository of the user. */
  url: z.string().nullable(),
  /**
   * The address of its `origin`, without credentials. Null if that names nothing that another machine could clone, or
   * was not read yet.
   */
  address: z.string().nullable(),
  createdAt: time,
});
export type Repository = Entity<typeof repositorySchema>;
