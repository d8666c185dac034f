/** What agents printed, run by run: its size, its age, and whether it may go. Deleting is final. */
import type { StoredLog } from "@contract/endpoints/trash.ts";
import { cleanLine } from "@contract/text.ts";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { boardQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Button } from "../../ui/button.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";
import { cardsOf } from "../attempts/cards.ts";
import { useDeleteLog } from "./acts.ts";
import { logsQuery } from "./queries.ts";
import { AgeCell, Head, RepositoryCell, Row, SizeCell } from "./table-parts.tsx";

export function LogTable() {
  const { t } = useTranslation("storage");
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(logsQuery);
  const logs = data?.pages.flatMap(({ items }) => items) ?? [];
  const executors = useExecutors();
  if (error !== null) return <ProblemNote error={error} />;
  if (logs.length === 0)
    return <p className="px-3.5 pb-4 text-ink-3">{t(data?.pages[0]?.scanned_at ? "noLogs" : "scanning")}</p>;
  return (
    <>
      <table className="table table-fixed">
        <thead>
          <tr>
            <Head words={t("colLog")} />
            <Head words={t("colRepository")} className="w-36 max-md:hidden" />
            <Head words={t("colSize")} className="w-24 text-right!" />
            <Head words={t("colAge")} className="w-16 text-right! max-md:hidden" />
            <Head words={t("colWhy")} className="w-[34%] max-lg:hidden" />
            <Head words={t("colAct")} className="w-40" isShown={false} />
          </tr>
        </thead>
        <tbody>
          {logs.map((log) => (
            <LogRow key={log.run} log={log} executor={executors.get(log.agent) ?? log.agent} />
          ))}
        </tbody>
      </table>
      {hasNextPage && (
        <Button
          size="small"
          className="m-3"
          asks="storedLogs"
          busy={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {t("moreLogs")}
        </Button>
      )}
    </>
  );
}

/** By the ids of agents, so that an agent has the same mark here as elsewhere. */
function useExecutors(): ReadonlyMap<string | null, string> {
  const { data: board = [] } = useQuery(boardQuery);
  return new Map(cardsOf(board).map(({ attempt }) => [attempt.agent, attempt.executor]));
}

const WHY = { may_go: "logMayGo", kept: "logKept", working: "logWorking" } as const;

function LogRow({ log, executor }: { readonly log: StoredLog; readonly executor: string }) {
  const { t } = useTranslation("storage");
  return (
    <Row name={`log ${log.run}`} attempt={log.attempt}>
      <td>
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to="/attempts/$id"
            params={{ id: log.attempt }}
            tabIndex={-1}
            className="flex min-w-0 hover:underline"
          >
            <bdi className="truncate">{cleanLine(log.title)}</bdi>
            <span className="flex-none whitespace-pre"> · {t("logRun", { number: log.number })}</span>
          </Link>
          <span className="max-w-28 flex-none max-sm:hidden">
            <AgentMark executor={executor} agent={log.agent} />
          </span>
        </span>
      </td>
      <RepositoryCell name={log.repository.name} />
      <SizeCell bytes={log.bytes + log.sent_bytes} />
      <AgeCell since={log.ended_at} />
      <td className="max-lg:hidden">
        <span className="flex min-w-0 items-center gap-1.5">
          {log.verdict === "may_go" ? (
            <VerdictSign verdict="pass" />
          ) : (
            <Lock size={12} aria-hidden="true" className="flex-none text-ink-3" />
          )}
          <span className="truncate text-ink-2">
            {t(log.verdict)} <span className="text-ink-3">{t(WHY[log.verdict])}</span>
          </span>
        </span>
      </td>
      <td className="text-right">{log.verdict !== "working" && <Delete run={log.run} />}</td>
    </Row>
  );
}

function Delete({ run }: { readonly run: string }) {
  const { t } = useTranslation("storage");
  const remove = useDeleteLog();
  const twice = useTwoPress(() => remove.mutate(run));
  return (
    <TwoPressButton
      size="small"
      kind="danger"
      tabIndex={-1}
      words={t("deleteLog")}
      asks="removeLogs"
      busy={remove.isPending}
      isArmed={twice.isArmed}
      press={twice.press}
    />
  );
}
