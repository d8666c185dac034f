/** Holds the palette against the command line: everything that it can do is there by name (product: scene 9). */
import { expect, test } from "bun:test";
import { VERBS } from "../../src/cli/verbs.ts";
import { ATTEMPT_VERBS } from "../../web/src/features/attempts/attempt-verbs.ts";
import { PLACE_VERBS, WHOLE_VERBS } from "../../web/src/features/palette/verbs.ts";

/** A browser has no use for them. */
const REASONS: Readonly<Record<string, string>> = {
  wait: "the page shows the end by itself, and a notification tells it",
  completions: "they are for a shell",
  serve: "it is what serves the page",
  worker: "it runs on a machine that has no page",
  mcp: "an agent starts it",
  tool: "an agent calls them",
};

test("every verb of the command line is an act or a place of the palette, or has a reason", () => {
  const named = [ATTEMPT_VERBS, PLACE_VERBS, WHOLE_VERBS].flatMap((acts) => Object.values(acts).flat());
  const missing = Object.keys(VERBS).filter((verb) => !named.includes(verb as never) && !(verb in REASONS));
  const unknown = [...named, ...Object.keys(REASONS)].filter((verb) => !(verb in VERBS));
  expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
});
