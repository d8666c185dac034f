/** Turns the lines of a log into what a person reads: calls with their results, whole messages, folded groups. */
import type { LogLine } from "@contract/endpoints/runs.ts";
import { type PlanEntry, readLine, type ToolKind } from "./read-line.ts";

export interface ToolCall {
  readonly kind: "tool";
  readonly n: number;
  readonly tool: ToolKind;
  readonly title: string;
  readonly state: "working" | "done" | "failed" | "denied";
  readonly output: string | null;
  /** How long it took, and when it ended; null while it goes on, and if the log does not say. */
  readonly took: Took | null;
}

interface Took {
  readonly ms: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

export type Told =
  | { readonly kind: "message"; readonly n: number; readonly text: string }
  | { readonly kind: "thought"; readonly n: number; readonly text: string }
  | ToolCall
  | {
      readonly kind: "group";
      readonly n: number;
      readonly calls: readonly ToolCall[];
      /** While at least one of them ran; null if that is unknown of one. */
      readonly ms: number | null;
    }
  | { readonly kind: "plan"; readonly n: number; readonly entries: readonly PlanEntry[] }
  | { readonly kind: "warning"; readonly n: number; readonly text: string }
  /** A script of the configuration: its command, and how it ended once it did. */
  | {
      readonly kind: "script";
      readonly n: number;
      readonly label: string;
      readonly command: string;
      readonly output: string | null;
      readonly ms: number | null;
      readonly isGood: boolean;
    }
  | { readonly kind: "step"; readonly n: number; readonly label: string; readonly text: string }
  | { readonly kind: "stderr"; readonly n: number; readonly text: string };

/** Fewer quiet calls in a row than that are shown one by one. */
const FOLD_FROM = 4;
/**
 * A group ends at each multiple of so many lines, so that a long log can be scrolled. That is about a hundred calls.
 * Where it ends does not depend on the piece of the log that is held.
 */
const FOLD_LINES = 200;
/** A live run shows its last calls one by one. */
const LIVE_CALLS = 8;

interface TellOptions {
  readonly worktree: string;
  /** The run works: its last calls stay open. */
  readonly isLive: boolean;
  /** Words of agent and person alone. */
  readonly talkOnly: boolean;
}

export function tellLog(
  lines: readonly LogLine[],
  { worktree, isLive, talkOnly }: TellOptions,
): readonly Told[] {
  const told = createTelling();
  for (const line of lines) told.take(line, worktree);
  const all = withoutPlanCalls(told.all());
  if (talkOnly) return all.filter(({ kind }) => TALK.has(kind));
  return folded(all, isLive);
}

/** The call that wrote a plan says nothing beside the plan. */
function withoutPlanCalls(all: readonly Told[]): readonly Told[] {
  if (!all.some(({ kind }) => kind === "plan")) return all;
  return all.filter((told) => told.kind !== "tool" || told.tool !== "think" || told.title !== "Plan");
}

const TALK: ReadonlySet<Told["kind"]> = new Set(["message", "step"]);

function createTelling() {
  const all: Told[] = [];
  const calls = new Map<string, number>();
  const scripts = new Map<string, { readonly at: string | null; readonly index: number }>();
  let plan = -1;

  const put = (told: Told): number => all.push(told) - 1;
  const change = (index: number | undefined, set: (told: Told) => Told): boolean => {
    const told = index === undefined ? undefined : all[index];
    if (index === undefined || told === undefined) return false;
    all[index] = set(told);
    return true;
  };
  const take = (line: LogLine, worktree: string): void => {
    const { n } = line;
    const said = readLine(line, worktree);
    switch (said.kind) {
      case "message": {
        const last = all.at(-1);
        const goesOn = said.delta && last?.kind === "message";
        if (goesOn) all[all.length - 1] = { ...last, text: last.text + said.text };
        else if (said.text.trim() !== "") put({ kind: "message", n, text: said.text });
        return;
      }
      case "call": {
        const { id, tool, title } = said;
        const known = change(calls.get(id), (held) => ({ ...(held as ToolCall), tool, title }));
        if (!known) calls.set(id, put(callOf({ n, tool, title })));
        return;
      }
      case "update": {
        const state = said.status === "failed" ? "failed" : said.status === "completed" ? "done" : "working";
        change(calls.get(said.id), (held) => {
          const call = held as ToolCall;
          return {
            ...call,
            state: call.state === "denied" ? "denied" : state,
            output: said.output ?? call.output,
            took: tookOf(line, said.ms) ?? call.took,
          };
        });
        return;
      }
      case "permission":
        if (
          said.isDenied &&
          !change(calls.get(said.id), (held) => ({ ...(held as ToolCall), state: "denied" }))
        )
          put({ ...callOf({ n, tool: "other", title: said.title }), state: "denied" });
        return;
      case "plan":
        // The newest state of the plan stands where the plan was told first.
        if (!change(plan, (held) => ({ ...held, kind: "plan", n: held.n, entries: said.entries })))
          plan = put({ kind: "plan", n, entries: said.entries });
        return;
      case "step":
        takeStep(line, said);
        return;
      case "stderr": {
        const last = all.at(-1);
        if (last?.kind === "stderr") all[all.length - 1] = { ...last, text: `${last.text}\n${said.text}` };
        else put({ kind: "stderr", n, text: said.text });
        return;
      }
      case "thought":
      case "warning":
        put({ kind: said.kind, n, text: said.text });
        return;
      case "elsewhere":
        return;
    }
  };
  /** A script tells its command first, and its output when it has ended. */
  const takeStep = ({ n, at }: LogLine, { step, text }: { readonly step: string; readonly text: string }) => {
    if (text.startsWith("$ ")) {
      const command = text.slice(2);
      const begun = {
        kind: "script",
        n,
        label: step,
        command,
        output: null,
        ms: null,
        isGood: true,
      } as const;
      scripts.set(step, { at, index: put(begun) });
      return;
    }
    const begun = scripts.get(step);
    scripts.delete(step);
    const ended = change(begun?.index, (held) => ({
      ...(held as Extract<Told, { kind: "script" }>),
      output: text,
      ms: timeBetween(begun?.at ?? null, at),
      isGood: text.endsWith("ended well"),
    }));
    if (!ended) put({ kind: "step", n, label: step, text });
  };
  return { take, all: (): readonly Told[] => all };
}

const callOf = (begun: Pick<ToolCall, "n" | "tool" | "title">): ToolCall => ({
  kind: "tool",
  ...begun,
  state: "working",
  output: null,
  took: null,
});

function tookOf({ at }: LogLine, ms: number | null): Took | null {
  return ms === null || at === null ? null : { ms, until: Date.parse(at) };
}

/** Calls may run at the same time: each moment counts once. */
function timeOf(calls: readonly ToolCall[]): number | null {
  const all = calls.flatMap(({ took }) => took ?? []);
  if (all.length < calls.length) return null;
  const spans = all.map(({ ms, until }) => ({ from: until - ms, until }));
  let ms = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { from, until } of spans.toSorted((one, other) => one.from - other.from)) {
    ms += Math.max(0, until - Math.max(from, end));
    end = Math.max(end, until);
  }
  return ms;
}

function timeBetween(from: string | null, to: string | null): number | null {
  return from === null || to === null ? null : Date.parse(to) - Date.parse(from);
}

const isQuiet = (told: Told): told is ToolCall => told.kind === "tool" && told.state === "done";

const blockOf = (told: Told | undefined) => Math.floor((told?.n ?? 0) / FOLD_LINES);

/** Puts quiet calls that follow each other into a group. Failed and denied calls stay open. */
function folded(all: readonly Told[], isLive: boolean): readonly Told[] {
  const open = isLive ? all.length - LIVE_CALLS : all.length;
  const rows: Told[] = [];
  for (let index = 0; index < all.length; ) {
    let end = index;
    const block = blockOf(all[index]);
    while (end < open && isQuiet(all[end] as Told) && blockOf(all[end]) === block) end += 1;
    const calls = all.slice(index, end) as ToolCall[];
    const first = calls[0];
    if (first !== undefined && calls.length >= FOLD_FROM)
      rows.push({ kind: "group", n: first.n, calls, ms: timeOf(calls) });
    else rows.push(...calls);
    index = end;
    const next = all[index];
    if (next !== undefined && (calls.length === 0 || !isQuiet(next))) {
      rows.push(next);
      index += 1;
    }
  }
  return rows;
}
