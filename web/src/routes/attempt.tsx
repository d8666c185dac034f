/** Attempt: its runs, its patch, its facts, and the box that continues the conversation. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function AttemptRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("review")}>{null}</Screen>;
}
