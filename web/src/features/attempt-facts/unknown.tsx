/** A value that is not known is shown as that, with the reason. */
import { useTranslation } from "../../i18n/use-translation.tsx";

export function Unknown({ why }: { readonly why: string }) {
  const { t } = useTranslation("shell");
  return (
    <span className="text-ink-3">
      {t("unknown")}: {why}
    </span>
  );
}
