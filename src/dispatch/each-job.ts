/** Works through a batch of jobs, one after the other; one that fails is tried again and keeps no other from its end. */
import type { Job, JobResult } from "pg-boss";

export function eachJob<T>(
  act: (data: T) => Promise<void>,
  report: (error: unknown) => void,
): (jobs: Job<T>[]) => Promise<JobResult[]> {
  return async (jobs) => {
    const results: JobResult[] = [];
    for (const { id, data } of jobs) {
      const failure = await act(data).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      if (failure !== null) report(failure.error);
      results.push({ id, status: failure === null ? "completed" : "failed" });
    }
    return results;
  };
}
