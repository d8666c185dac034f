/** What can be done with the attempt that has the focus, beside choosing it. */
import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useKeys } from "../keys/keys.ts";
import type { AttemptColumn } from "./columns.ts";
import { useTrash } from "./trash.ts";
import { useAgain } from "./use-again.ts";

export function ActionsMenu(props: {
  readonly column: AttemptColumn;
  readonly areNamesHidden: boolean;
  /** Hides the names, or shows them again; null once the choice is made. A small screen has no room for the switch. */
  readonly onNames: (() => void) | null;
  readonly onIssue: () => void;
  readonly onTake: () => void;
  readonly onGoOn: () => void;
}) {
  const { t } = useTranslation("compare");
  const { t: k } = useTranslation("keys");
  const navigate = useNavigate();
  const trash = useTrash();
  const [open, setOpen] = useState(false);
  const { id, letter, of, isHidden } = props.column;
  const again = useAgain(props.column);
  useKeys([{ spec: ".", words: k("actions"), run: () => setOpen(true), inBar: true }]);
  return (
    <Menu
      open={open}
      onOpenChange={setOpen}
      trigger={<Button label={t("actions", { letter })} icon={<Ellipsis size={16} aria-hidden="true" />} />}
      items={[
        {
          words: t("openAttempt", { letter }),
          keySpec: "enter",
          run: () => void navigate({ to: "/attempts/$id", params: { id } }),
        },
        {
          words: t("toShip", { letter }),
          keySpec: "S",
          run: () => void navigate({ to: "/attempts/$id/ship", params: { id } }),
        },
        { words: t("issue"), run: props.onIssue },
        ...(props.onNames === null
          ? []
          : [
              {
                words: t("hideNames"),
                keySpec: "b" as const,
                isChosen: props.areNamesHidden,
                run: props.onNames,
              },
            ]),
        { words: t("take"), run: props.onTake },
        { words: t("otherAgent", { letter }), run: props.onGoOn },
        {
          words: t("checksAgain", { letter }),
          run: again.checks,
          off: of.attempt.commit === null ? t("nothingCommitted") : again.isWorking ? t("works") : null,
        },
        ...(isHidden || of.attempt.executor === "none"
          ? []
          : [{ words: t("startAgain", { letter }), run: again.start }]),
        { words: t("moveToTrash", { letter }), danger: true, run: () => trash.mutate([id]) },
      ]}
    />
  );
}
