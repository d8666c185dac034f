/** Sets or removes one value in a JSON text, and leaves every other character unchanged. */
import { type JsonMember, jsonMembers } from "./json-lines.ts";

/** `text` is valid JSON, an object at its top. Missing objects on the path are made. */
export function setInJson(text: string, path: readonly string[], value: unknown): string {
  const { members } = jsonMembers(text);
  let object = { start: text.indexOf("{"), end: text.lastIndexOf("}") + 1 };
  for (const [index, key] of path.entries()) {
    const own = members.filter(
      ({ depth, keyAt }) => depth === index + 1 && keyAt > object.start && keyAt < object.end,
    );
    // If a key occurs twice, the last one counts, as for `JSON.parse`.
    const member = own.findLast((one) => one.key === key);
    const rest = path.slice(index + 1);
    if (member === undefined) return insert(text, { object, own, key, value: nested(rest, value) });
    if (rest.length === 0 || text[member.start] !== "{")
      return text.slice(0, member.start) + written(nested(rest, value)) + text.slice(member.end);
    object = member;
  }
  return text;
}

/** Null if it is not there. The object that held it stays, even if it is empty then. */
export function removeFromJson(text: string, path: readonly string[]): string | null {
  const { members } = jsonMembers(text);
  let object = { start: text.indexOf("{"), end: text.lastIndexOf("}") + 1 };
  for (const [index, key] of path.entries()) {
    const own = members.filter(
      ({ depth, keyAt }) => depth === index + 1 && keyAt > object.start && keyAt < object.end,
    );
    const at = own.findLastIndex((one) => one.key === key);
    const member = own[at];
    if (member === undefined) return null;
    if (index === path.length - 1) {
      const without = cutOut(text, { object, own, at });
      // An earlier one of the same name would hold now.
      return removeFromJson(without, path) ?? without;
    }
    object = member;
  }
  return null;
}

/** With the comma that parts it from its neighbour. */
function cutOut(
  text: string,
  { object, own, at }: Pick<Place, "object" | "own"> & { readonly at: number },
): string {
  const [before, member, after] = [own[at - 1], own[at], own[at + 1]];
  if (member === undefined) return text;
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end);
  if (after !== undefined) return text.slice(0, member.keyAt) + text.slice(after.keyAt);
  return `${text.slice(0, object.start)}{}${text.slice(object.end)}`;
}

interface Place {
  readonly object: Pick<JsonMember, "start" | "end">;
  /** Its members. */
  readonly own: readonly JsonMember[];
  readonly key: string;
  readonly value: unknown;
}

/** After the last member, in the same layout. */
function insert(text: string, { object, own, key, value }: Place): string {
  const entry = `${JSON.stringify(key)}: ${written(value)}`;
  const last = own.at(-1);
  if (last !== undefined) {
    const before = own.at(-2);
    const from = before === undefined ? object.start + 1 : text.indexOf(",", before.end) + 1;
    const space = text.slice(from, last.keyAt);
    return `${text.slice(0, last.end)},${space === "" ? " " : space}${entry}${text.slice(last.end)}`;
  }
  const lineStart = text.lastIndexOf("\n", object.start) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, object.start))?.[0] ?? "";
  return `${text.slice(0, object.start)}{\n${indent}  ${entry}\n${indent}}${text.slice(object.end)}`;
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

/** On one line, as people write short values. */
function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${written(inner)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
