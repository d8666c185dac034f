/** Offers the HTTP API as typed functions over a given `fetch`; works in a browser too. */
import { type Calls, createCalls } from "./calls.ts";
import {
  type FollowFacts,
  type FollowLog,
  type FollowTerminal,
  followFacts,
  followLog,
  followTerminal,
} from "./follow-events.ts";
import type { Caller } from "./http-call.ts";

export type { Once, PageQuery, Reply, TaskQuery } from "./calls.ts";
export type { FollowFacts, FollowLog, FollowOptions } from "./follow-events.ts";

export type Client = Calls & {
  readonly followFacts: (options: FollowFacts) => ReturnType<typeof followFacts>;
  readonly followLog: (run: string, options: FollowLog) => ReturnType<typeof followLog>;
  readonly followTerminal: (id: string, options: FollowTerminal) => ReturnType<typeof followTerminal>;
};

export function createClient(caller: Caller): Client {
  return {
    ...createCalls(caller),
    followFacts: (options) => followFacts(caller, options),
    followLog: (run, options) => followLog(caller, run, options),
    followTerminal: (id, options) => followTerminal(caller, id, options),
  };
}
