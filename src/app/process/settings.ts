/** Reads how this process was started: the data folder, the environment, the command that starts our program again. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { CallerShell } from "../../contract/client/http-call.ts";
import { type ForgeTokens, takeTokens } from "../../domain/forge/token-hosts.ts";
import { newId } from "../../utils/values/ids.ts";

export interface Settings {
  /** Absolute; `TAZUNA_HOME`, else `~/.tazuna`. */
  readonly home: string;
  /** Without `tokens`: a started program does not get those with its environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: ForgeTokens;
  /** This process's environment as an engine gets it, tokens included. */
  readonly shell: CallerShell;
  /** Program and first arguments that start this program. */
  readonly selfCommand: readonly string[];
  /** Absolute folders that this program and its runtime are read from. */
  readonly ownFolders: readonly string[];
  readonly version: string;
  /** Holds the built web UI, if it was built. */
  readonly webFolder: string;
}

/** The version of `package.json`; a test keeps the two equal. */
const VERSION = "0.1.0";

export function readSettings(): Settings {
  const variables = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const { env, tokens } = takeTokens(Object.fromEntries(variables));
  return {
    home: resolve(env.TAZUNA_HOME || join(homedir(), ".tazuna")),
    env,
    tokens,
    // Windows has its own variables whose names begin with `=`.
    shell: { id: newId(), variables: variables.filter(([name]) => !name.startsWith("=")) },
    selfCommand: selfCommand(),
    ownFolders: ownFolders(),
    version: VERSION,
    webFolder: fileURLToPath(new URL("../../../dist/web", import.meta.url)),
  };
}

/**
 * Keeps calls to this machine, and their token, away from a proxy that the environment names. Call it after the
 * environment was read: programs that we start get the person's own values.
 */
export function stayOffProxies(): void {
  const local = "127.0.0.1,localhost,::1";
  for (const name of ["NO_PROXY", "no_proxy"]) {
    const before = process.env[name];
    process.env[name] = before ? `${before},${local}` : local;
  }
}

/** Else the runtime would read `.env` of its working folder, and run what its `bunfig.toml` names. */
const NOTHING_OF_THE_FOLDER = ["--no-env-file", "--config=/dev/null"];

/** A compiled binary is its own program; in a checkout the runtime gets `main.ts` as an argument. */
function selfCommand(): readonly string[] {
  const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
  return main.startsWith("/$bunfs/")
    ? [process.execPath]
    : [process.execPath, ...NOTHING_OF_THE_FOLDER, main];
}

function ownFolders(): readonly string[] {
  const source = fileURLToPath(new URL("../..", import.meta.url));
  const runtime = dirname(process.execPath);
  return source.startsWith("/$bunfs") ? [runtime] : [runtime, source, ...packageFolders(source)];
}

/** A sandbox that hides the folder around the source would hide the packages that the source imports. */
export function packageFolders(source: string): readonly string[] {
  const around = createRequire(join(source, "main.ts")).resolve.paths("any") ?? [];
  return around.filter((folder) => existsSync(folder));
}
