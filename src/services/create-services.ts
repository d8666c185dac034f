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
import { newTaskServices } from "./groups/new-task.ts";
import { operationServices } from "./groups/operations.ts";
import { pullRequestServices } from "./groups/pull-requests.ts";
import { repositoryServices } from "./groups/repositories.ts";
import { runServices } from "./groups/runs.ts";
import { settingServices } from "./groups/settings.ts";
import { shipServices } from "./groups/ship.ts";
import { storageServices } from "./groups/storage.ts";
import { taskServices } from "./groups/tasks.ts";
import { createAskHolder } from "./placing/ask-holder.ts";
import { holderToAsk } from "./placing/holder-to-ask.ts";
import { createStorageScanner } from "./storage/scan-storage.ts";

export function createServices(context: ServiceContext): Services {
  const scanner = createStorageScanner(context);
  return {
    holderToAsk: (thing, id) => holderToAsk(context, thing, id),
    askWorker: createAskHolder(context),
    keepEnvironment: (id, variables) => context.shells.keep(id, variables),
    inShell: (id) => {
      const shellContext = context.shells.contextOf(context, id);
      return shellContext === null ? null : shellServices(shellContext);
    },
    ...shellServices(context),
    ...attemptServices(context),
    ...diffServices(context),
    ...commentServices(context),
    ...decisionServices(context),
    ...logServices(context, scanner),
    ...operationServices(context),
    ...factServices(context),
    ...storageServices(context, scanner),
    ...newTaskServices(context, scanner),
    ...settingServices(context),
    ...accessServices(context),
  };
}

/** The groups with calls for which the environment of the caller's shell counts. */
function shellServices(context: ServiceContext) {
  return {
    ...taskServices(context),
    ...runServices(context),
    ...shipServices(context),
    ...pullRequestServices(context),
    ...repositoryServices(context),
    ...machineServices(context),
  } satisfies ShellServices;
}
