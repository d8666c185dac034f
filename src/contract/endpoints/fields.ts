/** Describes the fields that several endpoints share: texts, numbers of a query string, pages. */
import { z } from "zod";
import { TASK_SETTINGS, type TaskSettings } from "../../domain/task/task-settings.ts";

export const text = z.string().refine((value) => value.trim() !== "", "must not be blank");
export const path = text.refine((value) => !value.includes("\0"), "must not contain a NUL character");

const settingValue = z.union([z.string().max(1000), z.number(), z.boolean()]);

/**
 * Settings of one task or run, by dotted key; they win over every file. A text is read like a variable's value.
 * Settings of a whole engine cannot be set here, and neither can scripts.
 */
export const settings: z.ZodType<TaskSettings, TaskSettings> = z.strictObject(
  Object.fromEntries(TASK_SETTINGS.map((key) => [key, settingValue.exactOptional()])),
);

export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** For every list: where the page begins, and the most items that it may have. */
export const pageQuery = z.strictObject({
  cursor: z.string().min(1).nullable().default(null),
  limit: wholeNumber.refine((value) => value >= 1 && value <= 200, "must be from 1 to 200").default(50),
});

/** What lists of tasks, attempts and runs are narrowed to. */
export const narrowing = {
  /** Id, name, or the absolute path of a folder in it; null: of all repositories. */
  repository: path.nullable().default(null),
  /** Only what failed. */
  failed: flag.default(false),
  /** Only what this agent works on. */
  agent: text.nullable().default(null),
  /** Only what was created then or later, UTC ISO. */
  since: z.iso.datetime().nullable().default(null),
};

/** The answer is for a task on this repository with these settings. */
export const configQuery = z.strictObject({
  repository: path.nullable().default(null),
  /** As JSON. */
  settings: z.string().transform(parseJson).pipe(settings).default({}),
});

export const nothing = z.strictObject({});

/** A page of a list. Send `next` back as `cursor`; it is null at the end. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().nullable() });
}

/** Not an object if it is not JSON; the schema after it then reports that. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
