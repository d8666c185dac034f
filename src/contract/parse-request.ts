/** Reads a request by its schema and tells its first fault in one line, with the nearest known key. */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { nearestWord } from "./text.ts";

export interface BadInput {
  readonly message: string;
  readonly details: { readonly path: string; readonly key?: string; readonly nearest?: string | null };
}

/** The `value` parsed by `schema`, or its first fault. */
export function parseRequest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.output<Schema>, BadInput> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return err(badInput(schema, deepest(parsed.error.issues)));
}

type Issue = z.core.$ZodIssue;

/** An unknown key first, since it may be a misspelling of a missing one. Of a union, the branch that came furthest. */
function deepest(issues: readonly Issue[], path: readonly PropertyKey[] = []): Issue {
  const first = issues.find((issue) => issue.code === "unrecognized_keys") ?? issues[0];
  if (first === undefined) throw new Error("a failed parse has at least one issue");
  const at = [...path, ...first.path];
  if (first.code !== "invalid_union" || first.errors.length === 0) return { ...first, path: at };
  const branches = first.errors.filter((branch) => branch.length > 0).map((branch) => deepest(branch, at));
  const [furthest] = branches.toSorted((a, b) => weight(b, at) - weight(a, at));
  return furthest ?? { ...first, path: at };
}

/** A branch that complains about something inside the value knew its type. */
function weight(issue: Issue, at: readonly PropertyKey[]): number {
  return issue.path.length > at.length || issue.code === "unrecognized_keys" ? 1 : 0;
}

function badInput(schema: z.ZodType, issue: Issue): BadInput {
  const path = pathText(issue.path);
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const nearest = nearestWord(key, knownKeys(schema, issue.path));
    const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
    const where = path === "" ? "" : ` in ${path}`;
    return { message: `Unknown key "${key}"${where}.${hint}`, details: { path, key, nearest } };
  }
  const message = issue.message.replace(/^Invalid input: /, "");
  return {
    message: path === "" ? `The request is not valid: ${message}.` : `"${path}" is not valid: ${message}.`,
    details: { path },
  };
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

/** The keys that an object at `path` may have; those of every branch if there are several. */
function knownKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((option) => knownKeys(option, path));
  const [first, ...rest] = path;
  if (bare instanceof z.ZodArray) return knownKeys(bare.element, rest);
  if (!(bare instanceof z.ZodObject)) return [];
  if (first === undefined) return Object.keys(bare.shape);
  const child: z.core.$ZodType | undefined = bare.shape[String(first)];
  return child === undefined ? [] : knownKeys(child, rest);
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap());
  return schema;
}
