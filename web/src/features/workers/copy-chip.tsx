/** Says that the last edits of an attempt lie on one disk only, since the depot does not take them. */
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

export function CopyChip({ of: { depot } }: { readonly of: Pick<AttemptDocument, "depot"> }) {
  const { t } = useTranslation("fleet");
  const { clock } = useFormat();
  const since = depot?.unprotected_since ?? null;
  if (since === null) return null;
  const why = t("unprotectedSince", { time: clock(since), why: cleanLine(depot?.trouble ?? "") });
  return (
    <span className="chip min-w-0 max-w-32" title={why}>
      <span className="truncate">{t("unprotected")}</span>
    </span>
  );
}
