/** Describes the endpoints of repositories and of what is set up on a machine: agents, settings, scripts, doctor. */
import { z } from "zod";
import { findingSchema } from "../../domain/doctor/finding.ts";
import { scriptSchema } from "../../domain/repository/trusted-script.ts";
import { CLONE_CODES, FETCH_CODES, REPOSITORY_CODES } from "../codes.ts";
import { repositoryDocument } from "../task-document.ts";
import type { Endpoints } from "./endpoint.ts";
import { configQuery, listOf, nothing, path, text } from "./fields.ts";
import { ROUTES } from "./routes.ts";

const placeRequest = z.strictObject({ path });

const addRequest = z
  .strictObject({
    /** A folder in a repository on this machine. */
    path: path.exactOptional(),
    /** The address of a repository that is to be cloned. */
    url: text.exactOptional(),
  })
  .refine(({ path, url }) => (path === undefined) !== (url === undefined), "needs either `path` or `url`");

const listedRepository = repositoryDocument.extend({
  /** Whether `demo` made it. */
  demo: z.boolean(),
  /** Whether this clone went for room on the disk: it is cloned anew when it is needed. */
  put_away: z.boolean(),
  /** The other worker on whose disk it lies; null if it is this one's. */
  worker: z.object({ id: z.string(), /** For people. */ name: z.string() }).nullable(),
});
export type ListedRepositoryDocument = z.infer<typeof listedRepository>;

const branch = z.object({
  /** As it is named as a base, such as `main` or `origin/main`. */
  name: z.string(),
  remote: z.boolean(),
  tag: z.boolean(),
  sha: z.string(),
  /** When its newest commit, or the tag, was made. */
  at: z.string(),
});

const LOOK_CODES = ["not_found", "ambiguous_id", "url_refused", "bad_configuration", "git_failed"] as const;

const removedAnswer = z.object({
  repository: repositoryDocument,
  /** Tasks on it, whose records stay. */
  tasks: z.number().int(),
  /** Worktrees of it that stay in the trash. */
  trashed: z.number().int(),
});

const agentDocument = z.object({
  id: z.string(),
  executor: z.string(),
  version: z.string().nullable(),
  ready: z.boolean(),
  reason: z.string().nullable(),
});

export type FindingDocument = z.infer<typeof findingSchema>;

export type ScriptDocument = z.infer<typeof scriptSchema>;

const configValue = z.object({ key: z.string(), value: z.unknown(), source: z.string() });
export type ConfigValue = z.infer<typeof configValue>;

const settingRequest = z
  .strictObject({
    /** Dotted, such as `limits.parallel`. */
    key: text.max(500),
    /** Any JSON. */
    value: z.unknown().optional(),
    /** Instead of a value: takes the key out of the file, so that the others and the defaults hold again. */
    unset: z.boolean().default(false),
    /** Id, name, or the absolute path of a folder in it; null: the user's own settings. */
    repository: path.nullable().default(null),
    /** With a repository: its file that is not committed. */
    local: z.boolean().default(false),
  })
  .refine(({ unset, value }) => !unset || value === undefined, "takes either `value` or `unset`")
  .refine(({ local, repository }) => !local || repository !== null, "`local` goes with a repository");

export const REPOSITORY_ENDPOINTS = {
  repositories: {
    ...ROUTES.repositories,
    summary: "Lists the repositories that Tazuna knows.",
    request: nothing,
    answer: listOf(listedRepository),
    codes: [],
  },
  addRepository: {
    ...ROUTES.addRepository,
    summary: "Makes a repository known. One that is named by an address is cloned, once for each address.",
    request: addRequest,
    answer: repositoryDocument,
    codes: [...new Set([...REPOSITORY_CODES, ...CLONE_CODES])],
  },
  moveRepository: {
    ...ROUTES.moveRepository,
    summary: "Says where a repository lies now.",
    request: placeRequest,
    answer: repositoryDocument,
    codes: [...REPOSITORY_CODES, "repository_known", "another_repository", "clone_not_moved"],
  },
  removeRepository: {
    ...ROUTES.removeRepository,
    summary: "Takes a repository out of the list. Deletes nothing.",
    request: nothing,
    answer: removedAnswer,
    codes: ["not_found", "ambiguous_id", "repository_in_use"],
  },
  fetchRepository: {
    ...ROUTES.fetchRepository,
    summary: "Fetches from the remote that new tasks begin from.",
    request: nothing,
    answer: z.object({ fetched_at: z.string().nullable() }),
    codes: [...new Set([...LOOK_CODES, ...FETCH_CODES])],
  },
  branches: {
    ...ROUTES.branches,
    summary: "Lists local branches, those of remotes, and tags, the newest first.",
    request: z.strictObject({ query: z.string().max(200).default("") }),
    answer: listOf(branch).extend({ truncated: z.boolean() }),
    codes: LOOK_CODES,
  },
  files: {
    ...ROUTES.files,
    summary: "Finds files of the base by a few letters, the best first.",
    request: z.strictObject({
      query: z.string().max(200).default(""),
      base: text.max(200).nullable().default(null),
    }),
    answer: listOf(z.object({ path: z.string() })).extend({ truncated: z.boolean() }),
    codes: LOOK_CODES,
  },
  agents: {
    ...ROUTES.agents,
    summary: "Lists the agents, and which of them are ready.",
    request: configQuery,
    answer: listOf(agentDocument),
    codes: ["bad_configuration"],
  },
  doctor: {
    ...ROUTES.doctor,
    summary: "Examines the machine, the data folder, the agents and every repository. Changes nothing.",
    request: configQuery,
    answer: z.object({ findings: z.array(findingSchema) }),
    codes: [],
  },
  config: {
    ...ROUTES.config,
    summary: "Shows the settings that hold, and their sources.",
    request: configQuery,
    answer: listOf(configValue),
    codes: ["bad_configuration"],
  },
  configSchema: {
    ...ROUTES.configSchema,
    summary: "Describes every setting as JSON Schema.",
    request: nothing,
    answer: z.record(z.string(), z.unknown()),
    codes: [],
  },
  changeSetting: {
    ...ROUTES.changeSetting,
    summary: "Writes one setting into its file, or takes it out, as `tazuna config set` and `unset` do.",
    request: settingRequest,
    answer: z.object({
      /** The file that was written. */
      file: z.string(),
      key: z.string(),
      value: z.unknown(),
      unset: z.boolean(),
      /** What the file held before; null if it did not name the key. */
      before: z.object({ value: z.unknown() }).nullable(),
    }),
    codes: [...REPOSITORY_CODES, "bad_configuration", "secret_in_configuration", "terminal_only"],
  },
  scripts: {
    ...ROUTES.scripts,
    summary: "Shows the scripts of a repository, and whether a person trusts them.",
    request: z.strictObject({ repository: path }),
    answer: listOf(scriptSchema),
    codes: [...REPOSITORY_CODES, "bad_configuration"],
  },
  trust: {
    ...ROUTES.trust,
    summary: "Trusts scripts of a repository, by their hashes.",
    request: z.strictObject({
      repository: path,
      /** The hashes of the scripts that were shown; `"all"` trusts all present scripts. */
      hashes: z.union([z.literal("all"), z.array(text).max(1000)]),
    }),
    answer: listOf(scriptSchema),
    codes: [...REPOSITORY_CODES, "bad_configuration"],
  },
} as const satisfies Endpoints;
