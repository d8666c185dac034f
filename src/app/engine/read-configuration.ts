/** Reads the configuration each time it is asked for, and remembers which forge the person's settings name. */
import type { HostNames } from "../../domain/forge/token-hosts.ts";
import {
  type LoadedConfiguration,
  loadConfiguration,
} from "../../services/configuration/load-configuration.ts";
import type { Uses } from "../../services/core/context-parts.ts";

interface ReadConfiguration extends Uses<"configuration"> {
  /** As it was read last: a forge that a person has just named gets its token at once. */
  readonly forge: () => HostNames["forge"];
}

/** With `onlySandbox` no file and no task chooses less than a sandbox. */
export function configurationReader(
  {
    onlySandbox,
    ...sources
  }: {
    readonly homeFile: string;
    readonly env: Readonly<Record<string, string>>;
    readonly onlySandbox: boolean;
  },
  first: HostNames["forge"],
): ReadConfiguration {
  let forge = first;
  return {
    forge: () => forge,
    configuration: async (repository, settings = {}) => {
      const loaded = await loadConfiguration({ ...sources, settings }, repository?.path ?? null);
      if (loaded.isOk()) forge = loaded.value.without.forge;
      return onlySandbox ? loaded.map(inSandbox) : loaded;
    },
  };
}

function inSandbox(loaded: LoadedConfiguration): LoadedConfiguration {
  const isolation = "sandbox";
  return {
    ...loaded,
    values: { ...loaded.values, isolation },
    without: { ...loaded.without, isolation },
  };
}
