/** Joins all services into the one interface that the HTTP API and MCP call. */
import type { ServiceContext } from "./core/context.ts";
import type { Services, ShellServices } from "./core/services.ts";
import { accessServices } from "./groups/access.ts";
import { attemptServices } from "./groups/attempts.ts";
import { commentServices } from "./groups/comments.ts";
import { decisionServices } from "./groups/decisions.ts";
import { diffServices } from "./groups/diffs.ts";
import { factServices } from "./groups/facts.ts";
import { logServices } from "./groups/logs.ts";
import { machineServices } from "./groups/machine.ts";
import { createServiceMemory, type ServiceMemory } from "./groups/memory.ts";
import { newTaskServices } from "./groups/new-task.ts";
import { operationServices } from "./groups/operations.ts";
import { pullRequestServices } from "./groups/pull-requests.ts";
import { repositoryServices } from "./groups/repositories.ts";
import { runServices } from "./groups/runs.ts";
import { settingServices } from "./groups/settings.ts";
import { shipServices } from "./groups/ship.ts";
import { storageServices } from "./groups/storage.ts";
import { taskServices } from "./groups/tasks.ts";
import { holderToAsk } from "./placing/holder-to-ask.ts";

/** The calls of nobody in particular; `by` gives those of a caller. */
export function createServices(context: ServiceContext): Services {
  return servicesOf(context, createServiceMemory(context));
}

/** Made anew for each caller, so nothing here may remember anything. */
function servicesOf(context: ServiceContext, memory: ServiceMemory): Services {
  return {
    by: (actor) => servicesOf({ ...context, actor }, memory),
    ownName: memory.ownName,
    holderToAsk: (thing, id) => holderToAsk(context, thing, id),
    askWorker: memory.askWorker,
    keepEnvironment: (id, variables) => context.shells.keep(id, variables),
    inShell: (id) => {
      const shellContext = context.shells.contextOf(context, id);
      return shellContext === null ? null : shellServices(shellContext, memory);
    },
    ...shellServices(context, memory),
    ...attemptServices(context, memory),
    ...diffServices(context, memory),
    ...commentServices(context, memory),
    ...decisionServices(context, memory),
    ...logServices(context, memory),
    ...operationServices(context),
    ...factServices(context),
    ...storageServices(context, memory),
    ...newTaskServices(context, memory),
    ...settingServices(context, memory),
    ...accessServices(context, memory),
  };
}

/** The groups with calls for which the environment of the caller's shell counts. */
function shellServices(context: ServiceContext, memory: ServiceMemory) {
  return {
    ...taskServices(context),
    ...runServices(context),
    ...shipServices(context),
    ...pullRequestServices(context),
    ...repositoryServices(context, memory),
    ...machineServices(context),
  } satisfies ShellServices;
}
