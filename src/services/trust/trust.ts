/** Stops programs that a repository names until a person has trusted their content. */

import { withReplaced } from "../../domain/repository/replaced-script.ts";
import type { Repository } from "../../domain/repository/repository.ts";
import type { Script } from "../../domain/repository/trusted-script.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { trustedHashes, trustedScriptsOf, trustScript } from "../../storage/tables/trusted-scripts.ts";
import { transact } from "../../storage/transact.ts";
import { type NoteContext, noteTeamAct } from "../access/team-acts.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { type RepositoryScript, repositoryScripts } from "../configuration/scripts.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Uses } from "../core/context-parts.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { acceptSettings, plantedSettings } from "./planted-settings.ts";

interface ScriptOwner {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
}

/** Every script of the repository, with whether it is trusted, and the git settings that an agent may have planted. */
export async function listScripts(context: Uses<"db" | "git">, owner: ScriptOwner): Promise<Script[]> {
  const trusted = await trustedScriptsOf(context.db.reader, owner.repository.id);
  const known = new Map(trusted.map((script) => [script.hash, script]));
  const scripts = await repositoryScripts(owner.configuration);
  const present = scripts.map(({ hash, text }) => {
    const by = known.get(hash)?.actor ?? null;
    return { hash, text, trusted: known.has(hash), ...(by === null ? {} : { by }) };
  });
  return [...withReplaced({ present, trusted }), ...(await plantedSettings(context, owner.repository))];
}

/** The scripts of a repository that no person has trusted yet. `id` is null if the repository is not registered. */
export async function scriptsWithoutTrust(
  db: Pick<ServiceContext["db"], "reader"> | null,
  { id, configuration }: { readonly id: string | null; readonly configuration: LoadedConfiguration },
): Promise<readonly RepositoryScript[]> {
  const scripts = await repositoryScripts(configuration);
  if (scripts.length === 0 || db === null || id === null) return scripts;
  const trusted = await trustedHashes(db.reader, id);
  return scripts.filter(({ hash }) => !trusted.has(hash));
}

/** Why a run with these agents must wait for a person; null if everything that it would run is trusted. */
export async function untrustedScripts(
  context: Uses<"db">,
  owner: ScriptOwner & { readonly agents: readonly string[]; readonly only?: RepositoryScript["kind"] },
): Promise<Refusal | null> {
  const { repository, configuration, agents, only } = owner;
  const missing = (await scriptsWithoutTrust(context.db, { id: repository.id, configuration })).filter(
    ({ agent, kind }) => (agent === null || agents.includes(agent)) && (only === undefined || kind === only),
  );
  if (missing.length === 0) return null;
  const isClone = repository.url !== null;
  return refuse("needs_person", "scripts_not_trusted", untrustedWords(missing), {
    remedy: `Read them with \`${isClone ? `cd ${shellWord(repository.path)} && ` : ""}tazuna trust\`, then trust them there or with \`--trust\`.`,
    details: { scripts: missing.map(({ hash, text }) => ({ hash, text, trusted: false })) },
  });
}

function untrustedWords(missing: readonly RepositoryScript[]): string {
  const settings = missing.filter(({ kind }) => kind === "loosened").length;
  const scripts = missing.length - settings;
  const some = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;
  const run = `${some(scripts, "script")} of this repository would run`;
  if (settings === 0) return `${run} and you have not trusted them yet.`;
  const loosens = `loosens ${some(settings, "setting")}`;
  if (scripts === 0) return `This repository ${loosens} and you have not trusted that yet.`;
  return `${run}, it ${loosens}, and you have not trusted that yet.`;
}

/** Trusts the scripts with these hashes in their current form; answers with the whole list. */
export async function trustScripts(
  context: NoteContext & Uses<"db" | "git" | "newFacts">,
  owner: ScriptOwner & { readonly hashes: readonly string[] | "all" },
): Promise<Script[]> {
  const wanted = (await repositoryScripts(owner.configuration)).filter(
    (script: RepositoryScript) => owner.hashes === "all" || owner.hashes.includes(script.hash),
  );
  const planted = await plantedSettings(context, owner.repository);
  const hashes = owner.hashes === "all" ? planted.map(({ hash }) => hash) : owner.hashes;
  const isAny = wanted.length > 0 || planted.some(({ hash }) => hashes.includes(hash));
  const { actor } = context;
  const { id, name } = owner.repository;
  const trustedAt = context.clock.iso();
  await transact(context.db, async (trx) => {
    for (const { hash, text } of wanted)
      await trustScript(trx, { repositoryId: id, hash, text, trustedAt, actor });
    if (isAny) await noteTeamAct(context, trx, { kind: "scripts_trusted", id, name });
  });
  context.newFacts.notify();
  await acceptSettings(context, { commonDir: owner.repository.commonDir, hashes });
  return listScripts(context, owner);
}
