/** Reads what GitLab knows of a merge request's checks: jobs of its pipeline, statuses of other CI, and logs of jobs. */
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import type { ForgeCheck } from "../../domain/pull-request/pull-request.ts";
import { failureIn } from "../http/forge-failure.ts";
import { readShape } from "../http/read-shape.ts";
import type { GitLabClient } from "./gitlab-client.ts";
import { headOf, readShown } from "./merge-requests.ts";

/** The pipeline is the one that GitLab counts: that of the head, or of the head merged with its target. */
export async function listChecks(client: GitLabClient, number: number): Promise<readonly ForgeCheck[]> {
  const shown = await readShown(client, number);
  const { head_pipeline: pipeline, source_project_id } = shown;
  const jobs = pipeline == null ? [] : await checksOfPipeline(client, pipeline);
  const project = pipeline?.project_id ?? source_project_id ?? (await client.project()).id;
  const statuses = await listStatuses(client, project, headOf(shown));
  const names = new Set(jobs.map(({ name }) => name));
  return [...jobs, ...statuses.filter(({ name }) => !names.has(name))];
}

/** The end of the job's log; of a status of other CI, what it said itself. */
export async function readCheckLog(client: GitLabClient, check: ForgeCheck): Promise<string | null> {
  const [, project, job] = /^job:(\d+):(\d+)$/.exec(check.id) ?? [];
  if (job === undefined) return check.summary;
  try {
    return readable(await client.tailOf(`/projects/${project}/jobs/${job}/trace`));
  } catch (thrown) {
    if (isHidden(thrown)) return check.summary;
    throw thrown;
  }
}

/** Without colours, and without the marks of sections that may be folded away. */
function readable(log: string): string {
  return stripVTControlCharacters(log.replace(/section_(?:start|end):\d+:[^\r\n]*\r?/g, "")).replaceAll(
    "\r",
    "",
  );
}

interface Pipeline {
  readonly id: number;
  readonly project_id: number;
  readonly status: string;
  readonly web_url: string;
}

async function checksOfPipeline(client: GitLabClient, pipeline: Pipeline): Promise<readonly ForgeCheck[]> {
  try {
    const { jobs, bridges } = await readPipeline(client, pipeline);
    const below = await Promise.all(
      bridges.flatMap(({ name, downstream_pipeline: other }) =>
        other == null ? [] : readBelow(client, other, name),
      ),
    );
    return [...jobs, ...bridges].map((one) => fromJob(one, pipeline)).concat(...below);
  } catch (thrown) {
    if (!isHidden(thrown)) throw thrown;
    // A pipeline in a fork whose jobs this login may not see.
    return [fromPipeline(pipeline)];
  }
}

/** Pipelines that the first one started, one step down. */
async function readBelow(
  client: GitLabClient,
  pipeline: Pipeline,
  parent: string,
): Promise<readonly ForgeCheck[]> {
  try {
    const { jobs } = await readPipeline(client, pipeline);
    return jobs.map((one) => ({ ...fromJob(one, pipeline), name: `${parent} / ${one.name}` }));
  } catch (thrown) {
    if (isHidden(thrown)) return [];
    throw thrown;
  }
}

async function readPipeline(client: GitLabClient, { project_id, id }: Pipeline) {
  const place = `/projects/${project_id}/pipelines/${id}`;
  const [jobs, bridges] = await Promise.all([
    client.all(`${place}/jobs`, { per_page: 100 }),
    client.all(`${place}/bridges`, { per_page: 100 }),
  ]);
  return {
    jobs: newest(readShape(z.array(job), jobs, "jobs")),
    bridges: newest(readShape(z.array(bridge), bridges, "jobs that start pipelines")),
  };
}

/** Statuses hold the jobs of GitLab itself, too: those of the pipeline that counts are read from there. */
async function listStatuses(
  client: GitLabClient,
  project: number,
  sha: string,
): Promise<readonly ForgeCheck[]> {
  if (sha === "") return [];
  try {
    const given = await client.all(`/projects/${project}/repository/commits/${sha}/statuses`, {
      per_page: 100,
    });
    const all = readShape(z.array(status), given, "commit statuses");
    return newest(all.filter(({ id, target_url }) => !isOwnJob(target_url ?? "", id))).map(fromStatus);
  } catch (thrown) {
    if (isHidden(thrown)) return [];
    throw thrown;
  }
}

function isOwnJob(url: string, id: number): boolean {
  return new RegExp(`/(?:-/jobs|builds)/${id}$`).test(url);
}

function isHidden(thrown: unknown): boolean {
  const code = failureIn(thrown)?.error.code;
  return code === "forge_not_found" || code === "forge_forbidden";
}

const text = z.string().nullish();
const work = {
  id: z.int(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().default(false),
  started_at: text,
  finished_at: text,
};
const job = z.object({ ...work, web_url: text, failure_reason: text });
const bridge = job.extend({
  downstream_pipeline: z
    .object({ id: z.int(), project_id: z.int(), status: z.string(), web_url: z.string() })
    .nullish(),
});
const status = z.object({ ...work, target_url: text, description: text });

/** One for each name; later ids are newer. */
function newest<One extends { readonly id: number; readonly name: string }>(
  all: readonly One[],
): readonly One[] {
  const byName = new Map<string, One>();
  for (const one of all) {
    const known = byName.get(one.name);
    if (known === undefined || known.id < one.id) byName.set(one.name, one);
  }
  return [...byName.values()];
}

/** `manual` waits for a person, who may never come. */
const STATES: Readonly<Record<string, ForgeCheck["state"]>> = {
  success: "passed",
  failed: "failed",
  canceled: "neutral",
  skipped: "neutral",
  manual: "neutral",
};

function stateOf({ status, allow_failure }: Pick<z.output<typeof job>, "status" | "allow_failure">) {
  const state = STATES[status] ?? "pending";
  return state === "failed" && allow_failure ? "neutral" : state;
}

/** Jobs behind one that waits for a person stay `created`, and so is the end of the pipeline. */
function fromJob(one: z.output<typeof job>, pipeline: Pipeline): ForgeCheck {
  const state = stateOf(one);
  return {
    id: `job:${pipeline.project_id}:${one.id}`,
    name: one.name,
    state:
      state === "pending" && one.status === "created" && pipeline.status === "manual" ? "neutral" : state,
    url: one.web_url ?? null,
    summary: one.failure_reason ?? null,
    at: one.finished_at ?? one.started_at ?? null,
  };
}

function fromPipeline({ id, status, web_url }: Pipeline): ForgeCheck {
  const state = stateOf({ status, allow_failure: false });
  return { id: `pipeline:${id}`, name: "pipeline", state, url: web_url, summary: null, at: null };
}

function fromStatus(one: z.output<typeof status>): ForgeCheck {
  return {
    id: `status:${one.id}`,
    name: one.name,
    state: stateOf(one),
    url: one.target_url ?? null,
    summary: one.description ?? null,
    at: one.finished_at ?? one.started_at ?? null,
  };
}
