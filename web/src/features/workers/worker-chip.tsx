/** Says on which worker an attempt is, if that is another one than the one that shows it. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

export function WorkerChip({ of: { worker } }: { readonly of: Pick<AttemptDocument, "worker"> }) {
  const { t } = useTranslation("fleet");
  if (worker === null) return null;
  const words = t("onWorker", { name: cleanLine(worker.name) });
  return (
    <span className="chip min-w-0 max-w-32" title={words}>
      <span className="truncate">{words}</span>
    </span>
  );
}
