/** Decides what an answer of a forge means: good, or which error, in the forge's own words. */
import type { ForgeError } from "../forge.ts";
import { unavailable } from "./forge-failure.ts";
import { limitedUntil } from "./rate-limit.ts";

interface GivenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Null if it is good. `asked` names host, method and path. */
export function judgeAnswer(
  answer: GivenAnswer,
  { asked, now }: { readonly asked: string; readonly now: Date },
): { readonly error: ForgeError; readonly words: string } | null {
  const { status, headers, text } = answer;
  const isEmpty = text.trim() === "";
  const said = isEmpty ? undefined : parsed(text);
  const isJson =
    isEmpty || (said !== undefined && /^application\/(?:[\w.+-]+\+)?json\b/i.test(typeOf(headers)));
  if (status >= 200 && status < 300 && isJson) return null;
  const words = isJson ? wordsIn(said) : "";
  const message = `${asked} was answered with ${status}${words === "" ? "." : `: ${words}`}`;
  const resumeAt = limitedUntil({ status, headers, words: isJson ? words : text.slice(0, 500) }, now);
  if (resumeAt !== null)
    return {
      error: { code: "rate_limited", message, status, resumeAt: resumeAt.toISOString(), transient: true },
      words,
    };
  if (!isJson)
    return {
      error: unavailable(
        `${asked} was answered with ${status} and ${typeOf(headers) || "no content type"} instead of JSON. Something else than the forge's API answers there.`,
        { status, transient: status < 400 || status >= 500 },
      ),
      words,
    };
  const code = codeOf(status);
  return {
    error: { code, message, status, resumeAt: null, transient: code === "forge_unavailable" },
    words,
  };
}

const CODES: Readonly<Record<number, ForgeError["code"]>> = {
  401: "forge_auth",
  403: "forge_forbidden",
  404: "forge_not_found",
  408: "forge_unavailable",
  409: "forge_conflict",
  410: "forge_not_found",
  451: "forge_forbidden",
};

function codeOf(status: number): ForgeError["code"] {
  return CODES[status] ?? (status >= 400 && status < 500 ? "forge_refused" : "forge_unavailable");
}

function typeOf(headers: Headers): string {
  return headers.get("content-type") ?? "";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The sentence of an error. GitHub: `{ message, errors: [{ message, resource, field, code }] }`; GitLab: `message` as
 * text, list or fields with lists, or `error`; Gitea: `{ message }`.
 */
function wordsIn(said: unknown): string {
  if (typeof said !== "object" || said === null) return "";
  const { message, error, errors, error_description } = said as Readonly<Record<string, unknown>>;
  const parts = [message ?? error, error_description, ...(Array.isArray(errors) ? errors : [])].map(wordOf);
  return [...new Set(parts.filter((part) => part !== ""))].join("; ");
}

function wordOf(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part !== "object" || part === null) return "";
  if (Array.isArray(part)) return part.map(wordOf).join("; ");
  const { message, field, code } = part as Readonly<Record<string, unknown>>;
  if (typeof message === "string") return message;
  if (typeof field === "string") return `${field}: ${String(code ?? "invalid")}`;
  return Object.entries(part)
    .map(([name, value]) => `${name}: ${wordOf(value)}`)
    .join("; ");
}
