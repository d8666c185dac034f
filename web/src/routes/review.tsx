/** Review: the files of a patch with viewed marks and inline comments. */
import { useTranslation } from "react-i18next";
import { Screen } from "../features/shell/screen.tsx";

export function ReviewRoute() {
  const { t } = useTranslation("shell");
  return <Screen title={t("review")}>{null}</Screen>;
}
