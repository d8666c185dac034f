/** Says what the form will do, in one sentence with numbers, before it is done. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { capacityQuery } from "../../data/queries.ts";
import { useFormat } from "../../i18n/format.ts";
import { Rich, useTranslation } from "../../i18n/use-translation.tsx";
import { CodeText } from "../../ui/code-text.tsx";
import { StateSign, VerdictSign } from "../../ui/state-sign.tsx";
import { attemptsOf, type TaskForm } from "./form.ts";
import { costOf, counted, goingTo, overlapsOf, type Preview, startingNow, waitingFor } from "./preview.ts";
import type { Configured } from "./queries.ts";

interface WillProps {
  readonly form: TaskForm;
  readonly repository: string | null;
  readonly configured: Configured | null;
  /** Undefined while it is read. */
  readonly preview: Preview | undefined;
  readonly refusal: string | null;
}

export function WillHappen(props: WillProps) {
  const { t } = useTranslation("newTask");
  const { form, configured, repository, preview } = props;
  const problem = props.refusal ?? preview?.base_problem ?? null;
  const isNothing = repository === null || configured === null || attemptsOf(form) === 0;
  return (
    <>
      {isNothing ? (
        <p className="text-ink-2">{t("willNothing")}</p>
      ) : (
        <Sentence {...props} repository={repository} configured={configured} />
      )}
      <ul className="mt-2.5 flex flex-col gap-1.5 text-small empty:hidden">
        {problem !== null && (
          <Item sign={<VerdictSign verdict="over" />}>
            <CodeText text={problem} />
          </Item>
        )}
        {!isNothing && <Facts {...props} isHopeful={problem === null} />}
      </ul>
    </>
  );
}

function Facts({ form, preview, isHopeful }: WillProps & { readonly isHopeful: boolean }) {
  const { t } = useTranslation("newTask");
  const words = `${form.issue} ${form.context} ${form.constraints}`;
  return (
    <>
      {isHopeful && preview !== undefined && preview.attempts.length > 0 && <Starts preview={preview} />}
      <Item sign={<VerdictSign verdict="pass" />}>{t("untouched")}</Item>
      {preview !== undefined && <Room preview={preview} />}
      {preview !== undefined && <Doubts preview={preview} words={words} />}
    </>
  );
}

function Sentence(
  props: WillProps & { readonly repository: string; readonly configured: Configured },
): ReactNode {
  const { t } = useTranslation("newTask");
  const { bytes, cost } = useFormat();
  const { form, configured, repository, preview } = props;
  const base = preview?.base?.name ?? (form.base.trim() || configured.base || t("baseIsDefault"));
  const publish = form.publish ?? configured.publish;
  const sayPublish = publish === "push" ? "sayPush" : publish === "commit" ? "sayCommit" : "sayHold";
  const need = preview?.disk.need_bytes ?? null;
  const range = preview === undefined ? null : costOf(preview);
  return (
    <p className="leading-[21px]">
      <Rich
        noun="newTask"
        words={preview?.base ? "sayAt" : "say"}
        values={{
          count: attemptsOf(form),
          repository,
          base: form.fromWorktree ? t("baseIsTree") : base,
          sha: preview?.base?.sha.slice(0, 7) ?? "",
        }}
        parts={{ b: <b />, code: <code /> }}
      />{" "}
      <Rich
        noun="newTask"
        words={sayPublish}
        values={{ remote: configured.remote }}
        parts={{ code: <code /> }}
      />{" "}
      {need !== null && t("sayRoom", { bytes: bytes(need) })}{" "}
      {range === null ? (
        <span className="text-ink-3">{t("sayNoCost")}</span>
      ) : (
        <Rich
          noun="newTask"
          words="sayCost"
          values={{ low: cost(range.low), high: cost(range.high) }}
          parts={{ b: <b /> }}
        />
      )}
    </p>
  );
}

function Item({
  sign,
  children,
  beside,
}: {
  readonly sign: ReactNode;
  readonly children: ReactNode;
  readonly beside?: ReactNode;
}) {
  return (
    <li className="flex items-start gap-2">
      <span className="mt-0.5 flex-none">{sign}</span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</span>
      {beside}
    </li>
  );
}

