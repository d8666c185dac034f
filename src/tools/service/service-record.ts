/** Defines the shape in which every tool about services describes one. */
import { z } from "zod";

export const serviceRecord = z.strictObject({
  name: z.string(),
  status: z
    .enum(["starting", "running", "exited", "stopped"])
    .describe("`exited` if it ended by itself, `stopped` if it was told to."),
  pid: z.int().describe("Of the program itself; leader of a process group and session."),
  cwd: z.string().describe("Absolute path in which it runs."),
  command: z.array(z.string()),
  port: z.int().nullable().describe("The port that was waited for; null if none was named."),
  exit_code: z.int().nullable().describe("Null while it runs; 128 + N if signal N ended it."),
  started_at: z.string().describe("UTC, ISO 8601."),
  ended_at: z.string().nullable().describe("UTC, ISO 8601; null while it runs."),
});

export type ServiceRecord = z.output<typeof serviceRecord>;

/** Names of services: short, and without special characters for any shell or message. */
export const serviceName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    "must be 1 to 64 letters, digits, dots, dashes and underscores, the first a letter or digit",
  );
