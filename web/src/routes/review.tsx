/** Review: the files of a patch with viewed marks, inline comments kept as drafts, and their sending as one run. */
import { cleanLine } from "@contract/text.ts";
import { usePrefetchQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useAttemptOfAddress } from "../features/attempts/use-attempt.ts";
import { viewedQuery } from "../features/attempts/viewed.ts";
import { useEarlyDiff } from "../features/diff/diff.tsx";
import { commentsQuery } from "../features/review/comments/comments.ts";
import type { ReviewSearch } from "../features/review/review-search.ts";
import { ReviewView } from "../features/review/review-view.tsx";
import { PathTo, Screen } from "../features/shell/screen.tsx";
import { useTranslation } from "../i18n/use-translation.tsx";
import { AgentMark } from "../ui/agent-mark.tsx";
import { KeyCap } from "../ui/key-cap.tsx";
import { Letter } from "../ui/letter.tsx";
import { ProblemNote } from "../ui/problem-note.tsx";

export function ReviewRoute() {
  const { t } = useTranslation("shell");
  const { id } = useParams({ from: "/attempts/$id/review" });
  const search = useSearch({ from: "/attempts/$id/review" });
  const navigate = useNavigate({ from: "/attempts/$id/review" });
  // Unless a run is asked for, this is what is most often shown first.
  useEarlyDiff({ attempt: id, since: null });
  usePrefetchQuery(commentsQuery(id));
  usePrefetchQuery(viewedQuery(id));
  const { found, error } = useAttemptOfAddress(id);
  const shown = found?.shown;
  return (
    <Screen
      title={shown === undefined ? t("review") : cleanLine(shown.task.title)}
      crumbs={<PathTo repository={shown?.task.repository} />}
      beside={
        shown !== undefined && (
          <span className="flex min-w-0 max-w-1/2 flex-none items-center gap-2 pl-1.5 max-md:hidden">
            <Letter letter={shown.letter} solid />
            <AgentMark
              executor={shown.attempt.executor}
              agent={shown.attempt.agent}
              model={shown.attempt.model}
            />
            <span className="chip flex-none family-review max-xl:hidden">{t("review")}</span>
          </span>
        )
      }
      acts={
        <span className="flex gap-2 max-md:hidden">
          <Link to="/attempts/$id" params={{ id }} className="button" data-size="small">
            {t("attempt", { ns: "review" })} <KeyCap spec="escape" />
          </Link>
          <Link to="/attempts/$id/ship" params={{ id }} className="button" data-size="small">
            {t("ship")} <KeyCap spec="S" />
          </Link>
        </span>
      }
    >
      {error !== null && found === null && (
        <div className="p-4">
          <ProblemNote error={error} />
        </div>
      )}
      {found !== null && (
        <ReviewView
          key={id}
          found={found}
          search={search}
          onSearch={(change) => void navigate({ search: kept({ ...search, ...change }), replace: true })}
        />
      )}
    </Screen>
  );
}

/** Without what is not set. */
function kept(
  search: { readonly [Key in keyof ReviewSearch]?: ReviewSearch[Key] | undefined },
): ReviewSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as ReviewSearch;
}
