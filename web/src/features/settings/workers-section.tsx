/** The workers that share a Postgres: who is there, with how much to do; or how to begin to be several. */
import type { WorkerDocument } from "@contract/endpoints/engine.ts";
import { cleanLine } from "@contract/text.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { useClock } from "../../ui/use-now.ts";
import { useActorName } from "../actors/use-actor-name.ts";
import { InviteWorker } from "./invite-worker.tsx";
import { SettingsSection } from "./parts.tsx";
import { WorkerActs } from "./worker-acts.tsx";

/** With the time of this device, by which the seconds since then are counted on. */
const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: async () => ({ items: (await answerOf(api.workers())).items, at: Date.now() }),
  meta: { renewedBy: ({ kind }) => kind === "workers.changed" || kind === "capacity.changed" },
});

export function WorkersSection() {
  const { t } = useTranslation("settings");
  const { t: w } = useTranslation("workers");
  const { data, error, refetch } = useQuery(workersQuery);
  return (
    <SettingsSection
      id="workers"
      title={t("workers")}
      acts={data !== undefined && data.items.length > 0 && <InviteWorker />}
    >
      {error !== null && <ProblemNote error={error} />}
      {data?.items.length === 0 && <Alone />}
      {data !== undefined && data.items.length > 0 && (
        <>
          <p className="px-3.5 py-2 text-small text-ink-3">{w("hint")}</p>
          <ul>
            {data.items.map((worker) => (
              <Row key={worker.id} worker={worker} at={data.at} onChanged={() => void refetch()} />
            ))}
          </ul>
        </>
      )}
    </SettingsSection>
  );
}

function Alone() {
  const { t } = useTranslation("workers");
  return (
    <div className="px-3.5 py-3 text-small">
      <p className="font-medium">{t("alone")}</p>
      <p className="mb-1 text-ink-3">{t("aloneText")}</p>
      <CopyText text="tazuna serve --database postgres://…" />
    </div>
  );
}

const INKS = { ready: "text-ready-ink", silent: "text-fail-ink", stopped: "text-ink-3" } as const;

function Row(props: {
  readonly worker: WorkerDocument;
  readonly at: number;
  readonly onChanged: () => void;
}) {
  const { worker, at } = props;
  const { t } = useTranslation("workers");
  const { rest } = useFormat();
  const nameId = useId();
  const { name, state, slots, agents, labels, version, pinned, here, seen_s: seen } = worker;
  // One that is there is seen again and again, and tells nobody.
  const isThere = state === "ready";
  const ago = useClock((now) => rest(seen * 1_000 + Math.max(0, now - at)));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-3.5 py-2 text-small">
      <span className="flex min-w-0 flex-1 basis-44 items-center gap-2">
        <span id={nameId} className="font-medium [overflow-wrap:anywhere]">
          {cleanLine(name)}
        </span>
        {here && <span className="chip">{t("here")}</span>}
      </span>
      <span className="w-36">
        {(!isThere || worker.drain === null) && <span className={INKS[state]}>{t(`state_${state}`)}</span>}
        {worker.drain !== null && <Drain drain={worker.drain} />}
        {isThere && worker.clock !== null && <Clock clock={worker.clock} />}
        {isThere && worker.older && <span className="block text-ink-3">{t("older")}</span>}
      </span>
      <span className="w-20 text-ink-2 tabular-nums">{t("slots", { ...slots })}</span>
      <span className="w-28 text-ink-3 tabular-nums">{isThere ? "" : t("seen", { time: ago })}</span>
      <code className="w-14 text-ink-3">{cleanLine(version)}</code>
      <span className="min-w-0 flex-1 basis-52 text-ink-3">
        {agents.length === 0 ? t("noAgents") : agents.map(cleanLine).join(", ")}
        {labels.length > 0 && ` · ${labels.map(cleanLine).join(", ")}`}
        {state !== "ready" && pinned > 0 && ` · ${t("pinned", { count: pinned })}`}
      </span>
      <WorkerActs worker={worker} nameId={nameId} onDone={props.onChanged} />
    </li>
  );
}

function Clock({ clock }: { readonly clock: NonNullable<WorkerDocument["clock"]> }) {
  const { t } = useTranslation("workers");
  const { ahead_ms: ahead, begins_nothing } = clock;
  const time = `${ahead < 0 ? "-" : "+"}${Math.round(Math.abs(ahead) / 1_000)} s`;
  return (
    <span className={`block ${begins_nothing ? "text-fail-ink" : "text-needs-ink"}`}>
      {t(begins_nothing ? "clockRefused" : "clockOff", { time })}
    </span>
  );
}

function Drain({ drain }: { readonly drain: NonNullable<WorkerDocument["drain"]> }) {
  const { t } = useTranslation("workers");
  const { clock } = useFormat();
  const { t: a } = useTranslation("actors");
  const nameOf = useActorName();
  const { runs, stops_at: stops, by } = drain;
  return (
    <span className="block text-needs-ink">
      <span>{runs === 0 ? t("drained") : t("draining", { count: runs })}</span>
      {by && <bdi className="block text-ink-3">{a("drainedBy", { name: nameOf(by) })}</bdi>}
      {runs > 0 && stops !== null && (
        <time dateTime={stops} className="block text-ink-3">
          {t("stopsAt", { time: clock(stops) })}
        </time>
      )}
    </span>
  );
}
