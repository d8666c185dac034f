/** The agents that were found, with their version, and what one lacks. */
import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { AgentMark } from "../../ui/agent-mark.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeText } from "../../ui/code-text.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { SettingsSection } from "./parts.tsx";

export function AgentsSection() {
  const { t } = useTranslation("settings");
  const { t: s } = useTranslation("shell");
  const { data, error, isFetching, refetch } = useQuery(agentsQuery(null));
  return (
    <SettingsSection
      id="agents"
      title={t("agents")}
      acts={
        <Button kind="quiet" size="small" asks="agents" busy={isFetching} onClick={() => void refetch()}>
          {t("examine")}
        </Button>
      }
    >
      {error !== null && <ProblemNote error={error} />}
      {data === undefined && error === null && <p className="p-3.5 text-ink-3">{s("loading")}</p>}
      <ul>
        {data?.items.map(({ id, executor, version, ready, reason }) => (
          <li
            key={id}
            className="flex flex-wrap items-start gap-x-3 gap-y-1 border-b border-line px-3.5 py-2 last:border-0"
          >
            <span className="flex w-44 items-center gap-2">
              <AgentMark executor={executor} agent={null} />
              <span className="truncate font-medium" title={id}>
                {id}
              </span>
            </span>
            <span className="w-24 truncate text-small text-ink-3 tabular-nums">
              {version ?? t("noVersion")}
            </span>
            <span className="flex min-w-0 flex-1 basis-52 items-start gap-1.5 text-small">
              <span className="mt-0.5">
                <VerdictSign verdict={ready ? "pass" : "over"} />
              </span>
              <span className={`min-w-0 ${ready ? "text-ink-2" : "text-needs-ink"}`}>
                {reason === null ? t(ready ? "agentReady" : "agentNotReady") : <CodeText text={reason} />}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </SettingsSection>
  );
}
