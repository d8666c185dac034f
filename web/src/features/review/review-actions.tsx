/** The menu of a review: every act of its keys, for those who do not know them yet. */
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { DiffHandle } from "../diff/handle.ts";
import { ActionsMenu } from "../keys/actions-menu.tsx";
import type { useReviewActs } from "./use-review-acts.ts";

export function ReviewActions(props: {
  readonly handle: () => DiffHandle | null;
  readonly acts: ReturnType<typeof useReviewActs>;
}) {
  const { t } = useTranslation("keyActs");
  const { handle, acts } = props;
  const comment = () => {
    const place = handle()?.selected() ?? null;
    if (place !== null) acts.comment(place);
  };
  // Their words are loaded by the time the menu is asked for.
  const itemsOf = () =>
    [
      { words: t("comment"), keySpec: "c", run: comment },
      { words: t("severalLines"), keySpec: "C", run: () => handle()?.select() },
      { words: t("write"), keySpec: "r", run: acts.reply },
      { words: t("nextComment"), keySpec: "m", run: acts.nextComment },
      { words: t("viewed"), keySpec: "e", run: acts.viewed },
      { words: t("notViewed", { ns: "keys" }), keySpec: "v", run: acts.notViewed },
      { words: t("toggleView"), keySpec: "t", run: acts.toggleSides },
      { words: t("layout"), keySpec: "u", run: acts.toggleLayout },
      { words: t("whiteSpace"), keySpec: "W", run: acts.toggleSpace },
      { words: t("send"), keySpec: "mod+enter", run: acts.send },
      { words: t("copy"), keySpec: "y", run: acts.copy },
      { words: t("openOutside"), keySpec: "o", run: acts.openOutside },
      { words: t("compare"), keySpec: "=", run: acts.compare },
      { words: t("ship"), keySpec: "S", run: acts.ship },
    ] as const;
  return <ActionsMenu things=".diff-row, .diff header" itemsOf={itemsOf} />;
}
