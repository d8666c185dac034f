/** Says of a log that another machine wrote that its end is not here, and until when it was sent. */
import type { SentLog } from "@contract/endpoints/runs.ts";
import { cleanLine } from "@contract/text.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { LogWindow } from "./log/log-window.ts";

/** Nothing as long as the worker of the newest of these logs is there, or has sent all of it. */
export function SentNote({ logs }: { readonly logs: ReadonlyMap<string, LogWindow | null> }) {
  const { t } = useTranslation("timeline");
  const { seconds } = useFormat();
  const sent = cutOff(logs);
  if (sent === null) return null;
  const worker = cleanLine(sent.worker.name);
  return (
    <p role="status" className="border-b border-line px-3.5 py-2 text-small text-ink-2">
      {sent.until === null
        ? t("nothingSent", { worker })
        : t("sentUntil", { worker, time: seconds(sent.until) })}
    </p>
  );
}

/** The maps of a timeline have their runs in order. */
function cutOff(logs: ReadonlyMap<string, LogWindow | null>): SentLog | null {
  const newest = [...logs.values()].findLast((window) => window !== null);
  const sent = newest?.sent ?? null;
  return sent === null || sent.complete || sent.there ? null : sent;
}
