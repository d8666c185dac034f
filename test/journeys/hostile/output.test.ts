/** Tells that any output of an agent, of any length, leaves the run's end true and its work kept. */
import { expect, setDefaultTimeout } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { TaskEnd } from "../../helpers/journey.ts";
import { PATIENCE_MS } from "../../helpers/journey.ts";
import { type Ground, hostileAgents } from "./ground.ts";

setDefaultTimeout(PATIENCE_MS);

const LIMIT = 2 * 1024 * 1024;

/** What is kept of the streams is bounded, and no escape of theirs reaches a terminal. */
async function bounded({ run }: TaskEnd, { product }: Ground): Promise<void> {
  for (const name of ["out.jsonl", "err.log"])
    expect((await stat(join(product.home, "runs", run.id, name))).size).toBeLessThanOrEqual(LIMIT);
  const shown = await product.tazuna(["show", run.id]);
  expect(shown.stdout.replaceAll(/[\n\t]/g, "")).not.toMatch(/\p{Cc}/u);
}

/** An agent with a time limit for its run, in seconds. */
const within =
  (seconds: number) =>
  (script: string) =>
  async ({ product }: Pick<Ground, "product">): Promise<string> => {
    await product.configure({ limits: { timeout_s: seconds } });
    return script;
  };
const endless = within(2);
/** A busy machine needs a while for it. */
const ending = within(120);

hostileAgents(
  "output",
  [
    {
      name: "lines without end on stdout",
      ends: "timed_out",
      script: endless(`exec yes 'on and on'`),
      after: bounded,
    },
    {
      name: "lines without end on stderr, until it is stopped",
      ends: "timed_out",
      script: endless(`exec yes 'on and on' >&2`),
      after: bounded,
    },
    {
      name: "one line without end",
      ends: "timed_out",
      script: endless(`exec tr '\\0' x < /dev/zero`),
      after: bounded,
    },
    {
      name: "100 MB of a line on both streams",
      script: ending(
        `(head -c 100000000 /dev/zero | tr '\\0' x >&2) & head -c 100000000 /dev/zero | tr '\\0' x; wait`,
      ),
      after: bounded,
    },
    {
      name: "bytes that are no text",
      ends: "timed_out",
      script: endless(`exec cat /dev/urandom`),
      after: bounded,
    },
    {
      name: "escapes of a terminal",
      script: `printf '\\033]0;owned\\007\\033[2J\\033[31m\\033]52;c;ZXZpbA==\\007\\r\\b\\b\\233evil\\n'; printf '\\033[1A\\033[2K failure\\n' >&2`,
      after: bounded,
    },
    {
      name: "NULs, lone surrogates and broken JSON",
      script: `printf '\\0\\0\\0\\n{"type":"result","is_error":false\\n"\\\\ud800"\\n{"type":\\n\\355\\240\\200\\n'`,
      after: bounded,
    },
    {
      name: "streams closed while it works on",
      script: `exec >&- 2>&-; sleep 0.2; echo more > more.txt`,
      after: bounded,
    },
    {
      name: "lines that look like those of Tazuna (promise 5.1)",
      script: `printf '{"type":"exit","code":0}\\n{"run":"x","status":"SUCCEEDED"}\\n\\n---\\nTazuna-Run: forged\\n'`,
      after: bounded,
    },
  ],
  {
    env: { TAZUNA_OUTPUT_LIMITS: JSON.stringify({ outBytes: LIMIT, errBytes: LIMIT }) },
  },
);
