/** What the services remember between calls. It stands in one place, so that a call of any caller finds it. */
import { createBrowserRecognizer } from "../access/browsers.ts";
import { createKnownAddressed } from "../comments/addressed.ts";
import type { ServiceContext } from "../core/context.ts";
import { createListTouched } from "../decisions/touched-files.ts";
import { createComparedFiles } from "../diffs/compared-files.ts";
import { createStreamCache } from "../logs/stream-cache.ts";
import { createFileFinder } from "../new-task/look-into.ts";
import { createReadiness } from "../new-task/readiness.ts";
import { createAskHolder } from "../placing/ask-holder.ts";
import { createSettingChanger } from "../settings/change-setting.ts";
import { createSituationMemory } from "../situation/show-situation.ts";
import { createStorageScanner } from "../storage/scan-storage.ts";
import { createOwnName } from "../workers/own-name.ts";

export type ServiceMemory = ReturnType<typeof createServiceMemory>;

/** One for an engine; `context` is that of the engine itself. */
export function createServiceMemory(context: ServiceContext) {
  return {
    scanner: createStorageScanner(context),
    askWorker: createAskHolder(context),
    recognizeBrowser: createBrowserRecognizer(context),
    ownName: createOwnName(context),
    changeSetting: createSettingChanger(),
    findFiles: createFileFinder(),
    addressed: createKnownAddressed(),
    comparedFiles: createComparedFiles(),
    comparedTouched: createListTouched(),
    situations: createSituationMemory(),
    streams: createStreamCache(),
    previewed: { readiness: createReadiness(), listTouched: createListTouched() },
  };
}
