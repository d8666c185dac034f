/** Says of an attempt in a team: on which worker it is, from where it was moved, who came back, and whether its edits are copied. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

export function TeamChips(props: { readonly of: AttemptDocument; readonly hasOwnLine: boolean }) {
  const { of } = props;
  const { worker, depot, runs } = of;
  const { t } = useTranslation("workers");
  const { clock } = useFormat();
  const moved = runs.at(-1)?.notes.findLast(({ code }) => code === "moved");
  const from = moved?.details.name;
  const since = depot?.unprotected_since ?? null;
  return (
    <span className={`flex min-w-0 flex-wrap gap-1 ${props.hasOwnLine ? "basis-full" : ""}`}>
      {worker !== null && <Chip words={t("onWorker", { name: cleanLine(worker.name) })} />}
      {moved !== undefined && typeof from === "string" && (
        <Chip words={t("movedFrom", { name: cleanLine(from) })} hint={cleanLine(moved.message)} />
      )}
      {of.came_back?.map(({ worker: { id, name }, files: count }) => (
        <Chip
          key={id}
          words={t("isBack", { name: cleanLine(name) })}
          hint={t("cameBack", { name: cleanLine(name), count })}
        />
      ))}
      {since !== null && (
        <Chip
          words={t("unprotected")}
          hint={t("unprotectedSince", { time: clock(since), why: cleanLine(depot?.trouble ?? "") })}
        />
      )}
    </span>
  );
}

function Chip({ words, hint = words }: { readonly words: string; readonly hint?: string }) {
  return (
    <span className="chip min-w-0 max-w-40" title={hint}>
      <span className="truncate">{words}</span>
    </span>
  );
}
