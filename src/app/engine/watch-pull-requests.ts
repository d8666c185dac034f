/** Wakes when the forge of a pull request is to be asked again; without one, no timer runs. */
import { type FollowContext, followPullRequests } from "../../services/pull-requests/follow-pull-requests.ts";

interface PullRequestWatch {
  stop(): void;
}

/** A timer cannot be set for longer than this; then it only looks at the clock again. */
const MAX_MS = 3_600_000;

export function watchPullRequests(context: FollowContext): PullRequestWatch {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let [looking, again, stopped] = [false, false, false];
  const look = async () => {
    if (stopped) return;
    again = looking;
    if (looking) return;
    looking = true;
    const next = await followPullRequests(context).catch((error) => {
      context.reportFault("looking at pull requests", error);
      return new Date(Date.now() + MAX_MS).toISOString();
    });
    looking = false;
    if (again) return look();
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (next === null || stopped) return;
    timer = setTimeout(look, Math.min(Math.max(Date.parse(next) - Date.now() + 5, 0), MAX_MS));
    timer.unref();
  };
  const unsubscribe = context.forgeNews.subscribe(() => void look());
  void look();
  return {
    stop: () => {
      stopped = true;
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
