/** Makes what the services of an engine work with. */
import { randomBytes } from "node:crypto";
import type { HostNames } from "../../domain/forge/token-hosts.ts";
import { createExecutors } from "../../executors/registry.ts";
import { createForges } from "../../forge/open/open-forge.ts";
import { createRepositoryLock } from "../../git/runner/repository-lock.ts";
import { createGit } from "../../git/runner/run-git.ts";
import { findSandbox } from "../../sandbox/sandbox.ts";
import { createNotifier, type ServiceContext } from "../../services/core/context.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { createKnownTrees } from "../../services/core/known-trees.ts";
import { createShells } from "../../services/core/shells.ts";
import { gitMarker } from "../../services/core/wait-for-git.ts";
import { createFence } from "../../services/fencing/fence.ts";
import { createLastActions } from "../../services/runs/agent/last-actions.ts";
import { agentsAtWork } from "../../storage/tables/runs.ts";
import { createKeyedLock } from "../../utils/locks/keyed-lock.ts";
import { systemClock } from "../../utils/time/clock.ts";
import { newId } from "../../utils/values/ids.ts";
import { objectKeysOf } from "../logs/old-logs.ts";
import type { Settings } from "../process/settings.ts";
import { createFailpoint } from "./failpoint.ts";
import { readOutputLimits, readTiming } from "./limits.ts";
import type { Place } from "./place.ts";
import { configurationReader } from "./read-configuration.ts";
import { createShellParts, shellMaker } from "./shell-parts.ts";

type GivenParts = Uses<
  "paths" | "db" | "engineStop" | "dispatcher" | "team" | "owner" | "programVersion" | "postgresAddress"
> & {
  readonly place: Place;
  readonly gitMs: number;
  readonly forge: HostNames["forge"];
};

export function createContext(settings: Settings, parts: GivenParts): ServiceContext {
  const { env, selfCommand } = settings;
  const { gitMs, forge: known, place, ...given } = parts;
  const { paths, db } = given;
  const executors = createExecutors({ selfCommand });
  const sources = { homeFile: paths.config, env, onlySandbox: place.onlySandbox };
  const { configuration, forge } = configurationReader(sources, known);
  const shared = {
    surroundings: [settings] as const,
    root: paths.root,
    marker: gitMarker(paths.root),
    forge,
    selfCommand,
  };
  const shellParts = createShellParts(shared);
  const timing = readTiming(env);
  const git = createGit({
    binary: "git",
    ...shellParts.git,
    timeoutMs: gitMs,
    scratch: paths.scratch,
    watch: {
      folder: paths.gitSettings,
      isQuiet: async (commonDir) => !(await agentsAtWork(db.reader, commonDir)),
    },
  });
  const newFacts = createNotifier();
  const { reportFault } = shellParts;
  return {
    ...given,
    ...shellParts,
    git,
    shells: createShells(shellMaker(shared, git)),
    shell: null,
    actor: null,
    locks: createRepositoryLock(),
    knownTrees: createKnownTrees(),
    attemptLock: createKeyedLock(),
    executors: new Map(executors.all.map((executor) => [executor.id, executor])),
    sandbox: findSandbox({
      platform: process.platform,
      which: shellParts.probe.which,
      scratch: paths.scratch,
    }),
    clock: systemClock,
    newId,
    selfCommand,
    ownFolders: settings.ownFolders,
    timing,
    objectKeys: objectKeysOf(env),
    fence: createFence({ file: paths.leaseFile, leaseMs: timing.leaseMs }),
    outputLimits: readOutputLimits(env),
    configuration,
    ...nothingBegun(),
    newFacts,
    lastActions: createLastActions({ db, clock: systemClock, timing, newFacts, reportFault }),
    failpoint: createFailpoint(env),
  };
}

/** What an engine remembers of its own work, and of what forges answered. */
function nothingBegun(): Uses<
  | "ownDepot"
  | "openForge"
  | "forgeLogins"
  | "forgeNews"
  | "standby"
  | "leases"
  | "drivers"
  | "baseChecks"
  | "terminals"
  | "diskFullRuns"
  | "lackingClones"
  | "clonesBeside"
  | "keptClones"
  | "cleanUpRetries"
  | "unexaminedOperations"
> {
  return {
    ownDepot: {
      key: randomBytes(32).toString("base64url"),
      servedAt: null,
      turns: createKeyedLock(),
      nudge: () => undefined,
    },
    openForge: createForges(),
    forgeLogins: new Map(),
    forgeNews: createNotifier(),
    standby: new Map(),
    leases: new Map(),
    drivers: new Map(),
    baseChecks: new Map(),
    terminals: new Map(),
    diskFullRuns: new Set(),
    lackingClones: new Map(),
    clonesBeside: new Map(),
    keptClones: new Map(),
    cleanUpRetries: new Map(),
    unexaminedOperations: new Set(),
  };
}
