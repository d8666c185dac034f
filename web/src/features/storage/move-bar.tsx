/** The bar of a selection: what would go, as a sentence, and the button that moves it. */
import { useState } from "react";
import { useFormat } from "../../i18n/format.ts";
import { Rich, useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { bytesOf, type WorktreeRow } from "./rows.ts";

export function MoveBar(props: {
  readonly chosen: readonly WorktreeRow[];
  readonly busy: boolean;
  readonly onMove: () => void;
}) {
  const { t } = useTranslation("storage");
  const { bytes } = useFormat();
  const [areCommandsShown, setShown] = useState(false);
  const { chosen } = props;
  if (chosen.length === 0) return null;
  const named = chosen.filter(({ item }) => item.verdict === "kept").length;
  return (
    <div className="flex-none border-t border-line bg-surface px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-ink-2">
          <Rich
            noun="storage"
            words="bar"
            values={{ count: chosen.length, bytes: bytes(bytesOf(chosen.map(({ item }) => item))) }}
            parts={{ b: <b className="text-ink" /> }}
          />{" "}
          {named > 0 && t("barKept", { count: named })}
        </p>
        <Button kind="quiet" aria-expanded={areCommandsShown} onClick={() => setShown(!areCommandsShown)}>
          {t("asCommands")}
        </Button>
        <Button kind="primary" keySpec="mod+backspace" busy={props.busy} onClick={props.onMove}>
          {t("move", { count: chosen.length })}
        </Button>
      </div>
      {areCommandsShown && (
        <pre className="mt-2 max-h-40 overflow-auto rounded-control bg-sunken p-2 text-fine">
          {chosen.map(({ id }) => `tazuna clean ${id.slice(0, 8)} --yes`).join("\n")}
        </pre>
      )}
    </div>
  );
}
