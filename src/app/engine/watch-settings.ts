/** Tells as a fact that the person's own settings changed, also if a command or an editor wrote them. */
import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { stampOf } from "../../services/configuration/load-configuration.ts";
import type { Uses } from "../../services/core/context-parts.ts";
import { tellSettings } from "../../services/settings/change-setting.ts";

/** An editor writes a file in several steps. */
const SETTLE_MS = 150;

/**
 * The file may be replaced, deleted and made again, so its folder is watched. A system that refuses to watch tells
 * nothing; what is read is right all the same.
 */
export function watchOwnSettings(
  context: Uses<"db" | "paths" | "clock" | "newFacts" | "reportFault" | "engineStop">,
  onChange: () => void,
): { stop(): void } {
  const file = context.paths.config;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let known: Promise<string> = stampOf([file]);
  const look = async () => {
    timer = null;
    const now = await stampOf([file]);
    if (now === (await known) || context.engineStop.aborted) return;
    known = Promise.resolve(now);
    await tellSettings(context, { key: null, file });
    onChange();
  };
  const changed = (_: unknown, name: string | null) => {
    if (name !== null && name !== basename(file)) return;
    timer ??= setTimeout(() => {
      look().catch((error) => context.reportFault("telling that settings changed", error));
    }, SETTLE_MS);
    timer.unref();
  };
  try {
    const watcher = watch(dirname(file), { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return {
      stop: () => {
        watcher.close();
        if (timer !== null) clearTimeout(timer);
      },
    };
  } catch {
    return { stop: () => {} };
  }
}
