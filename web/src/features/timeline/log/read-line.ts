/** Reads what a line of the log says. A line of a newer server that is not known here says nothing. */
import type { LogLine } from "@contract/endpoints/runs.ts";
import { cleanLine, cleanText } from "@contract/text.ts";

type Event = Readonly<Record<string, unknown>>;

export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "other";

type Said =
  | { readonly kind: "message"; readonly text: string; readonly delta: boolean }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: ToolKind; readonly title: string }
  | {
      readonly kind: "update";
      readonly id: string;
      readonly status: string;
      readonly output: string | null;
      /** How long the call took; null if it goes on or that is unknown. */
      readonly ms: number | null;
    }
  | { readonly kind: "plan"; readonly entries: readonly PlanEntry[] }
  | { readonly kind: "permission"; readonly id: string; readonly title: string; readonly isDenied: boolean }
  | { readonly kind: "warning"; readonly text: string }
  | { readonly kind: "step"; readonly step: string; readonly text: string }
  | { readonly kind: "stderr"; readonly text: string }
  /** The facts and the box tell it: the session, the usage, the question. */
  | { readonly kind: "elsewhere" };

export interface PlanEntry {
  readonly content: string;
  readonly status: string;
}

const ELSEWHERE: Said = { kind: "elsewhere" };
const KINDS: ReadonlySet<string> = new Set<ToolKind>([
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "other",
]);

/**
 * A line says the same forever, and lines stay in memory while the log grows. It holds what it says itself: a weak map
 * of thousands of lines made each collection of garbage longer.
 */
const SAID = Symbol("said");
type KeptLine = LogLine & { [SAID]?: Said };

/** `place` is the worktree: paths in it are shown from its top. */
export function readLine(line: KeptLine, place: string): Said {
  line[SAID] ??= readNew(line, place);
  return line[SAID];
}

function readNew({ source, event }: LogLine, place: string): Said {
  if (source === "stderr") return { kind: "stderr", text: cleanText(textOf(event, "text")) };
  if (source === "tazuna")
    return { kind: "step", step: cleanLine(textOf(event, "step")), text: cleanText(textOf(event, "text")) };
  return readEvent(event, place);
}

function readEvent(event: Event, place: string): Said {
  switch (event.kind) {
    case "message":
      return { kind: "message", text: cleanText(textOf(event, "text")), delta: event.delta === true };
    case "thought":
      return { kind: "thought", text: cleanText(textOf(event, "text")) };
    case "tool_call":
      return {
        kind: "call",
        id: textOf(event, "id"),
        tool: (KINDS.has(textOf(event, "toolKind")) ? event.toolKind : "other") as ToolKind,
        title: cleanLine(textOf(event, "title")).replaceAll(`${place}/`, ""),
      };
    case "tool_call_update":
      return {
        kind: "update",
        id: textOf(event, "id"),
        status: textOf(event, "status"),
        output: typeof event.output === "string" ? cleanText(event.output) : null,
        ms: typeof event.durationMs === "number" && event.durationMs >= 0 ? event.durationMs : null,
      };
    case "plan":
      return { kind: "plan", entries: entriesOf(event) };
    case "permission":
      return {
        kind: "permission",
        id: textOf(event, "id"),
        title: cleanLine(textOf(event, "title")),
        isDenied: isDenied(event),
      };
    case "warning":
      return { kind: "warning", text: cleanText(textOf(event, "text")) };
    case "retry":
      return { kind: "warning", text: cleanText(textOf(event, "message")) };
    default:
      return ELSEWHERE;
  }
}

/** Whether a rule chose an option that refuses. */
function isDenied({ options, chosen }: Event): boolean {
  const all = Array.isArray(options) ? (options as Event[]) : [];
  return all.some(({ id, kind }) => id === chosen && String(kind).startsWith("reject"));
}

function entriesOf({ entries }: Event): readonly PlanEntry[] {
  const all = Array.isArray(entries) ? (entries as Event[]) : [];
  return all.map((entry) => ({
    content: cleanLine(textOf(entry, "content")),
    status: textOf(entry, "status"),
  }));
}

function textOf(event: Event, name: string): string {
  const value = event[name];
  return typeof value === "string" ? value : "";
}
