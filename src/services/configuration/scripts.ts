/** Lists what a repository's own configuration would make Tazuna run, each with the hash that trust is keyed by. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { loosened } from "../../domain/configuration/loosened.ts";
import type { ConfiguredAgent } from "../../domain/configuration/schema.ts";
import type { LoadedConfiguration } from "./load-configuration.ts";

export interface RepositoryScript {
  /** SHA-256 of the kind, the text and, for an agent's program, of the program file. */
  readonly hash: string;
  /** What would run, in a form for people. */
  readonly text: string;
  /** `agent` scripts run only if that agent is chosen. */
  readonly kind: "setup" | "check" | "agent" | "loosened";
  /** The agent's id, for kind `agent`. */
  readonly agent: string | null;
}

/**
 * Every script, and every loosened limit, whose value comes from a file of the repository. The user's own files need no
 * trust.
 */
export async function repositoryScripts(configuration: LoadedConfiguration): Promise<RepositoryScript[]> {
  const fromRepository = (key: string) =>
    configuration.repositoryFiles.includes(configuration.sources.get(key) ?? "");
  const { setup, checks, agents } = configuration.values;
  const scripts: RepositoryScript[] = [];
  if (fromRepository("setup"))
    scripts.push(...setup.map((command) => script("setup", `setup: ${command}`, command, null)));
  if (fromRepository("checks"))
    scripts.push(
      ...checks.map((check) => script("check", `check ${check.name}: ${check.run}`, check.run, null)),
    );
  for (const text of loosened(configuration.values, configuration.without))
    scripts.push(script("loosened", text, text, null));
  for (const [id, agent] of Object.entries(agents)) {
    if (!fromRepository(`agents.${id}`)) continue;
    if (namesNoProgram(agent) && configuration.without.agents[id] === undefined) continue;
    const { executor, command, args, env, home } = agent;
    const unasked = asksNobody(agent) ? ["approvals=never"] : [];
    const reach = JSON.stringify([executor, command, args, env, home, ...unasked]);
    const program = agent.command?.[0] ?? "";
    const content = program.startsWith("/") ? await readFile(program).catch(() => Buffer.alloc(0)) : "";
    scripts.push(script("agent", `agent ${id}: ${agentText(agent)}`, `${reach}\0${sha256(content)}`, id));
  }
  return scripts;
}

/**
 * A built-in executor with a model: `--agent` can choose as much. It may not replace one of the user's own agents
 * silently.
 */
function namesNoProgram(agent: ConfiguredAgent): boolean {
  const { command, args, env, home } = agent;
  const isBare = command === null && args.length === 0 && Object.keys(env).length === 0 && home === null;
  return isBare && !asksNobody(agent);
}

/** Under the guard a person would be asked by default. */
const asksNobody = ({ approvals }: ConfiguredAgent) => approvals === "never";

function agentText(agent: LoadedConfiguration["values"]["agents"][string]): string {
  // Names only: a value may be a key, and this text is shown and stored. The hash covers the values.
  const env = Object.keys(agent.env).map((name) => `${name}=…`);
  const unasked = asksNobody(agent) ? ["(approvals: never)"] : [];
  return [...env, ...(agent.command ?? [agent.executor]), ...agent.args, ...unasked].join(" ");
}

function script(
  kind: RepositoryScript["kind"],
  text: string,
  content: string,
  agent: string | null,
): RepositoryScript {
  return { hash: sha256(`${kind}\0${content}`), text, kind, agent };
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
