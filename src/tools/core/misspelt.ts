/** Names the known word that was probably meant in an owner's options or policy. */
import { z } from "zod";
import { nearestWord } from "../../domain/text/nearest.ts";

/** Explains what is wrong with an option, and where. `options` names the whole set. */
export function flawOf(schema: z.ZodType, issue: z.core.$ZodIssue, options: string): string {
  const place = [options, ...issue.path.map(String)].filter((part) => part !== "").join(".");
  const problem = place === "" ? issue.message : `${place}: ${issue.message}`;
  if (issue.code !== "unrecognized_keys") return problem;
  return `${problem}${meant(issue.keys[0] ?? "", keysAt(schema, issue.path))}`;
}

/** The first entry of a policy that is not the name of a tool, with the nearest name. Null if each is known. */
export function unknownTool(
  tools: Readonly<Record<string, unknown>>,
  known: readonly string[],
): string | null {
  const unknown = Object.keys(tools).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return `names a tool that does not exist: ${JSON.stringify(unknown)}${meant(unknown, known)}`;
}

function meant(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === null
    ? ` (known are ${known.join(", ")})`
    : ` (did you mean ${JSON.stringify(nearest)}?)`;
}

/** The keys of the object at a path of a schema. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const { shape = {} } = bare(schema) as { readonly shape?: Readonly<Record<PropertyKey, z.ZodType>> };
  const [first, ...rest] = path;
  const inner = first === undefined ? undefined : shape[first];
  return inner === undefined ? Object.keys(shape) : keysAt(inner, rest);
}

/** Removes the wrapper that only marks a value as optional. */
function bare(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return bare(schema.unwrap() as z.ZodType);
  return schema;
}
