/** Tells whether this machine can confine programs, and why a test that needs it is skipped. */
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { findSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { deep } from "./tier.ts";

export const sandboxHere: Sandbox = await findSandbox({
  platform: process.platform,
  which: async (program) => Bun.which(program),
  // One for each user: the first to come would own it.
  scratch: join(tmpdir(), `tazuna-sandbox-probe-${userInfo().uid}`),
})();

/** The title of a test that is there once for each way to hold agents: `npm test` tries one of them. */
export const underEach = (held: "sandbox" | "guard", title: string): string =>
  (held === "sandbox") === sandboxHere.available ? title : deep(title);

/** Behind a test's title. */
export const skippedWithout = sandboxHere.available ? "" : ` (skipped: ${sandboxHere.reason})`;
