/** The way in through the identity provider, if the server has one. It comes back to the page that was wanted. */
import { useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";

export function ProviderWay() {
  const { t } = useTranslation("people");
  const { data } = useQuery({ queryKey: ["sign-in-ways"], queryFn: () => answerOf(api.signInWays()) });
  if (data == null || data.provider === null) return null;
  const { host, path } = data.provider;
  const to = encodeURIComponent(location.pathname + location.search);
  return (
    <a className="button" data-kind="primary" data-size="touch" href={`${path}?to=${to}`}>
      {t("enterWith", { host })}
    </a>
  );
}
