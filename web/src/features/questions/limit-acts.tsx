/** What can be done with a run that waits for its provider's limit: another agent, one try now, or not by itself. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { answerOf, api, once } from "../../data/api.ts";
import { agentsQuery } from "../../data/queries.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import type { AttemptCard } from "../attempts/cards.ts";

export default function LimitActs({ of }: { readonly of: AttemptCard }) {
  const { t } = useTranslation("questions");
  const { task, attempt, card } = of;
  // The card leaves its column before the answer is here, so the act itself tells.
  const stop = useMutation({
    mutationFn: (id: string) => answerOf(api.stop({ type: "run", id })),
    onSuccess: () => tell({ title: t("notByItself"), text: t("continueHint") }),
    onError: tellProblem,
  });
  const resume = useMutation({
    mutationFn: (run: string) => answerOf(api.resume(run)),
    onSuccess: () => tell({ title: t("triesNow") }),
    onError: tellProblem,
  });
  const run = card.run?.id ?? "";
  return (
    <span className="mt-1.5 flex flex-wrap gap-1.5">
      <OtherAgent task={task} attempt={attempt} />
      <Button size="small" data-act="resume" busy={resume.isPending} onClick={() => resume.mutate(run)}>
        {t("resumeNow")}
      </Button>
      <Button kind="quiet" size="small" busy={stop.isPending} onClick={() => stop.mutate(run)}>
        {t("noResume")}
      </Button>
    </span>
  );
}

/** A new attempt on the same issue; this one stays as it is. */
function OtherAgent({ task, attempt }: Pick<AttemptCard, "task" | "attempt">) {
  const { t } = useTranslation("questions");
  const { data } = useQuery(agentsQuery(task.repository.id));
  const add = useMutation({
    mutationFn: (agent: string) => answerOf(api.addAttempt(task.id, { agent }, once())),
    onSuccess: (_, agent) => tell({ title: t("otherStarted", { agent }) }),
    onError: tellProblem,
  });
  const others = (data?.items ?? []).filter(
    ({ id, ready }) => ready && id !== attempt.agent && id !== "demo",
  );
  const [first, ...more] = others;
  if (first === undefined) return null;
  if (more.length === 0)
    return (
      <Button
        size="small"
        keySpec="a"
        data-act="suggested"
        busy={add.isPending}
        onClick={() => add.mutate(first.id)}
      >
        {t("useInstead", { agent: first.id })}
      </Button>
    );
  return (
    <Menu
      trigger={
        <Button size="small" keySpec="a" data-act="suggested" busy={add.isPending}>
          {t("useAnother")}
        </Button>
      }
      items={others.map(({ id }) => ({
        words: t("useInstead", { agent: id }),
        run: () => add.mutate(id),
      }))}
    />
  );
}
