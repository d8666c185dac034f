/** Checks the arguments of a call against the tool's schema, and names the wrong ones. */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { ownOptions, ownProperties } from "../../utils/values/own-properties.ts";
import { failure, type ToolRefusal } from "./result.ts";

/** At most this many wrong arguments, and characters of an unknown name, in one message. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 100;
/** The most elements of one list, and arguments of one call: more than any command needs. Each may cost a finding. */
const MAX_ELEMENTS = 100_000;

/** A missing value counts as no arguments. Anything else but a plain object is refused. */
export function checkArguments<Input>(schema: z.ZodType<Input>, given: unknown): Result<Input, ToolRefusal> {
  const handed = given === undefined ? {} : given;
  if (!isPlainObject(handed)) return err(invalidArgument("The arguments must be a JSON object."));
  // Each property is read once, so that the checked value is the used one.
  const named = ownOptions(handed);
  const tooMany = tooManyIn(named);
  if (tooMany !== null) return err(tooMany);
  const args = ownProperties(named);
  // Call zod's own function, because the methods of a schema can be replaced from outside.
  const parsed = z.safeParse(schema, args);
  if (parsed.success) return ok(withoutPrototype(parsed.data));
  // Ask for the given values only after a failure, because that would slow down every correct call.
  const { issues } = z.safeParse(schema, args, { reportInput: true }).error ?? parsed.error;
  const message = issues.slice(0, MAX_NAMED).map(flawOf).join("; ");
  const [first] = issues;
  const [argument] = [...(first?.path ?? []), ...(first?.code === "unrecognized_keys" ? first.keys : [])];
  return err(invalidArgument(`${message}.`, argument === undefined ? {} : { argument: nameOf(argument) }));
}

/** The tool reads optional arguments from this object, so it must not inherit any. */
function withoutPrototype<Input>(input: Input): Input {
  return isPlainObject(input) ? ownOptions(input) : input;
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

/** Judges by the length alone, before it looks at the elements. */
function tooManyIn(args: Readonly<Record<string, unknown>>): ToolRefusal | null {
  const names = Object.keys(args);
  if (names.length > MAX_ELEMENTS)
    return invalidArgument(`There must be at most ${MAX_ELEMENTS} arguments, and there are ${names.length}.`);
  for (const name of names) {
    const list = args[name];
    if (!Array.isArray(list) || list.length <= MAX_ELEMENTS) continue;
    const argument = nameOf(name);
    const message = `${argument}: must have at most ${MAX_ELEMENTS} elements, and has ${list.length}.`;
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
  const names = keys.slice(0, MAX_NAMED).map((key) => JSON.stringify(nameOf(key)));
  const what = where === "" ? "of this tool" : `of ${where}`;
  return `${names.join(", ")} ${keys.length === 1 ? "is no argument" : "are no arguments"} ${what}`;
}

function nameOf(key: PropertyKey): string {
  return String(key).slice(0, MAX_NAME_LENGTH);
}

function partOf(part: PropertyKey, depth: number): string {
  if (typeof part === "number") return `[${part}]`;
  return depth === 0 ? String(part) : `.${String(part)}`;
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
