/** What an attempt cost, run by run, with its tokens. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import type { AttemptCard } from "../attempts/cards.ts";
import { Unknown } from "./unknown.tsx";

/** The most that a run may cost, as the settings of its repository have it. */
const limitQuery = (repository: string) =>
  queryOptions({
    queryKey: ["limit", repository],
    queryFn: async () => {
      const { items } = await answerOf(api.config({ repository }));
      const value = items.find(({ key }) => key === "limits.cost_usd")?.value;
      return typeof value === "number" ? value : null;
    },
    meta: { renewedBy: ({ kind }) => kind === "settings.changed" },
  });

export function CostSection({ shown: { attempt, task } }: { readonly shown: AttemptCard }) {
  const { t } = useTranslation("facts");
  const { cost, compact } = useFormat();
  const { usage, runs } = attempt;
  const paid = runs.filter((run) => (run.usage?.cost_usd ?? null) !== null);
  const limit = useQuery(limitQuery(task.repository.id)).data ?? null;
  const usd = usage?.cost_usd ?? null;
  const isEstimate = usage?.cost_estimated ?? false;
  return (
    <section className="section">
      <h2>
        {t("cost")}
        {usd !== null && (
          <span className="ml-auto text-small text-ink-2 tabular-nums">
            {isEstimate ? t("about", { cost: cost(usd) }) : cost(usd)}
          </span>
        )}
      </h2>
      {usage === null ? (
        <p className="text-small">
          <Unknown why={t("noUsage")} />
        </p>
      ) : (
        <>
          {usd === null && (
            <p className="text-small">
              <Unknown why={t("noPrice")} />
            </p>
          )}
          <Shares shares={paid.map((run) => run.usage?.cost_usd ?? 0)} />
          <dl className="facts mt-1.5">
            {paid.length > 0 && (
              <>
                <dt>{t("runs", { numbers: paid.map(({ number }) => number).join(" · ") })}</dt>
                <dd className="tabular-nums">
                  {paid.map((run) => cost(run.usage?.cost_usd ?? 0)).join(" · ")}
                </dd>
              </>
            )}
            <dt>{t("tokens")}</dt>
            <dd className="tabular-nums">
              {t("tokensIn", { amount: compact(usage.input_tokens) })}{" "}
              <span className="text-ink-3">{t("cached", { share: cachedShare(usage) })}</span> ·{" "}
              {t("tokensOut", { amount: compact(usage.output_tokens) })}
            </dd>
            <dt>{t("limit")}</dt>
            <dd className="tabular-nums">
              {limit === null ? (
                <span className="text-ink-3">{t("noLimit")}</span>
              ) : (
                t("limitOfRun", { cost: cost(limit) })
              )}
            </dd>
          </dl>
        </>
      )}
    </section>
  );
}

/** Each run's part of the cost; the last one in the colour of work. */
function Shares({ shares }: { readonly shares: readonly number[] }) {
  if (shares.length === 0) return null;
  const sum = shares.reduce((all, share) => all + share, 0);
  return (
    <div aria-hidden="true" className="flex h-1 gap-0.5">
      {shares.map((share, index) => (
        <i
          // biome-ignore lint/suspicious/noArrayIndexKey: the runs keep their order.
          key={index}
          style={{ flex: 1 + (99 * share) / (sum || 1) }}
          className={`rounded-xs ${index === shares.length - 1 ? "bg-work-fill" : "bg-line-strong"}`}
        />
      ))}
    </div>
  );
}

function cachedShare(usage: { readonly input_tokens: number; readonly cached_input_tokens: number }): string {
  if (usage.input_tokens === 0) return "0%";
  return `${Math.round((100 * usage.cached_input_tokens) / usage.input_tokens)}%`;
}
