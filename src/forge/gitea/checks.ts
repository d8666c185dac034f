/** Reads what Gitea knows of a commit's checks: its statuses, among them those of Actions, and the logs of their jobs. */
import { z } from "zod";
import type { ForgeCheck } from "../../domain/pull-request/pull-request.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import { type GiteaClient, PAGE } from "./gitea-client.ts";

/** One for each context, the newest. */
export async function listChecks(client: GiteaClient, sha: string): Promise<readonly ForgeCheck[]> {
  const given = await client.all(`${client.place}/commits/${sha}/statuses`, { limit: PAGE });
  const byContext = new Map<string, Status>();
  for (const one of readShape(z.array(status), given, "commit statuses")) {
    const known = byContext.get(one.context);
    if (known === undefined || known.id < one.id) byContext.set(one.context, one);
  }
  return [...byContext.values()].map((one) => fromStatus(client, sha, one));
}

const status = z.object({
  id: z.int(),
  context: z.string(),
  status: z.string(),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  updated_at: z.string(),
});
type Status = z.output<typeof status>;

/** `warning` and `skipped` neither pass nor fail. */
const STATES: Readonly<Record<string, ForgeCheck["state"]>> = {
  success: "passed",
  failure: "failed",
  error: "failed",
  pending: "pending",
};

function fromStatus({ pageAt }: GiteaClient, sha: string, one: Status): ForgeCheck {
  return {
    id: `status:${sha}:${one.id}`,
    name: one.context,
    state: STATES[one.status] ?? "neutral",
    // Actions names a path.
    url: pageAt(one.target_url),
    summary: one.description || null,
    at: one.updated_at,
  };
}

/** The end of the job's log if Actions ran it and the log can be read, else the status. */
export async function readCheckLog(client: GiteaClient, check: ForgeCheck): Promise<string | null> {
  const [, sha] = /^status:([0-9a-f]+):\d+$/.exec(check.id) ?? [];
  const [, run] = /\/actions\/runs\/(\d+)\/jobs\/\d+/.exec(check.url ?? "") ?? [];
  if (sha === undefined || run === undefined) return check.summary;
  try {
    const job = await jobOf(client, { sha, page: pathOf(check.url), run });
    return job === null ? check.summary : await client.tailOf(`${client.place}/actions/jobs/${job}/logs`);
  } catch (thrown) {
    // Forgejo, and Gitea before 1.24, have no such endpoint.
    if (NONE.has(failureIn(thrown)?.error.code ?? "")) return check.summary;
    throw thrown;
  }
}

const NONE = new Set(["forge_not_found", "forge_forbidden", "forge_refused"]);

/** The number of the job whose page the status names. */
async function jobOf(
  client: GiteaClient,
  { sha, page, run }: { readonly sha: string; readonly page: string; readonly run: string },
): Promise<number | null> {
  const runs = await client.get(`${client.place}/actions/runs`, { head_sha: sha, limit: PAGE });
  const { workflow_runs } = readShape(z.object({ workflow_runs: z.array(work) }), runs, "runs of Actions");
  const found = workflow_runs.find(({ html_url }) => pathOf(html_url).endsWith(`/actions/runs/${run}`));
  if (found === undefined) return null;
  const given = await client.get(`${client.place}/actions/runs/${found.id}/jobs`, { limit: PAGE });
  const { jobs } = readShape(z.object({ jobs: z.array(work) }), given, "jobs of Actions");
  return jobs.find(({ html_url }) => pathOf(html_url) === page)?.id ?? null;
}

const work = z.object({ id: z.int(), html_url: z.string() });

/** Behind a proxy the host of an address may be another one. */
function pathOf(url: string | null): string {
  return (url === null ? null : URL.parse(url)?.pathname) ?? "";
}
