/** Reads the configuration that holds for a repository from the environment and the files, the strongest first. */
import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { err, ok, type Result } from "neverthrow";
import { layersFromEnvironment, layersFromSettings } from "../../domain/configuration/environment.ts";
import {
  type ConfigurationError,
  type EffectiveConfiguration,
  joinLayers,
  type Layer,
} from "../../domain/configuration/layers.ts";
import {
  type Configuration,
  type ConfiguredAgent,
  configurationSchema,
} from "../../domain/configuration/schema.ts";
import type { TaskSettings } from "../../domain/task/task-settings.ts";
import { jsonLines } from "../../domain/text/json-lines.ts";

export interface LoadedConfiguration extends EffectiveConfiguration {
  /** Files of the repository that were read: the programs that they name need trust. */
  readonly repositoryFiles: readonly string[];
  /** What would hold without those files. */
  readonly without: Configuration;
}

const DEFAULTS = configurationSchema.parse({});

/** The defaults alone, for when the files cannot be used. */
export const DEFAULT_CONFIGURATION: LoadedConfiguration = {
  values: DEFAULTS,
  without: DEFAULTS,
  sources: new Map(),
  repositoryFiles: [],
};

interface ConfigurationSources {
  /** The data folder's own `config.json`. */
  readonly homeFile: string;
  readonly env: Readonly<Record<string, string>>;
  /** The settings of a task or run, from the environment of the shell that asked for it. They override all others. */
  readonly settings?: TaskSettings;
}

/** The effective configuration; relative commands are made absolute against the file that names them. */
export async function loadConfiguration(
  sources: ConfigurationSources,
  repositoryPath: string | null,
): Promise<Result<LoadedConfiguration, ConfigurationError>> {
  const repositoryFiles = repositoryFilesOf(repositoryPath);
  const layers: Layer[] = [
    ...layersFromSettings(sources.settings ?? {}),
    ...layersFromEnvironment(sources.env),
  ];
  const texts = new Map<string, string>();
  const files = [...repositoryFiles, sources.homeFile];
  const read = await Promise.all(files.map(async (file) => ({ file, text: await readText(file) })));
  for (const { file, text } of read) {
    if (text.isErr()) return err(text.error);
    if (text.value === null) continue;
    const layer = layerOf(file, text.value);
    if (layer.isErr()) return err(layer.error);
    layers.push(layer.value);
    texts.set(file, text.value);
  }
  const own = layers.filter(({ source }) => !repositoryFiles.includes(source));
  return joinLayers(layers)
    .andThen((effective) => joinLayers(own).map((users) => ({ effective, users })))
    .map(({ effective, users }) => ({
      ...withAbsoluteCommands(effective),
      without: withAbsoluteCommands(users).values,
      repositoryFiles: repositoryFiles.filter((file) => texts.has(file)),
    }))
    .mapErr((error) => withLine(error, texts.get(error.source)));
}

/** Adds the line of the wrong key in its file. */
function withLine(error: ConfigurationError, text: string | undefined): ConfigurationError {
  const line = text === undefined ? undefined : jsonLines(text).keys.get(error.key);
  return line === undefined ? error : { ...error, line };
}

/** The content of the file, or null if there is none. */
async function readText(file: string): Promise<Result<string | null, ConfigurationError>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => error);
  if (typeof text === "string") return ok(text.replace(/^\uFEFF/, ""));
  if (text.code === "ENOENT" || text.code === "ENOTDIR") return ok(null);
  return err({ source: file, key: "", message: `it cannot be read (${text.code ?? text.message})` });
}

function layerOf(file: string, text: string): Result<Layer, ConfigurationError> {
  try {
    return ok({ source: file, values: JSON.parse(text) as unknown });
  } catch (error) {
    const line = jsonLines(text).fault;
    return err({
      source: file,
      key: "",
      ...(line === null ? {} : { line }),
      message: `it is not valid JSON (${(error as Error).message})`,
    });
  }
}

function withAbsoluteCommands(effective: EffectiveConfiguration): EffectiveConfiguration {
  const agents = Object.fromEntries(
    Object.entries(effective.values.agents).map(([id, agent]) => [
      id,
      absoluteCommand(agent, effective.sources.get(`agents.${id}`)),
    ]),
  );
  return { ...effective, values: { ...effective.values, agents } };
}

function absoluteCommand(agent: ConfiguredAgent, file: string | undefined): ConfiguredAgent {
  const program = agent.command?.[0];
  if (agent.command === null || program === undefined || file === undefined) return agent;
  if (!program.includes("/") || isAbsolute(program)) return agent;
  return { ...agent, command: [resolve(dirname(file), program), ...agent.command.slice(1)] };
}

/** A repository's own files, the stronger first, whether they are there or not. */
export function repositoryFilesOf(repositoryPath: string | null): readonly string[] {
  if (repositoryPath === null) return [];
  return ["config.local.json", "config.json"].map((name) => join(repositoryPath, ".tazuna", name));
}

/** The stamp of files as they are now. Take it before they are read, so that no later change is missed. */
export async function stampOf(files: readonly string[]): Promise<string> {
  const stamps = await Promise.all(
    files.map(async (file) => {
      const found = await stat(file, { bigint: true }).catch(() => null);
      return found === null ? "-" : `${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`;
    }),
  );
  return stamps.join();
}
