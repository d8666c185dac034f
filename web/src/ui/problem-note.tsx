/** Says why something could not be shown or done, and what to do, in the server's own words. */
import { problemOf } from "../data/api.ts";
import { StateSign } from "./state-sign.tsx";

export function ProblemNote({ error }: { readonly error: unknown }) {
  const { message, remedy, code } = problemOf(error);
  return (
    <div role="alert" lang="en" className="callout family-fail">
      <span className="mt-0.5">
        <StateSign sign="square-cross" />
      </span>
      <span className="min-w-0">
        <span className="block font-medium text-ink">{message}</span>
        <span className="block text-ink-2">{remedy}</span>
        <code className="text-fine text-ink-3">{code}</code>
      </span>
    </div>
  );
}
