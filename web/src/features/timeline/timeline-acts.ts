/** What the rows of a timeline can ask of their screen. */
import type { RunDocument } from "@contract/task-document.ts";
import { createContext, useContext } from "react";
import type { ToolCall } from "./log/tell-log.ts";

export interface TimelineActs {
  readonly attempt: string;
  /** The folder of its repository. */
  readonly repository: string;
  /** Who works in it. */
  readonly agent: string;
  /** Whether it needs to be told who asked for each run. */
  readonly isNamed: boolean;
  readonly showDiff: (run: string) => void;
  /** Puts words into the box that continues, and the focus. */
  readonly write: (words: string) => void;
  /** Asks who goes on from a run. Null: nothing was left to begin with. */
  readonly fork: (run: RunDocument | null) => void;
  readonly openLog: (run: string) => void;
  readonly readMore: (run: string, where: "older" | "newer") => void;
  readonly toggleGroup: (run: string, calls: readonly ToolCall[]) => void;
}

const Acts = createContext<TimelineActs | null>(null);

export const TimelineActsProvider = Acts.Provider;

export function useTimelineActs(): TimelineActs {
  const acts = useContext(Acts);
  if (acts === null) throw new Error("a row stands outside of a timeline");
  return acts;
}
