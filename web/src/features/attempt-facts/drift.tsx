/** How far the base has moved on, and whether the attempt still merges with it. */
import { cleanLine } from "@contract/text.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { useFollowUp } from "../attempts/act.ts";
import { useSituation } from "../attempts/situation.ts";
import { Unknown } from "./unknown.tsx";

export function Drift({ attempt, canMerge }: { readonly attempt: string; readonly canMerge: boolean }) {
  const { t } = useTranslation("facts");
  const { situation } = useSituation(attempt);
  const followUp = useFollowUp(attempt);
  const drift = situation?.drift ?? null;
  if (drift === null) return <Unknown why={situation?.reasons.drift ?? t("beingRead")} />;
  const { behind, merges, files } = drift;
  if (behind === 0) return <span title={drift.base}>{t("upToDate")}</span>;
  return (
    <span title={files.map(cleanLine).join("\n") || drift.base}>
      <span className="font-medium text-needs-ink">{t("behind", { count: behind })}</span>{" "}
      <span className="text-ink-3">
        · {merges === "conflict" ? t("conflicts", { count: files.length }) : t(`merges_${merges}`)}
      </span>
      {canMerge && (
        <span className="block pt-0.5">
          <Button
            size="small"
            busy={followUp.isPending}
            onClick={() =>
              followUp.mutate(
                merges === "conflict"
                  ? { resolve: true, merge_base: true }
                  : { instruction: null, merge_base: true },
              )
            }
          >
            {t(merges === "conflict" ? "mergeWithAgent" : "mergeBase")}
          </Button>
        </span>
      )}
    </span>
  );
}

/** How much lies in the worktree, and whether a person or an agent left something uncommitted there. */
export function WorktreeSize({ attempt }: { readonly attempt: string }) {
  const { t } = useTranslation("facts");
  const { bytes } = useFormat();
  const { situation } = useSituation(attempt);
  if (situation === null) return null;
  const { worktree, reasons } = situation;
  if (!worktree.exists) return <Unknown why={reasons.worktree ?? t("worktreeGone")} />;
  return (
    <span className="tabular-nums">
      {worktree.bytes !== null && `${bytes(worktree.bytes)} · `}
      {worktree.dirty === true && <span className="text-needs-ink">{t("dirty")} · </span>}
    </span>
  );
}
