/** Reads the comments from the words of a reviewing agent, as tolerantly as they can be read without guessing. */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { type Comment, SEVERITIES } from "./comment.ts";
import type { PatchedFile } from "./patch-lines.ts";

/** A comment without what the storage adds to it. */
type ReadComment = Pick<Comment, "path" | "line" | "side" | "quoted" | "severity" | "body">;

interface Review {
  readonly comments: readonly ReadComment[];
  /** How many entries had no path or no words, or were too many. */
  readonly left: number;
}

const MAX_COMMENTS = 200;
const MAX_BODY_CHARS = 8_000;

const lineNumber = z.union([
  z.number().int().positive(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** What models write in the place of the asked-for words counts too. */
const entry = z.object({
  path: z.string().min(1).max(1_000),
  line: lineNumber.nullish().catch(null),
  side: z.enum(["old", "new"]).catch("new"),
  severity: z
    .string()
    .transform((word) => word.toLowerCase())
    .pipe(z.enum(SEVERITIES))
    .catch("medium"),
  body: z.string().trim().min(1),
});

/**
 * The last block of JSON counts: a list, or an object with a list `comments`. A line that the patch does not show
 * becomes a comment on its file. The error says what is missing.
 */
export function readReview(words: string, patched: ReadonlyMap<string, PatchedFile>): Result<Review, string> {
  const entries = lastList(words);
  if (entries === null) return err("its words do not end with a list of comments in JSON");
  const comments: ReadComment[] = [];
  for (const each of entries.slice(0, MAX_COMMENTS)) {
    const read = entry.safeParse(each);
    const path = read.success ? pathIn(read.data.path, patched) : null;
    if (read.success && path !== null) comments.push(placed({ ...read.data, path }, patched.get(path)));
  }
  if (comments.length === 0 && entries.length > 0) return err("no entry of its list has a path and words");
  return ok({ comments, left: entries.length - comments.length });
}

function placed(
  { path, line = null, side, severity, body }: z.output<typeof entry>,
  file: PatchedFile | undefined,
): ReadComment {
  const quoted = line === null ? undefined : file?.[side].get(line);
  const words = { severity, body: body.slice(0, MAX_BODY_CHARS) };
  if (quoted === undefined) return { path, line: null, side, quoted: null, ...words };
  return { path, line, side, quoted, ...words };
}

/** As the patch names it; null if the path leads out of the repository. */
function pathIn(given: string, patched: ReadonlyMap<string, PatchedFile>): string | null {
  const path = given.replace(/^(\.\/)+/, "");
  if (patched.has(path)) return path;
  const known = [...patched.keys()].find((one) => path === `a/${one}` || path === `b/${one}`);
  if (known !== undefined) return known;
  const ending = [...patched.keys()].find((one) => path.startsWith("/") && path.endsWith(`/${one}`));
  if (ending !== undefined) return ending;
  const leaves = path.startsWith("/") || path.includes("\0") || path.split("/").includes("..");
  return leaves ? null : path;
}

const FENCED = /```[\w-]*[ \t]*\n([\s\S]*?)\n?[ \t]*```/g;

function lastList(words: string): readonly unknown[] | null {
  const blocks = [...words.matchAll(FENCED)].map(([, inside = ""]) => inside).toReversed();
  for (const block of blocks) {
    const list = listOf(block);
    if (list !== null) return list;
  }
  return listOf(words) ?? bareList(words);
}

/** Without a fence: from the last line that begins a list or an object to the end. */
function bareList(words: string): readonly unknown[] | null {
  const lines = words.trimEnd().split("\n");
  const starts = lines.flatMap((line, at) => (/^\s*[[{]/.test(line) ? [at] : []));
  for (const at of starts.slice(0, MAX_STARTS)) {
    const list = listOf(lines.slice(at).join("\n"));
    if (list !== null) return list;
  }
  return null;
}

const MAX_STARTS = 50;

function listOf(text: string): readonly unknown[] | null {
  try {
    const json: unknown = JSON.parse(text);
    if (Array.isArray(json)) return json;
    const { comments } = (json ?? {}) as { readonly comments?: unknown };
    return Array.isArray(comments) ? comments : null;
  } catch {
    return null;
  }
}
