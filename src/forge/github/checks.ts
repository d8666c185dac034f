/** Reads what GitHub knows of a commit's checks: check runs, commit statuses, and the logs of Actions. */
import { z } from "zod";
import type { ForgeCheck } from "../../domain/pull-request/pull-request.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitHubClient } from "./github-client.ts";

/** One for each name, the newest. */
export async function listChecks(client: GitHubClient, sha: string): Promise<readonly ForgeCheck[]> {
  const place = { ...client.repository, ref: sha, per_page: 100 };
  const [runs, statuses] = await Promise.all([
    client.paginate(client.rest.checks.listForRef, { ...place, filter: "latest" }),
    client.paginate(client.rest.repos.listCommitStatusesForRef, place),
  ]);
  return [
    ...newest(readShape(z.array(checkRun), runs, "check runs"), (run) => `${run.app?.id} ${run.name}`).map(
      fromRun,
    ),
    ...newest(readShape(z.array(status), statuses, "commit statuses"), (one) => one.context).map(fromStatus),
  ];
}

/** The end of the job's log if GitHub Actions ran it, else what the check itself reported. */
export async function readCheckLog(client: GitHubClient, check: ForgeCheck): Promise<string | null> {
  const [, id] = /^run:(\d+)$/.exec(check.id) ?? [];
  if (id === undefined) return check.summary;
  const { data } = await client.rest.checks.get({ ...client.repository, check_run_id: Number(id) });
  const { app, output } = readShape(checkRun, data, "a check run");
  if (app?.slug === "github-actions") {
    const log = await jobLog(client, id);
    if (log !== null) return log;
  }
  const reported = [output.title, output.summary, output.text].filter((part) => part !== null && part !== "");
  return reported.length === 0 ? null : reported.join("\n\n");
}

/** A job of Actions has the id of its check run. Null if its log has expired. */
async function jobLog({ tailOf, apiUrl, repository }: GitHubClient, id: string): Promise<string | null> {
  const { owner, repo } = repository;
  const place = `${encodeURIComponent(owner)}/${encodeURIComponent(repo)}`;
  try {
    return await tailOf(`${apiUrl}/repos/${place}/actions/jobs/${id}/logs`);
  } catch (thrown) {
    const code = failureIn(thrown)?.error.code;
    if (code === "forge_not_found" || code === "forge_forbidden") return null;
    throw thrown;
  }
}

const text = z.string().nullable();
const checkRun = z.object({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  conclusion: text,
  html_url: text,
  started_at: text,
  completed_at: text,
  output: z.object({ title: text, summary: text, text }),
  app: z.object({ id: z.int(), slug: z.string().optional() }).nullable(),
});
const status = z.object({
  id: z.int(),
  context: z.string(),
  state: z.string(),
  target_url: text,
  description: text,
  updated_at: z.string(),
});

/** Later ids are newer. */
function newest<One extends { readonly id: number }>(
  all: readonly One[],
  nameOf: (one: One) => string,
): readonly One[] {
  const byName = new Map<string, One>();
  for (const one of all) {
    const known = byName.get(nameOf(one));
    if (known === undefined || known.id < one.id) byName.set(nameOf(one), one);
  }
  return [...byName.values()];
}

const CONCLUSIONS: Readonly<Record<string, ForgeCheck["state"]>> = {
  success: "passed",
  failure: "failed",
  timed_out: "failed",
  startup_failure: "failed",
  // It waits for a person.
  action_required: "pending",
  neutral: "neutral",
  skipped: "neutral",
  cancelled: "neutral",
  stale: "neutral",
};

function fromRun(run: z.output<typeof checkRun>): ForgeCheck {
  return {
    id: `run:${run.id}`,
    name: run.name,
    state: run.status === "completed" ? (CONCLUSIONS[run.conclusion ?? ""] ?? "neutral") : "pending",
    url: run.html_url,
    summary: run.output.title ?? run.output.summary,
    at: run.completed_at ?? run.started_at,
  };
}

const STATES: Readonly<Record<string, ForgeCheck["state"]>> = {
  success: "passed",
  failure: "failed",
  error: "failed",
  pending: "pending",
};

function fromStatus(one: z.output<typeof status>): ForgeCheck {
  return {
    id: `status:${one.id}`,
    name: one.context,
    state: STATES[one.state] ?? "neutral",
    url: one.target_url,
    summary: one.description,
    at: one.updated_at,
  };
}
