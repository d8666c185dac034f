/** What is shown instead of a screen: nothing is there, or the screen itself failed. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { answerOf, api, Refused } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { tellProblem } from "../../ui/toast.tsx";
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
  if (error instanceof Refused) return <NotLoaded error={error} />;
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

/** The screen is not here yet, and the server that has it does not answer. */
function NotLoaded({ error }: { readonly error: Refused }) {
  const { t } = useTranslation("shell");
  const again = useMutation({
    mutationFn: () => answerOf(api.health()),
    // A browser may remember that a part was missing, until the page is loaded anew.
    onSuccess: () => location.reload(),
    onError: tellProblem,
  });
  return (
    <Screen title={t("notLoaded")}>
      <div className="m-auto flex max-w-2xl flex-col items-start gap-3 p-6">
        <ProblemNote error={error} />
        <Button kind="primary" asks="you" busy={again.isPending} onClick={() => again.mutate()}>
          {t("retry")}
        </Button>
      </div>
    </Screen>
  );
}
