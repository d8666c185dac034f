/** Reads what the process was started with: the data folder, the environment, how to start our own program again. */
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ForgeTokens, takeTokens } from "../domain/forge/token-hosts.ts";

export interface Settings {
  /** Absolute; `TAZUNA_HOME`, else `~/.tazuna`. */
  readonly home: string;
  /** Without `tokens`: nothing that is started gets those by being handed an environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: ForgeTokens;
  /** Program and first arguments that start this program. */
  readonly selfCommand: readonly string[];
  /** Absolute folders that this program and its runtime are read from. */
  readonly ownFolders: readonly string[];
  readonly version: string;
}

/** The version of `package.json`; a test keeps the two together. */
const VERSION = "0.1.0";

export function readSettings(): Settings {
  const { env, tokens } = takeTokens(
    Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  );
  return {
    home: resolve(env.TAZUNA_HOME || join(homedir(), ".tazuna")),
    env,
    tokens,
    selfCommand: selfCommand(),
    ownFolders: ownFolders(),
    version: VERSION,
  };
}

/**
 * Keeps calls to this machine, and the token in them, away from a proxy that the environment names. To be called after
 * the environment was read: what we start gets the person's own.
 */
export function stayOffProxies(): void {
  const local = "127.0.0.1,localhost,::1";
  for (const name of ["NO_PROXY", "no_proxy"]) {
    const before = process.env[name];
    process.env[name] = before ? `${before},${local}` : local;
  }
}

/** The runtime would read a `.env` of the folder that it is started in, and run what its `bunfig.toml` names. */
const NOTHING_OF_THE_FOLDER = ["--no-env-file", "--config=/dev/null"];

/** A compiled binary is its own program; from a checkout the runtime is told about `main.ts`. */
function selfCommand(): readonly string[] {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return main.startsWith("/$bunfs/")
    ? [process.execPath]
    : [process.execPath, ...NOTHING_OF_THE_FOLDER, main];
}

function ownFolders(): readonly string[] {
  const source = fileURLToPath(new URL("../..", import.meta.url));
  const runtime = dirname(process.execPath);
  return source.startsWith("/$bunfs") ? [runtime] : [runtime, source];
}
