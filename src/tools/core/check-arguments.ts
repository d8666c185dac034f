/** Checks the arguments of a call against the tool's schema, and names the one that is wrong. */
import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import { failure, type ToolRefusal } from "./result.ts";

/** How many wrong arguments one message names, and how much of a name that a caller made up. */
const MOST_NAMED = 5;
const LONGEST_NAME = 100;
/** Elements of one list, and arguments of one call: more than any command is given. Each wrong one would cost a finding of its own. */
const MOST_ELEMENTS = 100_000;

/** Nothing at all counts as no arguments; anything but a plain object is refused. */
export function checkArguments<Input>(schema: z.ZodType<Input>, given: unknown): Result<Input, ToolRefusal> {
  const args = given === undefined ? {} : given;
  if (!isPlainObject(args)) return err(invalidArgument("The arguments must be a JSON object."));
  const tooMany = tooManyIn(args);
  if (tooMany !== null) return err(tooMany);
  const parsed = schema.safeParse(args);
  if (parsed.success) return ok(parsed.data);
  // Only now is it asked what was given: that would slow down every call that is right.
  const { issues } = schema.safeParse(args, { reportInput: true }).error ?? parsed.error;
  const message = issues.slice(0, MOST_NAMED).map(flawOf).join("; ");
  const [first] = issues;
  const [argument] = [...(first?.path ?? []), ...(first?.code === "unrecognized_keys" ? first.keys : [])];
  return err(invalidArgument(`${message}.`, argument === undefined ? {} : { argument: nameOf(argument) }));
}

export function invalidArgument(
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolRefusal {
  return failure("INVALID_ARGUMENT", message, { details });
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Told by its length alone, before anybody looks at millions of elements. */
function tooManyIn(args: Readonly<Record<string, unknown>>): ToolRefusal | null {
  const names = Object.keys(args);
  if (names.length > MOST_ELEMENTS)
    return invalidArgument(
      `There must be at most ${MOST_ELEMENTS} arguments, and there are ${names.length}.`,
    );
  for (const name of names) {
    const list = args[name];
    if (!Array.isArray(list) || list.length <= MOST_ELEMENTS) continue;
    const argument = nameOf(name);
    const message = `${argument}: must have at most ${MOST_ELEMENTS} elements, and has ${list.length}.`;
    return invalidArgument(message, { argument });
  }
  return null;
}

function flawOf(issue: z.core.$ZodIssue): string {
  const where = issue.path.map((part, depth) => partOf(part, depth)).join("");
  if (issue.code === "unrecognized_keys") return strangers(issue.keys, where);
  if (issue.code === "invalid_type" && issue.input === undefined) return `${where} is required`;
  return `${where}: ${lowered(issue.message)}`;
}

function strangers(keys: readonly string[], where: string): string {
  const names = keys.slice(0, MOST_NAMED).map((key) => JSON.stringify(nameOf(key)));
  const what = where === "" ? "of this tool" : `of ${where}`;
  return `${names.join(", ")} ${keys.length === 1 ? "is no argument" : "are no arguments"} ${what}`;
}

function nameOf(key: PropertyKey): string {
  return String(key).slice(0, LONGEST_NAME);
}

function partOf(part: PropertyKey, depth: number): string {
  if (typeof part === "number") return `[${part}]`;
  return depth === 0 ? String(part) : `.${String(part)}`;
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
