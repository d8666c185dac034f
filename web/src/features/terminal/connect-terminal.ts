/** Connects what a person sees of a terminal to its shell on the server: keys in their order, output, size. */
import type { Client } from "@contract/client/client.ts";
import type { FollowTerminal } from "@contract/client/follow-events.ts";
import type { ApiError } from "@contract/problem.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** `ended`: the shell ended by itself. */
export type TerminalEnd =
  | { readonly kind: "ended" }
  | { readonly kind: "problem"; readonly problem: ApiError };

interface Options {
  readonly api: Pick<
    Client,
    "openTerminal" | "followTerminal" | "typeInTerminal" | "resizeTerminal" | "closeTerminal"
  >;
  readonly attempt: string;
  readonly size: Size;
  readonly onOutput: FollowTerminal["onOutput"];
  readonly onEnd: (end: TerminalEnd) => void;
}

interface TerminalConnection {
  type(text: string): void;
  resize(size: Size): void;
  /** Ends the shell; nothing is told any more. */
  close(): void;
}

/** What one request may carry. */
const MOST_TYPED = 60_000;

/** What is typed before the shell is there waits for it. */
export function connectTerminal(options: Options): TerminalConnection {
  const { api, attempt, onEnd } = options;
  const leave = new AbortController();
  let id: string | null = null;
  let typed = "";
  let size: Size | null = null;
  let sending = false;
  let isOver = false;

  const tellEnd = (end: TerminalEnd): void => {
    isOver = true;
    typed = "";
    size = null;
    if (!leave.signal.aborted) onEnd(end);
  };
  /** One request at a time: several could arrive in another order. */
  const send = async (): Promise<void> => {
    if (sending || id === null) return;
    sending = true;
    while (!leave.signal.aborted && (typed !== "" || size !== null)) {
      if (size !== null) {
        const wanted = size;
        size = null;
        await api.resizeTerminal(id, wanted);
        continue;
      }
      const data = firstOf(typed);
      typed = typed.slice(data.length);
      const done = await api.typeInTerminal(id, { data });
      // What was typed into a broken connection is not typed again: nobody saw whether it arrived.
      if (done.isErr() && done.error.kind !== "unreachable") typed = "";
    }
    sending = false;
  };
  const open = async (): Promise<void> => {
    const opened = await api.openTerminal(attempt, options.size);
    if (opened.isErr()) return tellEnd({ kind: "problem", problem: opened.error });
    ({ id } = opened.value);
    if (leave.signal.aborted) return void api.closeTerminal(id);
    void send();
    const end = await api.followTerminal(id, { signal: leave.signal, onOutput: options.onOutput });
    tellEnd(end.reason === "lost" ? { kind: "problem", problem: end.error } : { kind: "ended" });
  };
  void open();
  return {
    type: (text) => {
      if (isOver) return;
      typed += text;
      void send();
    },
    resize: (wanted) => {
      if (isOver) return;
      size = wanted;
      void send();
    },
    close: () => {
      leave.abort();
      if (id !== null) void api.closeTerminal(id);
    },
  };
}

/** As much as one request carries; no character is cut in two. */
function firstOf(text: string): string {
  const cut = text.slice(0, MOST_TYPED);
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
