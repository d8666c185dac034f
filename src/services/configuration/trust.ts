/** Keeps what a repository would make us run from running before a person has trusted its content. */
import type { Repository } from "../../domain/repository/repository.ts";
import { transact } from "../../storage/transact.ts";
import { trustedHashes, trustScript } from "../../storage/trusted-scripts.ts";
import type { ServiceContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import type { Refusal, Script } from "../services.ts";
import type { LoadedConfiguration } from "./load-configuration.ts";
import { acceptSettings, plantedSettings } from "./planted-settings.ts";
import { type RepositoryScript, repositoryScripts } from "./scripts.ts";

interface Of {
  readonly repository: Repository;
  readonly configuration: LoadedConfiguration;
}

/** Every script of the repository, with whether it is trusted, and the git settings that an agent may have planted. */
export async function listScripts(context: ServiceContext, of: Of): Promise<Script[]> {
  const trusted = await trustedHashes(context.db.reader, of.repository.id);
  const scripts = await repositoryScripts(of.configuration);
  return [
    ...scripts.map(({ hash, text }) => ({ hash, text, trusted: trusted.has(hash) })),
    ...(await plantedSettings(context, of.repository)),
  ];
}

/** Why a run with these agents must wait for a person; null where everything it would run is trusted. */
export async function untrustedScripts(
  context: ServiceContext,
  of: Of & { readonly agents: readonly string[] },
): Promise<Refusal | null> {
  const trusted = await trustedHashes(context.db.reader, of.repository.id);
  const wanted = (await repositoryScripts(of.configuration)).filter(
    (script) => script.agent === null || of.agents.includes(script.agent),
  );
  const missing = wanted.filter((script) => !trusted.has(script.hash));
  if (missing.length === 0) return null;
  const count = missing.length === 1 ? "1 script" : `${missing.length} scripts`;
  return refuse(
    "needs_person",
    "scripts_not_trusted",
    `${count} of this repository would run and nobody trusted them yet.`,
    {
      remedy: "Read them with `tazuna trust`, then trust them there or with `--trust`.",
      details: { scripts: missing.map(({ hash, text }) => ({ hash, text, trusted: false })) },
    },
  );
}

/** Ids of the agents whose program a file of the repository names, where nobody has trusted that; `id` is null for a repository that is not known. */
export async function untrustedAgents(
  db: Pick<ServiceContext["db"], "reader"> | null,
  { id, configuration }: { readonly id: string | null; readonly configuration: LoadedConfiguration },
): Promise<ReadonlySet<string>> {
  const agents = (await repositoryScripts(configuration)).filter(({ kind }) => kind === "agent");
  const isAsked = agents.length > 0 && db !== null && id !== null;
  const trusted = isAsked ? await trustedHashes(db.reader, id) : new Set<string>();
  return new Set(agents.filter(({ hash }) => !trusted.has(hash)).flatMap(({ agent }) => agent ?? []));
}

/** Trusts the scripts with these hashes as they are now; answers with the whole list. */
export async function trustScripts(
  context: ServiceContext,
  of: Of & { readonly hashes: readonly string[] | "all" },
): Promise<Script[]> {
  const wanted = (await repositoryScripts(of.configuration)).filter(
    (script: RepositoryScript) => of.hashes === "all" || of.hashes.includes(script.hash),
  );
  const trustedAt = context.clock.iso();
  await transact(context.db, async (trx) => {
    for (const { hash, text } of wanted)
      await trustScript(trx, { repositoryId: of.repository.id, hash, text, trustedAt });
  });
  const planted = await plantedSettings(context, of.repository);
  const hashes = of.hashes === "all" ? planted.map(({ hash }) => hash) : of.hashes;
  await acceptSettings(context, { commonDir: of.repository.commonDir, hashes });
  return listScripts(context, of);
}
