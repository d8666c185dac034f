/** Offers the built-in demo agent: needs no key, no network and no other program. */
import type { Executor } from "../executor.ts";
import { NO_PLACES } from "../launch.ts";
import { demoPlan } from "./argv.ts";
import { demoParser } from "./parse-events.ts";

/** `selfCommand` starts our own program. */
export function createDemo(selfCommand: readonly string[]): Executor {
  return {
    id: "demo",
    label: "Demo",
    author: "Tazuna demo <demo@localhost>",
    builtIn: true,
    detect: async () => ({ version: null, ready: true, reason: null, binary: null }),
    plan: (request) => demoPlan(request, selfCommand),
    parser: demoParser,
    places: () => NO_PLACES,
    login: () => "demo",
  };
}
