/** What is shown instead of a screen: nothing is there, or the screen itself failed. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Screen } from "./screen.tsx";

export function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <Screen title={t("notFoundTitle")}>
      <div className="m-auto flex max-w-md flex-col items-start gap-3 p-6">
        <p className="text-ink-2">{t("notFoundText")}</p>
        <Link to="/" className="button" data-kind="primary">
          {t("toFleet")}
        </Link>
      </div>
    </Screen>
  );
}

export function ScreenFault({ error }: { readonly error: unknown }) {
  const { t } = useTranslation("shell");
  return (
    <Screen title={t("faultTitle")}>
      <div role="alert" className="m-auto flex max-w-2xl flex-col items-start gap-3 p-6">
        <p className="text-ink-2">{t("faultText")}</p>
        <pre className="max-h-60 w-full overflow-auto rounded-control bg-sunken p-3 text-small">
          {error instanceof Error ? (error.stack ?? error.message) : String(error)}
        </pre>
        <Button kind="primary" onClick={() => location.reload()}>
          {t("reload")}
        </Button>
      </div>
    </Screen>
  );
}