function Starts({ preview }: { readonly preview: Preview }) {
  const { t } = useTranslation("newTask");
  const { t: s } = useTranslation("states");
  const { clock } = useFormat();
  const { data: capacity } = useQuery(capacityQuery);
  const now = startingNow(preview);
  return (
    <>
      {now.length > 0 && (
        <Item
          sign={
            <span className="family-work">
              <StateSign sign="ring-dot" />
            </span>
          }
          beside={
            capacity !== undefined &&
            preview.worker === null && (
              <span className="text-ink-2 tabular-nums" title={t("slots")}>
                {capacity.slots.used} / {capacity.slots.limit}
              </span>
            )
          }
        >
          {preview.worker === null
            ? t("startNow", { count: now.length, agents: counted(now) })
            : t("startThere", { count: now.length, agents: counted(now), worker: preview.worker.name })}
        </Item>
      )}
      <Going preview={preview} />
      {waitingFor(preview).map(({ agents, reason }) => (
        <Item
          key={JSON.stringify(reason)}
          sign={
            <span className="family-needs">
              <StateSign sign="diamond-clock" />
            </span>
          }
        >
          {t("wait", { count: agents.length, agents: counted(agents) })}{" "}
          {s(`waits_${reason.reason}`, {
            limit: reason.limit ?? 0,
            worker: reason.worker ?? "",
            labels: (reason.labels ?? []).join(", "),
            time: reason.until === null ? "…" : clock(reason.until),
          })}
        </Item>
      ))}
    </>
  );
}

function Going({ preview }: { readonly preview: Preview }) {
  const { t } = useTranslation("newTask");
  return goingTo(preview).map(({ agents, worker, clones }) => (
    <Item
      key={worker}
      sign={
        <span className="family-queue">
          <StateSign sign="ring-dashed" />
        </span>
      }
    >
      {t(clones ? "cloneThere" : "goThere", { count: agents.length, agents: counted(agents), worker })}
    </Item>
  ));
}

function Room({ preview: { disk } }: { readonly preview: Preview }) {
  const { t } = useTranslation("newTask");
  const { bytes } = useFormat();
  const left = disk.free_bytes - (disk.need_bytes ?? 0);
  const isLow = left < disk.floor_bytes;
  return (
    <Item sign={<VerdictSign verdict={isLow ? "over" : "pass"} />}>
      {isLow
        ? t("roomLow", { bytes: bytes(Math.max(0, left)), floor: bytes(disk.floor_bytes) })
        : t("room", { bytes: bytes(left) })}
    </Item>
  );
}

/** What a person should know first: agents that cannot run, other work in the same place. */
function Doubts({ preview, words }: { readonly preview: Preview; readonly words: string }) {
  const { t } = useTranslation("newTask");
  const unready = new Map(
    preview.attempts.flatMap(({ agent, ready, reason }) =>
      ready || reason === null ? [] : [[agent, reason]],
    ),
  );
  const behind = preview.base?.checkout?.behind ?? 0;
  const ahead = preview.base?.checkout?.ahead ?? 0;
  const sign = <VerdictSign verdict="over" />;
  return (
    <>
      {[...unready].map(([agent, reason]) => (
        <Item key={agent} sign={sign}>
          <code>{agent}</code>: <CodeText text={reason} />
        </Item>
      ))}
      {ahead > 0 && <Item sign={sign}>{t("ahead", { count: ahead })}</Item>}
      {behind > 0 && <Item sign={<VerdictSign verdict="pass" />}>{t("behind", { count: behind })}</Item>}
      {preview.open_attempts > 0 && <Others preview={preview} words={words} />}
    </>
  );
}

const MOST_OTHERS = 4;

/** Which files other attempts change at present: those that the task names stand first, and warn. */
function Others({ preview, words }: { readonly preview: Preview; readonly words: string }) {
  const { t } = useTranslation("newTask");
  const overlaps = overlapsOf(preview, words);
  return (
    <>
      {overlaps
        .filter(({ isNamed }) => isNamed)
        .map((overlap) => (
          <Item key={overlap.of.attempt} sign={<VerdictSign verdict="over" />}>
            <Changes {...overlap} />
          </Item>
        ))}
      <Item sign={<VerdictSign verdict="skipped" />}>
        {t("others", { count: preview.open_attempts })}
        {overlaps.some(({ isNamed }) => !isNamed) && (
          <ul className="mt-0.5 flex flex-col gap-0.5 text-ink-3">
            {overlaps
              .filter(({ isNamed }) => !isNamed)
              .slice(0, MOST_OTHERS)
              .map((overlap) => (
                <li key={overlap.of.attempt}>
                  <Changes {...overlap} />
                </li>
              ))}
          </ul>
        )}
      </Item>
    </>
  );
}

function Changes({ of, paths }: ReturnType<typeof overlapsOf>[number]) {
  const more = of.files - paths.length;
  return (
    <Rich
      noun="newTask"
      words={more > 0 ? "changesMore" : "changes"}
      values={{
        count: Math.max(1, more),
        paths: paths.map(cleanLine).join(", "),
        title: cleanLine(of.title),
      }}
      parts={{
        code: <code />,
        to: <Link to="/attempts/$id" params={{ id: of.attempt }} className="underline" />,
      }}
    />
  );
}
