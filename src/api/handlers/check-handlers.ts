/** Handles the endpoints of checks. */
import { err } from "neverthrow";
import type { GATE_ENDPOINTS } from "../../contract/endpoints/gate.ts";
import type { AttemptChecks } from "../../services/core/answer-shapes.ts";
import { type Handlers, shown } from "./handler.ts";

export const checkHandlers: Handlers<Pick<typeof GATE_ENDPOINTS, "checks" | "checkBase">> = {
  checks: ({ services, id }) => shown(services.checks(id), showChecks),
  checkBase: async ({ services, id, request }) => {
    const begun = await services.checkBase({ ...request, attempt: id });
    return begun.isErr() ? err(begun.error) : shown(services.checks(id), showChecks);
  },
};

function showChecks({ items, baseSha }: AttemptChecks) {
  return { items: items.map(showCheck), next: null, base_sha: baseSha };
}

function showCheck({ name, command, required, last, base, running }: AttemptChecks["items"][number]) {
  return {
    name,
    command,
    required,
    last: last && { run: last.runId, tree: last.tree, outcome: last.outcome, ...endOf(last) },
    base: base && { sha: base.baseSha, outcome: base.outcome, ...endOf(base) },
    base_running: running,
  };
}

function endOf(check: {
  readonly exitCode: number | null;
  readonly durationMs: number;
  readonly output: string;
  readonly at: string;
}) {
  const { exitCode, durationMs, output, at } = check;
  return { exit_code: exitCode, duration_ms: durationMs, output, at };
}
